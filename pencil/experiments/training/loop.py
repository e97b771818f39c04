"""The training loop of every experiment: batch, loss, backward, AdamW step.

It trains a model on a task, which has the methods

    batches(seed, epoch, size)      the batches of an epoch as a list of index arrays, deterministic in seed and epoch
    loss(model, index, device)      the loss, summed over these examples
    eval_batches(size)              the batches of the validation set
    metrics(model, index, device)   {name: sum over these examples}, such as the number of correct predictions
"""

import math
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from pencil.experiments.training import checkpoint
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.device import place, precision, seeded_generators
from pencil.experiments.training.distributed import SINGLE_PROCESS
from pencil.experiments.training.identity import identity_of
from pencil.experiments.training.optimizer import build_optimizer
from pencil.experiments.training.progress import log_pass, progress_bar
from pencil.paths import user_path
from pencil.rounding import show

EVERY = 10  # steps between two losses that the progress bar shows: reading one from a GPU synchronizes it


@dataclass(frozen=True)
class TrainingResult:
    """The result of a run: a dict of metrics for each epoch, the best epoch (from 1), and the state dict after it."""

    history: tuple
    best_epoch: int
    best_state: dict

    def column(self, name):  # -> list
        """One metric over the epochs, such as "accuracy"."""
        return [row[name] for row in self.history]


class _Loss(nn.Module):
    """The task's loss as a module, because DistributedDataParallel wraps a module."""

    def __init__(self, model, task, device):
        super().__init__()
        self.model, self.task, self.device = model, task, device

    def forward(self, index):
        return self.task.loss(self.model, index, self.device)


@dataclass
class _Run:
    """The state of one run; a checkpoint stores its progress."""

    model: nn.Module
    loss: nn.Module  # index -> loss, summed over this process's examples
    task: object
    config: TrainingConfig
    group: object
    optimizer: torch.optim.Optimizer
    progress: dict
    folder: object
    description: str
    identity: dict

    def save(self):
        self.group.check_replicas(self.model)
        state = checkpoint.capture(self.model, self.optimizer, self.group, self.progress, self.config, self.identity)
        if self.group.rank == 0:
            checkpoint.save(self.folder, state)


def train(model, task, config=TrainingConfig(), folder=None, group=SINGLE_PROCESS, description=""):  # -> TrainingResult
    """Train a model in place; afterwards it has the weights of the last epoch. On a CPU the run is deterministic for a fixed number of threads.

    Args:
        model: a module on any device; it is moved to the config's device.
        task: an object with the interface described at the top of this module. It must not change during training:
            a checkpoint holds a fingerprint of all that it holds (see identity.py), and a run resumes only with a task of the same one.
        folder: for checkpoints; None saves none. If it holds a checkpoint of this run, training resumes from it.
        group: the process group, for data parallelism.
        description: the label of the progress bar and of the lines in a log; without one there are no lines.

    Raises ValueError for a checkpoint of a different run, a folder that another run has locked, an unavailable device or dtype, a `monitor`
    that the task does not report, a loss, metric, weight or moment of a gradient that is not finite, a task without examples, fewer epochs than
    the checkpoint has, and processes that do not have the same run.
    """
    device, folder = place(model, config.device), None if folder is None else user_path(folder)
    _refuse_empty("validation", task.eval_batches(config.batch_size))  # before training, and not after its first epoch
    group.check_identities(lambda: identity_of(model, task, config))
    optimizer = build_optimizer(model, config)
    with ExitStack() as locks, seeded_generators(device, group.seed(config.seed)):  # each process has its own dropout masks
        if folder is not None:
            group.from_first(lambda: locks.enter_context(checkpoint.locked(folder)))
        run_identity = {} if folder is None else identity_of(model, task, config)
        state = None if folder is None else group.from_first(lambda: checkpoint.load(folder, run_identity))
        progress = _new_progress() if state is None else checkpoint.restore(state, model, optimizer, group, config)
        _check_progress(progress, config)
        loss = group.wrap(_Loss(model, task, device))
        group.check_replicas(model)
        run = _Run(model, loss, task, config, group, optimizer, progress, folder, description, run_identity)
        while not _finished(progress, config):
            _one_epoch(run)
    return TrainingResult(tuple(progress["history"]), progress["best_epoch"], progress["best_state"])


def _new_progress():
    return {"epoch": 1, "step": 0, "loss": 0.0, "history": [], "best_epoch": 0, "best_score": 0.0, "best_state": {}}


def _refuse_empty(name, batches):
    if not sum(len(batch) for batch in batches):
        raise ValueError(f"the {name} set is empty: the mean over its examples would be 0/0; give it at least one")


def _check_progress(progress, config):
    """Raise ValueError for progress that no run can have made, and for more epochs than the run is to have."""
    new = _new_progress()
    whole = isinstance(progress, dict) and progress.keys() == new.keys() and all(type(progress[name]) is type(new[name]) for name in new)
    epochs = progress["epoch"] - 1 if whole else -1
    if not (whole and len(progress["history"]) == epochs and 0 <= progress["best_epoch"] <= epochs and progress["step"] >= 0):
        raise ValueError(f"the progress in the checkpoint is none that a run makes; {checkpoint.REMEDY}")
    if epochs + (progress["step"] > 0) > config.epochs:
        raise ValueError(f"the checkpoint is in epoch {epochs + 1}, and epochs={config.epochs}; give it {epochs} or more, or take another folder")


