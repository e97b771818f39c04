"""Ablations of Llama's block in a tiny GPT: GELU against SwiGLU, and multi-head against grouped-query and multi-query attention (chapter 16).

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
from pencil.model.config import GPT2, LLAMA, Config
from pencil.model.module import seeded, state_arrays
from pencil.model.transformers import Decoder

LENGTH, STEPS, SEEDS = 64, 300, 5
TRAINING = TrainingConfig(epochs=1, batch_size=16, lr=3e-3, **SHARED)


@dataclass(frozen=True)
class Change:
    """A change relative to another model, `after`: fields of its Config (`sizes`) and of its BlockConfig (`config`)."""

    after: str
    sizes: dict
    config: dict


CHANGES = {
    "swiglu": Change("gelu", {"gated": True}, {"activation": LLAMA.activation}),
    "two_of_four": Change("swiglu", {"n_kv_heads": 2}, {}),
    "one_of_four": Change("swiglu", {"n_kv_heads": 1}, {}),
}


def plan(name):  # -> Config, BlockConfig
    """The sizes and the config of a model: those of its predecessor with its own change."""
    if name == "gelu":
        return Config(48, 4, n_layers=2, bias=False, norm_bias=False), replace(LLAMA, activation=GPT2.activation)
    change = CHANGES[name]
    sizes, config = plan(change.after)
    return replace(sizes, **change.sizes), replace(config, **change.config)


def build_writer(name, vocab_size, seed=0):  # -> Decoder, untrained
    """A new decoder of this plan."""
    sizes, config = plan(name)
    with seeded(seed):
        return Decoder(replace(sizes, vocab_size=vocab_size), config)


def count_parameters(writer):  # -> int, int
    """The number of parameters of the model, and of one feed-forward network."""
    arrays = state_arrays(writer)
    return sum(array.size for array in arrays.values()), sum(a.size for name, a in arrays.items() if name.startswith("block1.feed_forward"))


def run_seed(name, train_ids, test_ids, vocab_size, seed, steps=STEPS):  # -> float
    """Train one model; the loss on the test text in non-overlapping windows."""
    writer, training = build_writer(name, vocab_size, seed), replace(TRAINING, seed=seed)
    train(writer, TextTask(train_ids, test_ids, LENGTH, windows=steps * training.batch_size), training, description=f"{name} {seed}")
    return float(loss_by_position(writer, test_ids, LENGTH).mean())


def measure(seed=0, threads=1, seeds=SEEDS, steps=STEPS, source="full"):  # -> JSON-able, for `record modern_blocks`
    """For each model the test loss of every seed, the number of parameters, and the numbers in the KV cache per token."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    tokenizer, train_ids, test_ids = make_splits(load(source))
    vocab_size, names = len(tokenizer.pieces), ["gelu", *CHANGES]
    sizes = {name: plan(name)[0] for name in names}
    n_parameters = {name: count_parameters(build_writer(name, vocab_size)) for name in names}
    return {
        "steps": steps,
        "length": LENGTH,
        "sizes": {"d_model": sizes["gelu"].d_model, "n_heads": sizes["gelu"].n_heads, "n_layers": sizes["gelu"].n_layers, "vocab_size": vocab_size},
        "after": {name: change.after for name, change in CHANGES.items()},
        "n_parameters": {name: counts[0] for name, counts in n_parameters.items()},
        "n_feed_forward_parameters": {name: counts[1] for name, counts in n_parameters.items()},
        "kept": {name: one.n_layers * one.kv_heads * (one.key_dim + one.value_dim) for name, one in sizes.items()},
        "loss": {name: as_recorded([run_seed(name, train_ids, test_ids, vocab_size, seed + k, steps) for k in range(seeds)]) for name in names},
    }
