"""The vision transformer with and without seats, and two rivals without attention, on handwritten digits: what chapter 15 quotes."""

from dataclasses import replace
from time import process_time

import numpy as np
import torch

from pencil.data import pictures
from pencil.data.pictures import Digits
from pencil.labs import seeing
from pencil.labs.records import as_recorded
from pencil.labs.training import Training

DIGITS = Training(passes=60, rate=3e-3, warm=50, fall=True, decay=0.05, clip=1.0)
MNIST = Training(passes=8, rate=2e-3, warm=100, fall=True, decay=0.05, clip=1.0)
STUDIED = 8_000  # of MNIST's test pictures; the other 2,000 are sealed


def machines(side, patch, d_model=32):  # -> {name: function that makes it}
    """Three vision transformers, which differ in their seats alone, and two rivals."""
    return {
        "learned seats": lambda: seeing.looks_across(side, patch, d_model),
        "waves": lambda: seeing.looks_across(side, patch, d_model, wave=True),
        "no seats": lambda: seeing.looks_across(side, patch, d_model, seats=False),
        "convolution net": lambda: seeing.sliding_rival(side),
        "logistic regression": lambda: seeing.plain_rival(side),
    }


def one_run(make, study, sealed, seed, setting):  # -> the trained machine, JSON-able
    """One machine from one seed: how many sealed digits it names right, and what it took."""
    setting = replace(setting, seed=seed)
    torch.manual_seed(seed)
    model, start = make(), process_time()
    seeing.learn(model, study, setting)
    took = process_time() - start
    right, dials = seeing.sit(model, sealed), sum(p.numel() for p in model.parameters() if p.requires_grad)
    return model, {"accuracy": as_recorded(right), "dials": dials, "cpu_seconds": as_recorded(took)}


def measured(study, sealed, made, setting, seeds):  # -> JSON-able
    """Every machine from every seed."""
    runs = {name: [one_run(make, study, sealed, seed, setting)[1] for seed in seeds] for name, make in made.items()}
    return {"study": len(study), "sealed": len(sealed), "passes": setting.passes, "seeds": list(seeds), "runs": runs}


def digits(seed=0, threads=1, setting=DIGITS, runs=2):  # -> JSON-able, for `python -m pencil record digits_vit`
    """scikit-learn's digits, four fifths of them to learn from."""
    torch.set_num_threads(threads)
    piles = pictures.load()
    return measured(piles.train, piles.test, machines(8, 2), setting, range(seed, seed + runs))


def mnist(seed=0, threads=1, setting=MNIST, studied=STUDIED):  # -> JSON-able, for `python -m pencil record mnist_vit`
    """MNIST's test pictures, drawn into a study pile and a sealed one; its 60,000 others are not used."""
    torch.set_num_threads(threads)
    pile = pictures.mnist_test()
    order = np.random.default_rng(0).permutation(len(pile))
    study, sealed = (Digits(pile.pixels[rows], pile.labels[rows]) for rows in (order[:studied], order[studied:]))
    return measured(study, sealed, machines(28, 7, 48), setting, [seed])
