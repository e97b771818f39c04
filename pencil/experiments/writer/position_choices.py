"""The base of a rotary writer, YaRN, and layers without positions, each on the tiny GPT of `longer_texts` (chapter 11).

Sizes, training, seeds and windows are those of `longer_texts`: trained on windows of `TRAINED` characters, evaluated on windows of `READ`.
"rotary" has the base 10,000, "large_base" 500,000 (Llama 3), "one_layer_without" leaves its positions out in the second of two layers
(SmolLM3 does in every fourth), "none" in both. YaRN reads with the weights of "rotary"; both are then fine-tuned on longer windows.
"""

from dataclasses import replace

import torch

from pencil.experiments.records import as_recorded
from pencil.experiments.training.loop import train
from pencil.experiments.writer.longer_texts import READ, SEEDS, SIZES, STEPS, TRAINED, TRAINING, TUNING_STEPS
from pencil.experiments.writer.text_task import TextTask, loss_by_position
from pencil.experiments.writer.tiny_gpt import make_splits
from pencil.model.module import load_arrays, seeded, state_arrays
from pencil.model.transformers import Decoder
from pencil.reference.positions import Rotary, YarnScaling

LARGE_BASE = 500_000.0
YARN = YarnScaling(READ / TRAINED, TRAINED)
CHOICES = {  # name: fields of a Config
    "rotary": {"position_encoding": Rotary()},
    "large_base": {"position_encoding": Rotary(base=LARGE_BASE)},
    "one_layer_without": {"position_encoding": Rotary(), "layers_without_positions": (2,)},
    "none": {},
}


def build_writer(name, vocab_size, seed=0):  # -> Decoder, untrained
    """A decoder with one of the `CHOICES`."""
    with seeded(seed):
        return Decoder(replace(SIZES, vocab_size=vocab_size, **CHOICES[name]))


def with_yarn(writer):  # Decoder with Rotary -> Decoder
    """The same weights, with rotations that YaRN slows."""
    config = replace(SIZES, vocab_size=len(writer.embedding), position_encoding=Rotary(scaling=YARN))
    return load_arrays(Decoder(config), state_arrays(writer))


def losses(writer, test_ids):  # -> {"seen", "last": mean losses}
    """The mean loss on the positions of training, and on as many at the end of the longer windows."""
    by_position = loss_by_position(writer, test_ids, READ)
    return {"seen": float(by_position[:TRAINED].mean()), "last": float(by_position[-TRAINED:].mean())}


def run_seed(train_ids, test_ids, vocab_size, seed, steps=STEPS, tuning_steps=TUNING_STEPS):  # -> {name: {"seen", "last"}}
    """Train a model with each choice, fine-tune the rotary one with YaRN and without, and evaluate all."""
    training, writers = replace(TRAINING, seed=seed), {}
    task = TextTask(train_ids, test_ids, TRAINED, windows=steps * training.batch_size)
    for name in CHOICES:
        writers[name] = build_writer(name, vocab_size, seed)
        train(writers[name], task, training, description=f"{name} {seed}")
    writers["yarn"] = with_yarn(writers["rotary"])
    found = {name: losses(writer, test_ids) for name, writer in writers.items()}
    small = training.batch_size * TRAINED // READ  # the same number of tokens per step
    longer = TextTask(train_ids, test_ids, READ, windows=tuning_steps * small)
    tuning = replace(training, batch_size=small, lr=training.lr / 3, warmup_steps=0)
    for name in ("rotary", "large_base", "yarn"):
        train(writers[name], longer, tuning, description=f"{name} tuned {seed}")
        found[f"{name}_tuned"] = losses(writers[name], test_ids)
    return found


def measure(seed=0, threads=1, seeds=SEEDS, steps=STEPS, tuning_steps=TUNING_STEPS, source="full"):  # -> JSON-able, for `record position_choices`
    """The loss of each model on the positions of training and on the last of the longer texts, for every seed."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    tokenizer, train_ids, test_ids = make_splits(load(source))
    runs = [run_seed(train_ids, test_ids, len(tokenizer.pieces), seed + number, steps, tuning_steps) for number in range(seeds)]
    return {
        "trained": TRAINED,
        "read": READ,
        "steps": steps,
        "tuning_steps": tuning_steps,
        "sizes": {"d_model": SIZES.d_model, "n_heads": SIZES.n_heads, "n_layers": SIZES.n_layers, "vocab_size": len(tokenizer.pieces)},
        "bases": [Rotary().base, LARGE_BASE],
        "stretch": as_recorded(YARN.stretch(SIZES.d_model // SIZES.n_heads, Rotary().base)),
        "loss": {name: {which: as_recorded([run[name][which] for run in runs]) for which in ("seen", "last")} for name in runs[0]},
    }