def _finished(progress, config):  # -> whether all epochs are done, or training stops early
    epochs = progress["epoch"] - 1
    if epochs == config.epochs or epochs == 0:
        return epochs == config.epochs
    reached = config.stopping_threshold is not None and progress["best_score"] >= _score(config.stopping_threshold, config)
    return reached or (config.patience is not None and epochs - progress["best_epoch"] >= config.patience)


def _score(metric, config):  # the monitored metric, negated if it is a loss: higher is better
    return -metric if "loss" in config.monitor else metric


def _one_epoch(run):
    config, progress = run.config, run.progress
    epoch, losses = progress["epoch"], []
    batches = run.task.batches(config.seed, epoch, config.batch_size)
    _refuse_empty("training", batches)
    with progress_bar(len(batches), progress["step"], f"{run.description} pass {epoch} of {config.epochs}".strip()) as bar:
        while progress["step"] < len(batches):
            for param_group in run.optimizer.param_groups:
                param_group["lr"] = config.lr_at((epoch - 1) * len(batches) + progress["step"], config.epochs * len(batches))
            batch = batches[progress["step"]]
            losses.append(_step(run, batch))
            progress["step"] += 1
            bar.update()
            if not bar.disable and progress["step"] % EVERY == 0:
                bar.set_postfix(loss=show(losses[-1].item() / len(batch)))
            if run.folder is not None and config.save_every and progress["step"] % config.save_every == 0:
                _add_up(losses, run)
                run.save()
    _add_up(losses, run)
    metrics = evaluate(run.model, run.task, config, run.group)
    _end_epoch({"epoch": epoch, "loss": progress["loss"] / sum(len(batch) for batch in batches), **metrics}, run)
    if run.description and run.group.rank == 0:
        log_pass(run.description, epoch, config.epochs, progress["history"][-1])
    if run.folder is not None:
        run.save()


def _add_up(losses, run):  # many losses at once: reading a loss from a GPU synchronizes it; before each save, and at each epoch's end
    for loss in torch.stack(losses).tolist() if losses else []:
        run.progress["loss"] += loss
    losses.clear()
    _refuse_not_finite("loss", run.progress["loss"], run)
    _refuse_not_finite_state(run)


def _refuse_not_finite(name, metric, run):
    if not math.isfinite(metric):
        remedy = f"a smaller lr than {run.config.lr}, or grad_clip, may help"
        raise ValueError(f"{name} is {metric} in pass {run.progress['epoch']}: {remedy}")


def _refuse_not_finite_state(run):
    """Raise ValueError for a weight, or a moment of the optimizer, that is not finite: a gradient that is NaN shows there, and in no loss."""
    learned = {f"the weight {name}": parameter for name, parameter in run.model.named_parameters()}
    for name, parameter in run.model.named_parameters():
        learned |= {f"{moment} of {name}": value for moment, value in run.optimizer.state.get(parameter, {}).items() if value.is_floating_point()}
    finite = torch.stack([value.isfinite().all().to(run.config.device) for value in learned.values()]).tolist()  # read at once
    if not all(finite):
        name, value = list(learned.items())[finite.index(False)]
        _refuse_not_finite(name, value[~value.isfinite()][0].item(), run)


def _step(run, batch):  # -> tensor (), the loss summed over the batch of all processes
    run.model.train()
    run.optimizer.zero_grad(set_to_none=True)
    total = 0.0
    shard = run.group.shard(batch)
    for part in np.array_split(shard, min(run.config.accumulate, max(len(shard), 1))):  # gradients add up over the parts
        with precision(run.config.amp):
            loss = run.loss(part if len(part) else batch[:1])
        weight = run.group.size if len(part) else 0  # times size, because gradients are averaged over the processes
        (loss * weight / len(batch)).backward()  # an empty part of a short last batch contributes a gradient of zero
        total = total + loss.detach().to(next(run.model.parameters()).dtype) * bool(weight)
    if run.config.grad_clip:
        torch.nn.utils.clip_grad_norm_(run.model.parameters(), run.config.grad_clip)
    run.optimizer.step()
    return run.group.all_reduce(total)


@torch.no_grad()
def evaluate(model, task, config=TrainingConfig(), group=SINGLE_PROCESS):  # -> {metric: float}
    """The mean of each metric over the task's validation set, in eval mode."""
    model.eval()
    total, count = {}, 0
    for batch in task.eval_batches(4 * config.batch_size):
        mine = group.shard(batch)
        count += len(mine)
        if len(mine):
            with precision(config.amp):
                metrics = task.metrics(model, mine, torch.device(config.device))
            total = {name: total.get(name, 0.0) + float(metric) for name, metric in metrics.items()}
    gathered = group.all_gather((total, count))
    examples = sum(count for _, count in gathered)
    names = dict.fromkeys(name for each, _ in gathered for name in each)  # this process may have had no example
    return {name: sum(each.get(name, 0.0) for each, _ in gathered) / examples for name in names}


def _end_epoch(row, run):
    config, progress = run.config, run.progress
    if config.monitor not in row:
        raise ValueError(f"monitor={config.monitor!r} is no metric of this task; take one of {', '.join(name for name in row if name != 'epoch')}")
    for name, metric in row.items():
        _refuse_not_finite(name, metric, run)
    progress["history"].append(row)
    score = _score(row[config.monitor], config)
    if progress["best_epoch"] == 0 or score > progress["best_score"]:
        state = {name: value.detach().clone() for name, value in run.model.state_dict().items()}
        progress |= {"best_epoch": row["epoch"], "best_score": score, "best_state": state}
    progress |= {"epoch": row["epoch"] + 1, "step": 0, "loss": 0.0}
