"""The record of chapter 14: the tiny GPT on tiny Shakespeare, its loss against n-grams, and samples."""

from dataclasses import replace
from time import process_time

import torch

from pencil.experiments.records import as_recorded
from pencil.experiments.writer.tiny_gpt import PLANS, make_splits, ngram_loss, save, train_writer, write, write_by_counting

ORDERS = (1, 2, 3, 4, 5, 6)  # of the n-grams
SAMPLES = ({"temperature": 0.5}, {"temperature": 0.8}, {"temperature": 1.0}, {"temperature": 1.0, "top_p": 0.9}, {"top_k": 1})
COUNTED_AT = 0.8  # temperature of the n-gram samples
PROMPT = "\n"


def measure(seed=0, threads=1, source="full", plan=None, checkpoint=None):  # -> JSON-able, for `python -m pencil record tiny_gpt`
    """Train once by the plan, evaluate n-grams, and sample; `checkpoint` is a file to save the model to."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    text, plan = load(source), plan or PLANS[source]
    plan = replace(plan, training=replace(plan.training, seed=seed))
    start = process_time()
    writer, trained = train_writer(text, plan)
    took = process_time() - start
    if checkpoint:
        save(checkpoint, writer)
    tokenizer, train_ids, test_ids = make_splits(text, plan.merges)
    training, sizes = plan.training, plan.sizes
    return {
        "source": source,
        "tokens": {"vocab_size": len(tokenizer.pieces), "n_train": len(train_ids), "n_test": len(test_ids)},
        "sizes": {"d_model": sizes.d_model, "n_heads": sizes.n_heads, "n_layers": sizes.n_layers, "max_len": sizes.max_len},
        "n_parameters": sum(p.numel() for p in writer.model.parameters()),
        "batch": training.batch_size,
        "steps": training.epochs * -(-plan.windows // training.batch_size),
        "loss": as_recorded(trained.column("loss")),
        "val_loss": as_recorded(trained.column("val_loss")),
        "ngram_loss": {str(order): as_recorded(ngram_loss(text, order, plan.merges)) for order in ORDERS},
        "counted": {} if plan.merges else {str(order): write_by_counting(text, order, PROMPT, 300, COUNTED_AT, seed) for order in ORDERS[1:]},
        "samples": [{**how, "text": write(writer, PROMPT, 300, seed=seed, **how)} for how in SAMPLES],
        "cpu_seconds": as_recorded(took),
    }
