"""The tiny GPT on tiny Shakespeare, for the record: its loss beside that of counting, and what it writes."""

from dataclasses import replace
from time import process_time

import torch

from pencil.labs.records import as_recorded
from pencil.labs.tiny_gpt import PLANS, counted_loss, piles, save, teach, write

ORDERS = (1, 2, 3, 4, 5, 6)  # the tokens of a run that is counted
SAMPLES = ({"temperature": 0.5}, {"temperature": 0.8}, {"temperature": 1.0}, {"temperature": 1.0, "p": 0.9}, {"k": 1})
BEGIN = "\n"  # a prompt that gives nothing away


def measure(seed=0, threads=1, source="full", plan=None, checkpoint=None):  # -> JSON-able, for `python -m pencil record tiny_gpt`
    """One run of the plan, the counts beside it, and a page of each kind of writing; with `checkpoint` the writer is kept there."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    text, plan = load(source), plan or PLANS[source]
    plan = replace(plan, training=replace(plan.training, seed=seed))
    start = process_time()
    writer, trained = teach(text, plan)
    took = process_time() - start
    if checkpoint:
        save(checkpoint, writer)
    pieces, study, sealed = piles(text, plan.merges)
    training, sizes = plan.training, plan.sizes
    return {
        "source": source,
        "tokens": {"kinds": len(pieces.pieces), "study": len(study), "sealed": len(sealed)},
        "sizes": {name: getattr(sizes, name) for name in ("d_model", "n_heads", "n_blocks", "max_len")},
        "dials": sum(p.numel() for p in writer.model.parameters()),
        "batch": training.batch,
        "steps": training.passes * -(-plan.windows // training.batch),
        "loss": as_recorded(trained.column("loss")),
        "exam_loss": as_recorded(trained.column("exam_loss")),
        "counted": {str(order): as_recorded(counted_loss(text, order, plan.merges)) for order in ORDERS},
        "samples": [{**how, "text": write(writer, BEGIN, 300, seed=seed, **how)} for how in SAMPLES],
        "cpu_seconds": as_recorded(took),
    }
