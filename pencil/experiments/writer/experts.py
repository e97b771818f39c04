"""Tiny GPTs with a mixture of eight experts, two per token, against dense ones of equal compute and of equal parameters (chapter 19).

All have Llama's blocks and the same width, depth, training and seeds. The mixtures differ in load balancing: none, an auxiliary loss,
or a bias of the router.
"""

from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
import torch

from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import train
from pencil.experiments.training.optimizer import build_optimizer
from pencil.experiments.writer.text_task import TextTask, loss_by_position
from pencil.experiments.writer.tiny_gpt import SHARED, make_splits
from pencil.model.config import Config
from pencil.model.experts import Router
from pencil.model.module import seeded, state_arrays
from pencil.model.transformers import Decoder
from pencil.reference.experts import Routing
from pencil.reference.networks import feed_forward

EXPERTS, AT_WORK, UNITS = 8, 2, 64  # experts of a block, active experts per token, hidden units of an expert
LOSS_FACTOR, BIAS_RATE = 0.01, 0.001  # Switch (Fedus et al. 2021); Wang et al. 2024
LENGTH, STEPS, SEEDS, ROUNDS = 64, 1000, 3, 15
IDLE = 0.1  # an expert with less than this fraction of the uniform load is idle
MIXED = Config.llama(48, 4, n_layers=2, tie_embeddings=True, d_ff=UNITS, n_experts=EXPERTS, feed_forward=Routing(k=AT_WORK))
DENSE = replace(MIXED, n_experts=None, feed_forward=feed_forward)
TRAINING = TrainingConfig(epochs=1, batch_size=16, lr=3e-3, **SHARED)
PLANS = {  # name in the record: config, load balancing
    "equal work": (replace(DENSE, d_ff=AT_WORK * UNITS), None),
    "equal parameters": (replace(DENSE, d_ff=EXPERTS * UNITS), None),
    "experts": (MIXED, None),
    "with a loss": (MIXED, "loss"),
    "with a bias": (MIXED, "bias"),
}


@dataclass(frozen=True)
class BalancedTask(TextTask):
    """Next-token prediction with load balancing by an auxiliary loss ("loss"), by the routers' biases ("bias"), or none (None)."""

    balance: str | None = None

    def loss(self, model, index, device):
        """The loss per token, plus the balancing losses if there are any, summed over the windows."""
        with routed(model) as seen:
            loss = super().loss(model, index, device)
        if self.balance == "loss":
            loss = loss + LOSS_FACTOR * len(index) * sum(balancing_loss(probs, chosen) for _, probs, chosen in seen)
        if self.balance == "bias":
            for router, probs, chosen in seen:
                counts = chosen.flatten().bincount(minlength=probs.shape[-1]).float()
                router.bias += BIAS_RATE * (counts.mean() - counts).sign()
        return loss


@contextmanager
def routed(model):  # -> list of (router, probabilities, chosen experts)
    """A context manager that records the outputs of a model's routers at each forward pass."""
    seen, routers = [], [module for module in model.modules() if isinstance(module, Router)]
    hooks = [one.register_forward_hook(lambda router, _, out: seen.append((router, out[0], out[1]))) for one in routers]
    try:
        yield seen
    finally:
        for hook in hooks:
            hook.remove()


def balancing_loss(probs, chosen):  # (..., E), (..., k) -> tensor ()
    """`pencil.reference.load_balancing_loss` in torch, differentiable."""
    n_experts = probs.shape[-1]
    fraction = chosen.flatten().bincount(minlength=n_experts) / chosen.numel()
    return n_experts * (fraction * probs.flatten(0, -2).mean(0)).sum()


def build_writer(name, vocab_size, seed=0):  # -> Decoder, untrained
    """A new decoder of this plan."""
    config, _ = PLANS[name]
    with seeded(seed):
        return Decoder(replace(config, vocab_size=vocab_size))


