"""Length extrapolation: the loss of tiny GPTs by position, on windows longer than those of training, for each position encoding.

Every model is trained on windows of `TRAINED` characters and evaluated on windows of `READ`. The learned embedding has rows for all
positions, of which training reaches the first `TRAINED`. `interpolated` is the rotary model with positions divided by READ / TRAINED
(Chen et al. 2023); the rotary models are also fine-tuned for a few steps on the longer windows, with and without interpolation.

A second record compares rotary models: with a larger base, with a last block without positions, and with YaRN, which is not trained at all.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import torch

from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.jobs import results, run_all, scratch
from pencil.experiments.training.loop import train
from pencil.experiments.writer.text_task import TextTask, loss_by_position
from pencil.experiments.writer.tiny_gpt import SHARED, make_splits, ngram_loss
from pencil.model.config import Config
from pencil.model.module import load_arrays, seeded, state_arrays
from pencil.model.transformers import Decoder
from pencil.reference.positions import Alibi, Rotary, YarnScaling

TRAINED, READ, BIN = 64, 256, 16
SEEDS, ROTARY_SEEDS = 5, 3
SIZES = Config(64, 4, n_layers=2)
TRAINING = TrainingConfig(epochs=1, batch_size=16, lr=3e-3, decay_all=True, **SHARED)
STEPS, TUNING_STEPS = 600, 100
ENCODINGS = {  # name: fields of a Config
    "learned": {"max_len": READ},
    "sinusoidal": {"max_len": READ, "sinusoidal": True},
    "alibi": {"position_encoding": Alibi()},
    "rotary": {"position_encoding": Rotary()},
}
ROTARY = {  # the rotary model again, and what is changed in it
    "rotary": ENCODINGS["rotary"],
    "base_500000": {"position_encoding": Rotary(base=500_000)},
    "last_without": {"position_encoding": Rotary(), "layers_without_positions": (SIZES.n_layers,)},
}
INTERPOLATED = Rotary(positions=np.arange(READ) * (TRAINED / READ))
YARN = Rotary(scaling=YarnScaling(READ / TRAINED, TRAINED))


def build_writer(name, vocab_size, seed=0):  # -> Decoder, untrained
    """A decoder with one of the `ENCODINGS` or `ROTARY`. Sinusoids are scaled to the RMS of the new token embeddings, which they would dominate."""
    config = replace(SIZES, vocab_size=vocab_size, **(ENCODINGS | ROTARY)[name])
    with seeded(seed), torch.no_grad():
        writer = Decoder(config)
        if config.sinusoidal:
            writer.positions.mul_(writer.embedding.square().mean().sqrt() / writer.positions.square().mean().sqrt())
    return writer


def with_encoding(writer, encoding):  # Decoder with Rotary, Rotary -> Decoder
    """The same weights with other rotary positions."""
    config = replace(SIZES, vocab_size=len(writer.embedding), position_encoding=encoding)
    return load_arrays(Decoder(config), state_arrays(writer))


def trained(name, train_ids, test_ids, vocab_size, seed, steps=STEPS):  # -> Decoder
    """The model of this name, trained on short windows."""
    writer, training = build_writer(name, vocab_size, seed), replace(TRAINING, seed=seed)
    train(writer, TextTask(train_ids, test_ids, TRAINED, windows=steps * training.batch_size), training, description=f"{name} {seed}")
    return writer


def run_seed(train_ids, test_ids, vocab_size, seed, steps=STEPS, tuning_steps=TUNING_STEPS):  # -> {name: (READ,) losses}
    """Train a model with each encoding, fine-tune the rotary ones, and evaluate all."""
    writers = {name: trained(name, train_ids, test_ids, vocab_size, seed, steps) for name in ENCODINGS}
    writers["interpolated"] = with_encoding(writers["rotary"], INTERPOLATED)
    found = {name: loss_by_position(writer, test_ids, READ) for name, writer in writers.items()}
    small = TRAINING.batch_size * TRAINED // READ  # the same number of tokens per step
    longer = TextTask(train_ids, test_ids, READ, windows=tuning_steps * small)
    tuning = replace(TRAINING, seed=seed, batch_size=small, lr=TRAINING.lr / 3, warmup_steps=0)
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
    vocab_size = len(tokenizer.pieces)
    runs = [run_seed(train_ids, test_ids, vocab_size, seed + number, steps, tuning_steps) for number in range(seeds)]
    return _setting(vocab_size, steps) | {
        "tuning_steps": tuning_steps,
        "ngram_loss": {str(order): as_recorded(ngram_loss(text, order)) for order in (1, 2)},
        "loss": {name: [_in_bins(run[name]) for run in runs] for name in runs[0]},
    }


def run_rotary(name, train_ids, test_ids, vocab_size, seed, steps=STEPS):  # -> JSON-able
    """Train one of the `ROTARY` models, and evaluate it; the plain one with YaRN as well."""
    writers = {name: trained(name, train_ids, test_ids, vocab_size, seed, steps)}
    if name == "rotary":
        writers["yarn"] = with_encoding(writers[name], YARN)
    return {"seed": seed, "loss": {each: _in_bins(loss_by_position(writer, test_ids, READ)) for each, writer in writers.items()}}


def measure_rotary(seed=0, threads=1, only_done=False, folder=None, seeds=ROTARY_SEEDS, steps=STEPS, source="full"):  # -> JSON-able
    """The same of the rotary models, job by job and without fine-tuning, for `record longer_rotary`."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    tokenizer, *splits = make_splits(load(source))
    vocab_size, folder = len(tokenizer.pieces), folder or scratch(f"longer-rotary-{seed}")
    jobs = {f"{name}-{one}": partial(run_rotary, name, *splits, vocab_size, one, steps) for one in range(seed, seed + seeds) for name in ROTARY}
    run_all(jobs, folder, only_done)
    return _setting(vocab_size, steps) | {"runs": list(results(jobs, folder).values())}


def _in_bins(losses):  # (READ,) -> list of READ / BIN
    return as_recorded(losses.reshape(-1, BIN).mean(1))


def _setting(vocab_size, steps):
    sizes = {"d_model": SIZES.d_model, "n_heads": SIZES.n_heads, "n_layers": SIZES.n_layers, "vocab_size": vocab_size}
    return {"trained": TRAINED, "read": READ, "bin": BIN, "steps": steps, "sizes": sizes}
