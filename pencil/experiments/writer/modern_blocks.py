"""Ablations of Llama's block in a tiny GPT: GELU against SwiGLU (chapter 16), and ways to keep less of each token (16 and 17).

All models have RMSNorm, rotary positions, no biases, and the same width, depth, training and seeds; `CHANGES` lists the differences.
A gated network has two thirds of the hidden units, so that the number of parameters is the same.
"""

from dataclasses import dataclass, replace

import torch

from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import train
from pencil.experiments.writer.text_task import TextTask, loss_by_position
from pencil.experiments.writer.tiny_gpt import SHARED, make_splits
from pencil.model.config import Config
from pencil.model.module import seeded, state_arrays
from pencil.model.transformers import Decoder
from pencil.reference.functional import gelu, silu

LENGTH, STEPS, SEEDS = 64, 300, 5
TRAINING = TrainingConfig(epochs=1, batch_size=16, lr=3e-3, **SHARED)


@dataclass(frozen=True)
class Change:
    """A change relative to another model, `after`: fields of its Config."""

    after: str
    fields: dict


CHANGES = {
    "swiglu": Change("gelu", {"gated": True, "activation": silu}),
    "two_of_four": Change("swiglu", {"n_kv_heads": 2}),
    "one_of_four": Change("swiglu", {"n_kv_heads": 1}),
    "latent_8": Change("swiglu", {"latent_dim": 8, "rope_dim": 8}),
    "latent_16": Change("swiglu", {"latent_dim": 16, "rope_dim": 8}),  # keeps as many numbers as one_of_four
    "latent_40": Change("swiglu", {"latent_dim": 40, "rope_dim": 8}),  # as two_of_four
    "window": Change("swiglu", {"window": 16}),
}
BLOCKS = ("gelu", "swiglu", "two_of_four", "one_of_four")  # of the first record
CACHES = ("latent_8", "latent_16", "latent_40", "window")  # of the second


def plan(name):  # -> Config
    """The config of a model: that of its predecessor with its own change."""
    if name == "gelu":
        return Config.llama(48, 4, n_layers=2, gated=False, activation=gelu, tie_embeddings=True)
    change = CHANGES[name]
    return replace(plan(change.after), **change.fields)


def build_writer(name, vocab_size, seed=0):  # -> Decoder, untrained
    """A new decoder of this plan."""
    with seeded(seed):
        return Decoder(replace(plan(name), vocab_size=vocab_size))


def count_parameters(writer):  # -> int, int
    """The number of parameters of the model, and of one feed-forward network."""
    arrays = state_arrays(writer)
    return sum(array.size for array in arrays.values()), sum(a.size for name, a in arrays.items() if name.startswith("block1.feed_forward"))


def numbers_kept(plan):  # Config -> int
    """How many numbers a token leaves in the cache, in all blocks."""
    in_block = plan.kv_heads * (plan.key_dim + plan.value_dim) if plan.latent_dim is None else plan.latent_dim + (plan.rope_dim or 0)
    return plan.n_layers * in_block


def run_seed(name, train_ids, test_ids, vocab_size, seed, steps=STEPS):  # -> float
    """Train one model; the loss on the test text in non-overlapping windows."""
    writer, training = build_writer(name, vocab_size, seed), replace(TRAINING, seed=seed)
    train(writer, TextTask(train_ids, test_ids, LENGTH, windows=steps * training.batch_size), training, description=f"{name} {seed}")
    return float(loss_by_position(writer, test_ids, LENGTH).mean())


def measure(seed=0, threads=1, seeds=SEEDS, steps=STEPS, source="full", names=BLOCKS):  # -> JSON-able, for `record modern_blocks`
    """For each model the test loss of every seed, the number of parameters, and the numbers in the KV cache per token."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    tokenizer, train_ids, test_ids = make_splits(load(source))
    vocab_size = len(tokenizer.pieces)
    plans = {name: plan(name) for name in names}
    n_parameters = {name: count_parameters(build_writer(name, vocab_size)) for name in names}
    return {
        "steps": steps,
        "length": LENGTH,
        "sizes": {"d_model": (first := plans[names[0]]).d_model, "n_heads": first.n_heads, "n_layers": first.n_layers, "vocab_size": vocab_size},
        "after": {name: CHANGES[name].after for name in names if name in CHANGES},
        "n_parameters": {name: counts[0] for name, counts in n_parameters.items()},
        "n_feed_forward_parameters": {name: counts[1] for name, counts in n_parameters.items()},
        "kept": {name: numbers_kept(one) for name, one in plans.items()},
        "loss": {name: as_recorded([run_seed(name, train_ids, test_ids, vocab_size, seed + k, steps) for k in range(seeds)]) for name in names},
    }


def measure_caches(seed=0, threads=1):  # -> JSON-able, for `record modern_caches`
    """The same of the writers that keep a latent, or the tokens of a window."""
    return measure(seed, threads, names=CACHES)
