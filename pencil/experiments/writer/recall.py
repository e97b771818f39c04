"""Key–value recall (chapter 17b): n pairs are read, then some of their keys are asked for their values (Arora et al. 2023, Zoology).

Four kinds of machine with four layers, alike but for what mixes the tokens: a state into which values are written as they are, one with the
delta rule, attention, and three layers of the delta rule to one of attention. A pair is one token, so no layer has to join a key to its value
first. The machines of one kind are trained side by side, in arrays with an axis more: it is quicker than one after another.
"""

from concurrent.futures import ProcessPoolExecutor

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, normalize, silu

from pencil.experiments.records import as_recorded
from pencil.model import attention, causal_mask, chunked_attention, linear_attention
from pencil.model.module import seeded

MACHINES = {"state": ("state",) * 4, "delta": ("delta",) * 4, "attention": ("attention",) * 4, "hybrid": ("delta",) * 3 + ("attention",)}
PAIRS = (4, 8, 16, 32)  # n; a batch of training has one of them, at random
KEYS, VALUES, ASKED = 64, 16, 4  # kinds of keys and of values; how many keys are asked
D_MODEL, HEADS, WIDTH = 32, 2, 8  # WIDTH: numbers of a head's key and value
STEPS, BATCH, LR, SEEDS, TESTS = 3000, 32, 5e-3, 5, 256
CHUNK = 64  # as long as a text, and longer


class Linear(nn.Module):
    """A weight matrix for each of the machines side by side."""

    def __init__(self, count, d_in, d_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(count, 1, d_in, d_out).uniform_(-(d_in**-0.5), d_in**-0.5))

    def forward(self, x):  # (machines, N, T, d_in) -> (machines, N, T, d_out)
        return x @ self.weight


class Mixer(nn.Module):
    """What mixes the tokens in a layer: "attention", "state" or "delta". In a state queries and keys have length one."""

    def __init__(self, way, count):
        super().__init__()
        self.way, inner = way, HEADS * WIDTH
        self.query, self.key, self.value = (Linear(count, D_MODEL, inner) for _ in range(3))
        self.beta = Linear(count, D_MODEL, HEADS) if way == "delta" else None
        self.output = Linear(count, inner, D_MODEL)

    def forward(self, x):  # (machines, N, T, d) -> (machines, N, T, d)
        query, key, value = (each(x).unflatten(-1, (HEADS, WIDTH)).transpose(-2, -3) for each in (self.query, self.key, self.value))
        if self.way == "attention":
            context = attention(query, key, value, mask=causal_mask(x.shape[-2]))
        elif self.way == "state":
            context = linear_attention(normalize(query, dim=-1), normalize(key, dim=-1), value)
        else:
            beta = self.beta(x).sigmoid().mT
            context, _ = chunked_attention(normalize(query, dim=-1), normalize(key, dim=-1), value, beta=beta, chunk_size=CHUNK)
        return self.output(norm(context).transpose(-2, -3).flatten(-2))


def norm(x):
    """RMSNorm without a gain."""
    return nn.functional.rms_norm(x, x.shape[-1:])


class Machines(nn.Module):
    """Machines of one kind: layers of a mixer and a gated feed-forward network, each added to the residual stream, and the logits of the values."""

    def __init__(self, ways, count=SEEDS):
        super().__init__()
        self.key, self.value = (nn.Parameter(torch.randn(count, rows, D_MODEL)) for rows in (KEYS, VALUES + 1))  # the last value: not told, but asked
        self.mixers = nn.ModuleList(Mixer(way, count) for way in ways)
        self.up, self.gate = (nn.ModuleList(Linear(count, D_MODEL, 2 * D_MODEL) for _ in ways) for _ in range(2))
        self.down = nn.ModuleList(Linear(count, 2 * D_MODEL, D_MODEL) for _ in ways)
        self.output = Linear(count, D_MODEL, VALUES)

    def forward(self, keys, values):  # ids (machines, N, T) -> (machines, N, T, VALUES)
        each = torch.arange(len(keys))[:, None, None]
        x = self.key[each, keys] + self.value[each, values]
        for mixer, up, gate, down in zip(self.mixers, self.up, self.gate, self.down, strict=True):
            x = x + mixer(norm(x))
            row = norm(x)
            x = x + down(silu(gate(row)) * up(row))
        return self.output(norm(x))