def count_parameters(name, vocab_size):  # -> int, int
    """The number of parameters of a plan, and how many of them are active for a token."""
    arrays = state_arrays(build_writer(name, vocab_size))
    held = {key: array.size for key, array in arrays.items() if not key.endswith("router_bias")}
    experts = sum(size for key, size in held.items() if arrays[key].ndim == 3)
    return sum(held.values()), sum(held.values()) - experts + experts * AT_WORK // EXPERTS


@torch.no_grad()
def load(writer, ids, size=64):  # -> (blocks, experts) as nested lists
    """The load of each expert on a text: its fraction of all choices."""
    rows = torch.from_numpy(ids[: len(ids) // LENGTH * LENGTH].astype(np.int64)).reshape(-1, LENGTH)
    with routed(writer.eval()) as seen:
        for part in rows.split(size):
            writer(part)
    blocks = len(writer.stack.blocks)
    counts = [sum(chosen.flatten().bincount(minlength=EXPERTS) for _, _, chosen in seen[k::blocks]) for k in range(blocks)] if seen else []
    return [(one / one.sum()).tolist() for one in counts]


def run_seed(name, train_ids, test_ids, vocab_size, seed, steps=STEPS):  # -> test loss, load
    """Train one model, and evaluate it on the test text in non-overlapping windows."""
    writer, training, balance = build_writer(name, vocab_size, seed), replace(TRAINING, seed=seed), PLANS[name][1]
    task = BalancedTask(train_ids, test_ids, LENGTH, windows=steps * training.batch_size, balance=balance)
    train(writer, task, training, description=f"{name} {seed}")
    return float(loss_by_position(writer, test_ids, LENGTH).mean()), load(writer, test_ids)


def step_times(train_ids, vocab_size, rounds=ROUNDS):  # -> {name: milliseconds}
    """The median time of a training step of each plan, in interleaved rounds."""
    task, step = TextTask(train_ids, train_ids, LENGTH), {}
    for name in PLANS:
        writer = build_writer(name, vocab_size)
        step[name] = writer, build_optimizer(writer, TRAINING), BalancedTask(train_ids, train_ids, LENGTH, balance=PLANS[name][1])
    index = task.batches(0, 1, TRAINING.batch_size)[0]
    found = [[_milliseconds(*one, index) for one in step.values()] for _ in range(rounds + 1)]  # the first is a warm-up
    return dict(zip(PLANS, as_recorded(np.median(found[1:], 0)), strict=True))


def _milliseconds(writer, optimizer, task, index):
    start = perf_counter()
    optimizer.zero_grad()
    (task.loss(writer, index, torch.device("cpu")) / len(index)).backward()
    optimizer.step()
    return (perf_counter() - start) * 1e3


def measure(seed=0, threads=1, seeds=SEEDS, steps=STEPS, source="full"):  # -> JSON-able, for `record experts`
    """For each plan the test losses, the time of a training step, the numbers of parameters, and the load of the experts."""
    from pencil.data.text import load as load_text

    torch.set_num_threads(threads)
    _, train_ids, test_ids = splits = make_splits(load_text(source))
    vocab_size = len(splits[0].pieces)
    times = step_times(train_ids, vocab_size)
    runs = {name: [run_seed(name, train_ids, test_ids, vocab_size, seed + k, steps) for k in range(seeds)] for name in PLANS}
    mixed = [name for name, plan in PLANS.items() if plan[0] is MIXED]
    return {
        "steps": steps,
        "length": LENGTH,
        "sizes": {"width": MIXED.d_model, "blocks": MIXED.n_layers, "experts": EXPERTS, "at_work": AT_WORK, "units": UNITS},
        "n_parameters": {name: count_parameters(name, vocab_size) for name in PLANS},
        "milliseconds": times,
        "loss": {name: as_recorded([loss for loss, _ in runs[name]]) for name in PLANS},
        "load": {name: as_recorded([loads for _, loads in runs[name]]) for name in mixed},
        "idle": {name: as_recorded([np.mean(np.array(loads) < IDLE / EXPERTS) for _, loads in runs[name]]) for name in mixed},
        "busiest": {name: as_recorded([np.max(loads) * EXPERTS for _, loads in runs[name]]) for name in mixed},
    }
