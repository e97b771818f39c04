"""A second contest: character-level language modelling with equal parameters and equal CPU time, and the loss by position in the window.

Kaplan et al. 2020 (figure 7) find that recurrent networks stop benefiting from more context early, and Transformers do not. Each
model's learning rate is chosen on a validation part of the text. The exam's windows overlap, and its score is the loss on the second half of
a window, where every character has at least half a window of context.
"""

from dataclasses import replace
from time import process_time

import numpy as np
import torch
import torch.nn.functional as F

from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.jobs import results, run_all, scratch
from pencil.experiments.training.loop import train
from pencil.experiments.writer.text_task import TextTask, loss_by_position
from pencil.experiments.writer.tiny_gpt import SHARED, train_tokenizer
from pencil.model.config import Config
from pencil.model.module import Module, linear, new_embedding, seeded
from pencil.model.recurrent import LSTM, RNN
from pencil.model.transformers import Decoder
from pencil.reference.generation import count_ngrams, next_token_probs
from pencil.reference.positions import Rotary

WINDOW, STRIDE, ORDERS, SEEDS = 256, 32, (1, 2, 3, 4, 5, 6), (0, 1, 2)
SECONDS, TRIAL_SECONDS, RATES = 75, 25, (2e-3, 5e-3, 1e-2, 2e-2, 4e-2)  # CPU time of a run, and of each learning-rate trial
TRAINING = TrainingConfig(epochs=1, batch_size=16, decay_all=True, **SHARED)
SIZES = {
    "SimpleRNN": Config(64, hidden_size=272),
    "LSTM": Config(64, hidden_size=128),
    "Transformer": Config(64, 4, n_layers=2, max_len=WINDOW),  # learned position embedding
    "Rotary": Config(64, 4, n_layers=2, d_ff=320, position_encoding=Rotary()),  # d_ff makes up for the parameters of a learned embedding
}
RECURRENT = {"SimpleRNN": RNN, "LSTM": LSTM}


class RecurrentWriter(Module):
    """A recurrent language model: embedding, recurrent network, output projection. `sizes` is a Config, `rnn` is RNN or LSTM."""

    def __init__(self, sizes, rnn):
        super().__init__()
        self.embedding = new_embedding(np.broadcast_to(0.0, (sizes.vocab_size, sizes.d_model)))
        self.rnn, self.output = rnn(sizes), linear(sizes.vocab_size, sizes.rnn_hidden_dim, True)

    def forward(self, ids):  # (..., T) -> (..., T, vocab_size)
        """The logits of the next token at every position."""
        return self.output(self.rnn(F.embedding(ids, self.embedding)))


def build_model(name, vocab_size, seed=0, sizes=None):  # -> module, untrained
    """A model of this contest; `sizes` replaces those of SIZES."""
    sizes = replace(sizes or SIZES[name], vocab_size=vocab_size)
    with seeded(seed):
        if name in RECURRENT:
            return RecurrentWriter(sizes, RECURRENT[name])
        return Decoder(sizes)


def make_splits(text):  # str -> vocabulary size, training ids, validation ids, exam ids
    """Encode a text, a token for each character. The last tenth is the exam, the tenth before it is for validation."""
    tokenizer, tenth = train_tokenizer(text), len(text) // 10
    ids = tokenizer.encode(text)
    return len(tokenizer.pieces), ids[: -2 * tenth], ids[-2 * tenth : -tenth], ids[-tenth:]


def steps_in(seconds, name, splits):  # -> int
    """How many training steps a model makes in this CPU time, measured on ten steps after a warm-up."""
    model, task = build_model(name, splits[0]), TextTask(splits[1], splits[2], WINDOW)
    batches = task.batches(0, 1, TRAINING.batch_size)
    for batch in batches[:13]:
        if batch is batches[3]:
            start = process_time()
        task.loss(model, batch, torch.device("cpu")).backward()
    return max(int(seconds * 10 / (process_time() - start)), 1)


def one_run(name, splits, seed, rate, seconds):  # -> module, validation loss, steps, CPU seconds
    """Train a model for this CPU time, with warmup and linear decay of the learning rate."""
    model, steps = build_model(name, splits[0], seed), steps_in(seconds, name, splits)
    task = TextTask(splits[1], splits[2], WINDOW, steps * TRAINING.batch_size, stride=WINDOW)
    start = process_time()
    trained = train(model, task, replace(TRAINING, lr=rate, seed=seed), description=name)
    return model, trained.history[-1]["val_loss"], steps, process_time() - start


def choose_rate(name, text):  # -> JSON-able
    """The validation loss of a short trial with each learning rate."""
    splits = make_splits(text)
    return {"tried": {str(rate): as_recorded(one_run(name, splits, SEEDS[0], rate, TRIAL_SECONDS)[1]) for rate in RATES}}


def job(name, seed, text, tried):  # -> JSON-able
    """Train with the best learning rate of the trials, {rate as a string: loss}, and compute the exam's loss by position."""
    splits, rate = make_splits(text), float(min(tried, key=tried.get))
    model, chosen_by, steps, took = one_run(name, splits, seed, rate, SECONDS)
    by_position = loss_by_position(model, splits[3], WINDOW, STRIDE)
    return {
        "model": name, "seed": seed, "n_parameters": sum(p.numel() for p in model.parameters()), "lr": rate, "steps": steps,
        "chosen_by": as_recorded(chosen_by), "exam": as_recorded(by_position[WINDOW // 2 :].mean()), "by_position": as_recorded(by_position),
        "cpu_seconds": as_recorded(took),
    }  # fmt: skip


def ngrams(text):  # -> {"ngrams": {order: loss}}
    """The losses of n-gram models with the same training text, on the exam's characters with at least half a window of context."""
    vocab_size, learned, _, exam = make_splits(text)
    probs = {order: next_token_probs(count_ngrams(learned, order=order, vocab_size=vocab_size), exam) for order in ORDERS}
    return {"ngrams": {str(order): as_recorded(float(-np.log(prob[WINDOW // 2 + 1 :]).mean())) for order, prob in probs.items()}}


def measure(seed=0, threads=1, only_done=False, source="full"):  # -> JSON-able, for `python -m pencil record writing_contest`
    """Run the missing jobs (none with `only_done`), and collect the results of models and n-grams."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    text, folder = load(source), scratch(f"writing-contest-{source}")
    counted = {"ngrams": lambda: ngrams(text)}
    trials = {f"{name}-rates": lambda name=name: choose_rate(name, text) for name in SIZES}
    listed = {
        f"{name}-{seed + number}": lambda name=name, number=seed + number: job(name, number, text, results(trials, folder)[f"{name}-rates"]["tried"])
        for number in SEEDS
        for name in SIZES
    }
    run_all(counted | trials | listed, folder, only_done)
    tried = {key.removesuffix("-rates"): result["tried"] for key, result in results(trials, folder).items()}
    sizes = {"window": WINDOW, "stride": STRIDE, "batch": TRAINING.batch_size, "seconds": SECONDS, "trial_seconds": TRIAL_SECONDS}
    found = results(counted, folder).get("ngrams", {})
    return {"source": source, **sizes, **found, "tried": tried, "runs": list(results(listed, folder).values())}