def texts(n, count, rng):  # number of pairs, of texts -> keys (count, n + ASKED), values (the same), right values (count, ASKED)
    """Texts of n pairs with different keys, and then ASKED of these keys, in any order, whose values are not told."""
    keys = np.argsort(rng.random((count, KEYS)), axis=-1)[:, :n]
    values = rng.integers(VALUES, size=(count, n))
    asked = np.argsort(rng.random((count, n)), axis=-1)[:, :ASKED]
    asked_keys, right = (np.take_along_axis(rows, asked, -1) for rows in (keys, values))
    told = np.concatenate([values, np.full((count, ASKED), VALUES)], -1)
    return [torch.tensor(each) for each in (np.concatenate([keys, asked_keys], -1), told, right)]


def losses(machines, keys, values, right):  # (machines, N, T) -> losses, 1 for a right answer and 0 for a wrong one: (machines, N · ASKED) each
    """What each machine's answers to the asked keys are worth."""
    logits, right = machines(keys, values)[:, :, -ASKED:].flatten(1, 2), right.flatten(1)
    return cross_entropy(logits.mT, right, reduction="none"), (logits.argmax(-1) == right).double()


def trained(name, seed, steps=STEPS, count=SEEDS):  # -> Machines
    """Machines of a kind, each trained on texts of its own, drawn anew for each step."""
    rng = np.random.default_rng(seed)
    with seeded(seed):
        machines = Machines(MACHINES[name], count)
    optimizer = torch.optim.Adam(machines.parameters(), LR, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / 50) * (1 - step / max(1, steps)))
    for _ in range(steps):
        batch = [rows.unflatten(0, (count, BATCH)) for rows in texts(rng.choice(PAIRS), count * BATCH, rng)]
        optimizer.zero_grad()
        losses(machines, *batch)[0].mean(1).sum().backward()  # the slope of a machine is that of its own loss
        optimizer.step()
        schedule.step()
    return machines


@torch.no_grad()
def examined(machines):  # -> losses, accuracies: (machines, PAIRS) each
    """The mean loss and the share of right answers, on the same new texts for every machine."""
    count, found = len(machines.key), []
    for n in PAIRS:
        batch = [rows.expand(count, *rows.shape) for rows in texts(n, TESTS, np.random.default_rng((n, 1)))]
        found.append([each.double().mean(1).tolist() for each in losses(machines, *batch)])
    return np.array(found).transpose(1, 2, 0)


def _run(name, seed, steps, count, threads):  # in a process of its own
    torch.set_num_threads(threads)
    return examined(trained(name, seed, steps, count))


def measure(seed=0, threads=1, steps=STEPS, count=SEEDS):  # -> JSON-able, for `python -m pencil record recall`
    """The loss and the accuracy of each machine at each number of pairs; a process for each kind."""
    with ProcessPoolExecutor(len(MACHINES)) as pool:
        runs = {name: pool.submit(_run, name, seed, steps, count, threads) for name in MACHINES}
        found = {name: run.result() for name, run in runs.items()}
    return {
        "pairs": list(PAIRS),
        "keys": KEYS,
        "values": VALUES,
        "asked": ASKED,
        "sizes": {"d_model": D_MODEL, "heads": HEADS, "width": WIDTH, "layers": len(MACHINES["state"])},
        "steps": steps,
        "n_parameters": {name: sum(each[0].numel() for each in Machines(ways).parameters()) for name, ways in MACHINES.items()},
        "loss": {name: as_recorded(each[0]) for name, each in found.items()},
        "accuracy": {name: as_recorded(each[1]) for name, each in found.items()},
    }
