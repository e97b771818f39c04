"""Length extrapolation: the loss of tiny GPTs by position, on windows longer than those of training, for each position encoding.

Every model is trained on windows of `TRAINED` characters and evaluated on windows of `READ`. The learned embedding has rows for all
positions, of which training reaches the first `TRAINED`. `interpolated` is the rotary model with positions divided by READ / TRAINED
(Chen et al. 2023); the rotary models are also fine-tuned for a few steps on the longer windows, with and without interpolation.
"""

from dataclasses import replace

import numpy as np
import torch

from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import train
from pencil.experiments.writer.text_task import TextTask, loss_by_position
from pencil.experiments.writer.tiny_gpt import SHARED, make_splits, ngram_loss
from pencil.model.config import Config
from pencil.model.module import load_arrays, seeded, state_arrays
from pencil.model.transformers import Decoder
from pencil.reference.positions import Alibi, Rotary

TRAINED, READ, BIN, SEEDS = 64, 256, 16, 5
SIZES = Config(64, 4, n_layers=2)
TRAINING = TrainingConfig(epochs=1, batch_size=16, lr=3e-3, decay_all=True, **SHARED)
STEPS, TUNING_STEPS = 600, 100
ENCODINGS = {  # name: fields of a Config
    "learned": {"max_len": READ},
    "sinusoidal": {"max_len": READ, "sinusoidal": True},
    "alibi": {"position_encoding": Alibi()},
    "rotary": {"position_encoding": Rotary()},
}
INTERPOLATED = Rotary(positions=np.arange(READ) * (TRAINED / READ))


def build_writer(name, vocab_size, seed=0):  # -> Decoder, untrained
    """A decoder with one of the `ENCODINGS`. Sinusoids are scaled to the RMS of the new token embeddings, which they would dominate."""
    config = replace(SIZES, vocab_size=vocab_size, **ENCODINGS[name])
    with seeded(seed), torch.no_grad():
        writer = Decoder(config)
        if config.sinusoidal:
            writer.positions.mul_(writer.embedding.square().mean().sqrt() / writer.positions.square().mean().sqrt())
    return writer


def interpolate(writer):  # Decoder with Rotary -> Decoder
    """The same weights with interpolated positions."""
    config = replace(SIZES, vocab_size=len(writer.embedding), position_encoding=INTERPOLATED)
    return load_arrays(Decoder(config), state_arrays(writer))


def run_seed(train_ids, test_ids, vocab_size, seed, steps=STEPS, tuning_steps=TUNING_STEPS):  # -> {name: (READ,) losses}
    """Train a model with each encoding, fine-tune the rotary ones, and evaluate all."""
    training, writers = replace(TRAINING, seed=seed), {}
    task = TextTask(train_ids, test_ids, TRAINED, windows=steps * training.batch_size)
    for name in ENCODINGS:
        writers[name] = build_writer(name, vocab_size, seed)
        train(writers[name], task, training, description=f"{name} {seed}")
    writers["interpolated"] = interpolate(writers["rotary"])
    found = {name: loss_by_position(writer, test_ids, READ) for name, writer in writers.items()}
    small = training.batch_size * TRAINED // READ  # the same number of tokens per step
    longer = TextTask(train_ids, test_ids, READ, windows=tuning_steps * small)
    tuning = replace(training, batch_size=small, lr=training.lr / 3, warmup_steps=0)
    for name in ("rotary", "interpolated"):
        train(writers[name], longer, tuning, description=f"{name} tuned {seed}")
        found[f"{name}_tuned"] = loss_by_position(writers[name], test_ids, READ)
    return found


def measure(seed=0, threads=1, seeds=SEEDS, steps=STEPS, tuning_steps=TUNING_STEPS, source="full"):  # -> JSON-able, for `record longer_texts`
    """The loss of each model by position, averaged over bins of `BIN` positions, for every seed; and that of unigrams and bigrams."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    text = load(source)
    tokenizer, train_ids, test_ids = make_splits(text)
    runs = [run_seed(train_ids, test_ids, len(tokenizer.pieces), seed + number, steps, tuning_steps) for number in range(seeds)]
    loss = {name: [as_recorded(run[name].reshape(-1, BIN).mean(1)) for run in runs] for name in runs[0]}
    return {
        "trained": TRAINED,
        "read": READ,
        "bin": BIN,
        "steps": steps,
        "tuning_steps": tuning_steps,
        "sizes": {"d_model": SIZES.d_model, "n_heads": SIZES.n_heads, "n_layers": SIZES.n_layers, "vocab_size": len(tokenizer.pieces)},
        "ngram_loss": {str(order): as_recorded(ngram_loss(text, order)) for order in (1, 2)},
        "loss": loss,
    }
