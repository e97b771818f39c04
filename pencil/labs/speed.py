"""How long a step of practice takes, by the length of the text: who walks waits, who looks across has n² to do."""

from statistics import median
from time import perf_counter, process_time

import torch
import torch.nn.functional as F

from pencil.labs import contest
from pencil.labs.device import described, device_of
from pencil.labs.records import as_recorded

LENGTHS = (25, 50, 100, 200, 400, 800)
TEXTS, ROUNDS, ROWS = 16, 15, 10_002


def step(model, ids, labels):
    """There and back; no dial is turned."""
    F.binary_cross_entropy_with_logits(model.logit(ids).squeeze(-1), labels).backward()
    model.zero_grad(set_to_none=True)


def seconds(model, ids, labels, device):  # -> float
    """The time of one step: of this process alone on one thread of a CPU, of the wall on several and elsewhere."""
    alone = device.type == "cpu" and torch.get_num_threads() == 1
    now = process_time if alone else perf_counter
    start = now()
    step(model, ids, labels)
    if device.type == "cuda":
        torch.cuda.synchronize()
    if device.type == "mps":
        torch.mps.synchronize()
    return now() - start


def times(lengths=LENGTHS, names=contest.FOUR, device="cpu", rounds=ROUNDS, texts=TEXTS):  # -> {name: [milliseconds a step]}
    """The median of some rounds in turns, the machines one after the other in each: what else the machine does falls on all."""
    device, found = device_of(device), {name: [] for name in names}
    draw = torch.Generator().manual_seed(0)
    models = {name: contest.machine(name, ROWS).to(device) for name in names}
    for length in lengths:
        ids = torch.randint(1, ROWS, (texts, length), generator=draw).to(device)
        labels = torch.randint(0, 2, (texts,), generator=draw).to(device, torch.get_default_dtype())
        for model in models.values():
            seconds(model, ids, labels, device)  # the first call pays for plans and caches
        taken = [{name: seconds(model, ids, labels, device) for name, model in models.items()} for _ in range(rounds)]
        for name in names:
            found[name].append(median(each[name] for each in taken) * 1000)
    return found


def measure(seed=0, threads=2, device="cpu", lengths=LENGTHS, rounds=ROUNDS):  # -> JSON-able, for `python -m pencil record speed`
    """The time of one step of 16 texts, in milliseconds, machine by machine and length by length."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    taken = times(lengths, device=device, rounds=rounds)
    return {
        "lengths": list(lengths),
        "texts": TEXTS,
        "rounds": rounds,
        "threads": threads,
        "chip": described(device),
        "milliseconds": {name: as_recorded(row) for name, row in taken.items()},
    }
