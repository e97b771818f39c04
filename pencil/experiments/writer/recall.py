"""Key–value recall (chapter 17b): n pairs are read, then some of their keys are asked for their values (Arora et al. 2023, Zoology).

Four machines of four layers, alike but for what mixes the tokens: a state into which values are written as they are, one with the delta rule,
attention, and three layers of the delta rule to one of attention. A pair is one token, so no layer has to join a key to its value first.
"""

from concurrent.futures import ProcessPoolExecutor

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, normalize

from pencil.experiments.records import as_recorded
from pencil.model import Config, FeedForward, attention, causal_mask, chunked_attention, linear_attention
from pencil.model.module import seeded

MACHINES = {"state": ("state",) * 4, "delta": ("delta",) * 4, "attention": ("attention",) * 4, "hybrid": ("delta",) * 3 + ("attention",)}
PAIRS = (4, 8, 16, 32)  # n; a batch of training has one of them, at random
KEYS, VALUES, ASKED = 64, 16, 4  # kinds of keys and of values; how many keys are asked
D_MODEL, HEADS, WIDTH = 32, 2, 8  # WIDTH: numbers of a head's key and value
STEPS, BATCH, LR, SEEDS, TESTS = 600, 32, 5e-3, 5, 256
CHUNK = 64  # as long as a text, and longer


class Mixer(nn.Module):
    """What mixes the tokens in a layer: "attention", "state" or "delta". In a state queries and keys have length one."""

    def __init__(self, way):
        super().__init__()
        self.way, inner = way, HEADS * WIDTH
        self.query, self.key, self.value = (nn.Linear(D_MODEL, inner, bias=False) for _ in range(3))
        self.beta = nn.Linear(D_MODEL, HEADS) if way == "delta" else None
        self.norm, self.output = nn.RMSNorm(WIDTH), nn.Linear(inner, D_MODEL, bias=False)

    def forward(self, x):  # (N, T, d) -> (N, T, d)
        query, key, value = (each(x).unflatten(-1, (HEADS, WIDTH)).transpose(1, 2) for each in (self.query, self.key, self.value))
        if self.way == "attention":
            context = attention(query, key, value, mask=causal_mask(x.shape[1]))
        elif self.way == "state":
            context = linear_attention(normalize(query, dim=-1), normalize(key, dim=-1), value)
        else:
            beta = self.beta(x).sigmoid().transpose(1, 2)
            context, _ = chunked_attention(normalize(query, dim=-1), normalize(key, dim=-1), value, beta=beta, chunk_size=CHUNK)
        return self.output(self.norm(context).transpose(1, 2).flatten(2))


class Machine(nn.Module):
    """Layers of a mixer and a feed-forward network, each added to the residual stream; the last row of an asked key gives the logits of its value."""

    def __init__(self, ways):
        super().__init__()
        config = Config.llama(D_MODEL, HEADS, vocab_size=KEYS)
        self.key, self.value = nn.Embedding(KEYS, D_MODEL), nn.Embedding(VALUES + 1, D_MODEL)  # the last value: not told, but asked
        self.mixers = nn.ModuleList(Mixer(way) for way in ways)
        self.networks = nn.ModuleList(FeedForward(config) for _ in ways)
        self.norms = nn.ModuleList(nn.RMSNorm(D_MODEL) for _ in range(2 * len(ways) + 1))
        self.output = nn.Linear(D_MODEL, VALUES, bias=False)

    def forward(self, keys, values):  # ids (N, T) -> (N, T, VALUES)
        x = self.key(keys) + self.value(values)
        for k, (mixer, network) in enumerate(zip(self.mixers, self.networks, strict=True)):
            x = x + mixer(self.norms[2 * k](x))
            x = x + network(self.norms[2 * k + 1](x))
        return self.output(self.norms[-1](x))


def texts(n, count, rng):  # number of pairs, of texts -> keys (count, n + ASKED), values (the same), right values (count, ASKED)
    """Texts of n pairs with different keys, and then ASKED of these keys, in any order, whose values are not told."""
    keys = np.argsort(rng.random((count, KEYS)), axis=-1)[:, :n]
    values = rng.integers(VALUES, size=(count, n))
    asked = np.argsort(rng.random((count, n)), axis=-1)[:, :ASKED]
    asked_keys, right = (np.take_along_axis(rows, asked, -1) for rows in (keys, values))
    told = np.concatenate([values, np.full((count, ASKED), VALUES)], -1)
    return [torch.tensor(each) for each in (np.concatenate([keys, asked_keys], -1), told, right)]


def answers(machine, keys, values, right):  # -> logits (N · ASKED, VALUES), right values (N · ASKED,)
    """What the machine says to each asked key, and what would be right."""
    return machine(keys, values)[:, -ASKED:].flatten(0, 1), right.flatten()


def trained(name, seed, steps=STEPS):  # -> Machine
    """A machine, trained on texts that are drawn anew for each step."""
    rng = np.random.default_rng(seed)
    with seeded(seed):
        machine = Machine(MACHINES[name])
    optimizer = torch.optim.Adam(machine.parameters(), LR, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / 50) * (1 - step / steps))
    for _ in range(steps):
        loss = cross_entropy(*answers(machine, *texts(rng.choice(PAIRS), BATCH, rng)))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(machine.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    return machine


@torch.no_grad()
def examined(machine):  # -> losses, accuracies, of each number of PAIRS
    """The mean loss and the share of right answers, on the same new texts for every machine."""
    found = [answers(machine, *texts(n, TESTS, np.random.default_rng((n, 1)))) for n in PAIRS]
    return [float(cross_entropy(*each)) for each in found], [float((logits.argmax(-1) == right).double().mean()) for logits, right in found]


def _run(name, seed, steps, threads):  # -> losses, accuracies; in a process of its own
    torch.set_num_threads(threads)
    return examined(trained(name, seed, steps))


def measure(seed=0, threads=1, steps=STEPS, seeds=SEEDS):  # -> JSON-able, for `python -m pencil record recall`
    """For each machine and each seed the loss and the accuracy at each number of pairs; as many runs at a time as there are machines."""
    with ProcessPoolExecutor(len(MACHINES)) as pool:
        runs = {(k, name): pool.submit(_run, name, seed + k, steps, threads) for k in range(seeds) for name in MACHINES}
        found = {name: [runs[k, name].result() for k in range(seeds)] for name in MACHINES}
    return {
        "pairs": list(PAIRS),
        "keys": KEYS,
        "values": VALUES,
        "asked": ASKED,
        "sizes": {"d_model": D_MODEL, "heads": HEADS, "width": WIDTH, "layers": len(MACHINES["state"])},
        "steps": steps,
        "n_parameters": {name: sum(parameter.numel() for parameter in Machine(ways).parameters()) for name, ways in MACHINES.items()},
        "loss": {name: as_recorded([losses for losses, _ in each]) for name, each in found.items()},
        "accuracy": {name: as_recorded([right for _, right in each]) for name, each in found.items()},
    }
