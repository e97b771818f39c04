"""The time of a training step against the length of the text, for recurrent networks (T steps) and attention (T² scores)."""

from statistics import median

import torch
import torch.nn.functional as F

from pencil.experiments.contest import entrants
from pencil.experiments.records import as_recorded
from pencil.experiments.training.device import clock, describe, device_of

LENGTHS = {"cpu": (25, 50, 100, 200, 400, 800), "cuda": (25, 50, 100, 200, 400, 800, 1600, 3200, 6400)}
TEXTS, ROUNDS, ROWS = 16, 15, 10_002


def step(model, ids, labels):
    """Forward and backward, without an update."""
    F.binary_cross_entropy_with_logits(model.logit(ids).squeeze(-1), labels).backward()
    model.zero_grad(set_to_none=True)


def time_step(model, ids, labels, device):  # -> seconds
    """The time of one step, by `clock`."""
    now = clock(device.type)
    start = now()
    step(model, ids, labels)
    if device.type == "cuda":
        torch.cuda.synchronize()
    if device.type == "mps":
        torch.mps.synchronize()
    return now() - start


def times(lengths, names=entrants.FOUR, device="cpu", rounds=ROUNDS, texts=TEXTS):  # -> {name: [milliseconds per step, by length]}
    """Median times over interleaved rounds, so that other load on the machine affects all models alike."""
    device, found = device_of(device), {name: [] for name in names}
    generator = torch.Generator().manual_seed(0)
    models = {name: entrants.build_model(name, ROWS).to(device) for name in names}
    for length in lengths:
        ids = torch.randint(1, ROWS, (texts, length), generator=generator).to(device)
        labels = torch.randint(0, 2, (texts,), generator=generator).to(device, torch.get_default_dtype())
        for model in models.values():
            time_step(model, ids, labels, device)  # warm-up
        taken = [{name: time_step(model, ids, labels, device) for name, model in models.items()} for _ in range(rounds)]
        for name in names:
            found[name].append(median(each[name] for each in taken) * 1000)
    return found


def measure(seed=0, threads=2, device="cpu", lengths=None, rounds=ROUNDS):  # -> JSON-able, for `python -m pencil record speed`
    """Milliseconds per training step of 16 texts, by model and length."""
    lengths = lengths or LENGTHS.get(device, LENGTHS["cpu"])
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    taken = times(lengths, device=device, rounds=rounds)
    return {
        "lengths": list(lengths),
        "texts": TEXTS,
        "rounds": rounds,
        "threads": threads,
        "chip": describe(device),
        "milliseconds": {name: as_recorded(row) for name, row in taken.items()},
    }
