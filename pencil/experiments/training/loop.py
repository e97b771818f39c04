"""The training loop, the one loop of every experiment: batch, loss, backward, AdamW step.

A task says what is learned. It has

    batches(seed, epoch, size)      the batches of an epoch, as arrays of indices: the same for the same seed and epoch
    loss(model, index, device)      the loss of these examples, summed
    eval_batches(size)              the batches of the validation set
    metrics(model, index, device)   {name: sum over these examples}, such as the number of right answers
"""

import math
from contextlib import ExitStack
from dataclasses import dataclass

import torch
from torch import nn

from pencil.experiments.training import checkpoint
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.device import place, precision, seeded_generators
from pencil.experiments.training.distributed import SINGLE_PROCESS
from pencil.experiments.training.identity import identity
from pencil.experiments.training.optimizer import build_optimizer
from pencil.experiments.training.progress import progress_bar


@dataclass(frozen=True)
class TrainingResult:
    """What came of a run: a row of metrics for each epoch, the best epoch (from 1), and the model's state after it."""

    history: tuple
    best_epoch: int
    best_state: dict

    def column(self, name):  # -> list
        """One metric of every epoch, such as "accuracy"."""
        return [row[name] for row in self.history]


class _Loss(nn.Module):
    """The task's loss as a module: what DistributedDataParallel wraps."""

    def __init__(self, model, task, device):
        super().__init__()
        self.model, self.task, self.device = model, task, device

    def forward(self, index):
        return self.task.loss(self.model, index, self.device)


@dataclass
class _Run:
    """One run of the loop: what its steps need, and its progress, which a checkpoint keeps."""

    model: nn.Module
    loss: nn.Module  # index -> the loss, of this process's examples
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
    """Train; the model keeps the weights of the last epoch. On a CPU the same seed and number of threads give the same numbers.

    Args:
        model: a module that lies anywhere; it is moved to the config's device.
        task: what is learned; see the head of this module.
        folder: where checkpoints are kept. A run that finds one there resumes from it, with the same result.
        group: the processes that train together.
        description: what the progress bar says.

    Raises ValueError for a checkpoint of another run, for a folder in which another run is at work, for a device that is not here or does
    not have such floats, for a `monitor` that is no metric of the task and for a loss or a `monitor` that is not finite.
    """
    device = place(model, config.device)
    optimizer = build_optimizer(model, config)
    with ExitStack() as during, seeded_generators(device, group.seed(config.seed)):  # each process has its own dropout masks
        if folder is not None:
            group.from_first(lambda: during.enter_context(checkpoint.hold(folder)))
        this = {} if folder is None else identity(model, task, config)
        state = None if folder is None else group.from_first(lambda: checkpoint.load(folder, this))
        progress = _new_progress() if state is None else checkpoint.restore(state, model, optimizer, group, config)
        loss = group.wrap(_Loss(model, task, device))
        group.check_replicas(model)
        run = _Run(model, loss, task, config, group, optimizer, progress, folder, description, this)
        while not _finished(progress, config):
            _one_epoch(run)
    return TrainingResult(tuple(progress["history"]), progress["best_epoch"], progress["best_state"])


def _new_progress():
    return {"epoch": 1, "step": 0, "loss": 0.0, "history": [], "best_epoch": 0, "best_score": 0.0, "best_state": {}}


def _finished(progress, config):  # all epochs are done, or early stopping
    epochs = progress["epoch"] - 1
    if epochs == config.epochs or epochs == 0:
        return epochs == config.epochs
    reached = config.stopping_threshold is not None and progress["best_score"] >= _score(config.stopping_threshold, config)
    return reached or (config.patience is not None and epochs - progress["best_epoch"] >= config.patience)


def _score(metric, config):  # higher is better
    return -metric if "loss" in config.monitor else metric


def _one_epoch(run):
    config, progress = run.config, run.progress
    epoch, losses = progress["epoch"], []
    batches = run.task.batches(config.seed, epoch, config.batch_size)
    with progress_bar(len(batches), progress["step"], f"{run.description} pass {epoch}".strip()) as bar:
        while progress["step"] < len(batches):
            for param_group in run.optimizer.param_groups:
                param_group["lr"] = config.lr_at((epoch - 1) * len(batches) + progress["step"], config.epochs * len(batches))
            losses.append(_step(run, batches[progress["step"]]))
            progress["step"] += 1
            bar.update()
            if run.folder is not None and config.save_every and progress["step"] % config.save_every == 0:
                _add_up(losses, progress)
                run.save()
    _add_up(losses, progress)
    metrics = evaluate(run.model, run.task, config, run.group)
    _end_epoch({"epoch": epoch, "loss": progress["loss"] / sum(len(batch) for batch in batches), **metrics}, run)
    if run.folder is not None:
        run.save()


def _add_up(losses, progress):  # reading each loss as it comes would make a GPU wait at every step
    for loss in torch.stack(losses).tolist() if losses else []:
        progress["loss"] += loss
    losses.clear()


def _step(run, batch):  # -> tensor (): the loss of the whole batch, summed
    run.model.train()
    run.optimizer.zero_grad(set_to_none=True)
    mine, weight = run.group.shard(batch), run.group.size  # the processes' gradients are averaged
    if not len(mine):  # a short last batch may leave a process without an example; the others wait for its gradient
        mine, weight = batch[:1], 0
    with precision(run.config.amp):
        loss = run.loss(mine)
    (loss * weight / len(batch)).backward()
    total = loss.detach().to(next(run.model.parameters()).dtype) * bool(weight)
    if run.config.grad_clip:
        torch.nn.utils.clip_grad_norm_(run.model.parameters(), run.config.grad_clip)
    run.optimizer.step()
    return run.group.all_reduce(total)


@torch.no_grad()
def evaluate(model, task, config=TrainingConfig(), group=SINGLE_PROCESS):  # -> {name of a metric: its mean over the validation set}
    """The metrics of a model on a task's validation set, in eval mode."""
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
    names = dict.fromkeys(name for each, _ in gathered for name in each)  # a small validation set may leave this process without an example
    return {name: sum(each.get(name, 0.0) for each, _ in gathered) / examples for name in names}


def _end_epoch(row, run):
    config, progress = run.config, run.progress
    if config.monitor not in row:
        raise ValueError(f"monitor={config.monitor!r} is no metric of this task; take one of {', '.join(name for name in row if name != 'epoch')}")
    for name in dict.fromkeys(["loss", config.monitor]):
        if not math.isfinite(row[name]):
            remedy = f"a smaller lr than {config.lr}, or grad_clip, may help"
            raise ValueError(f"{name} is {row[name]} in pass {row['epoch']}: {remedy}")
    progress["history"].append(row)
    score = _score(row[config.monitor], config)
    if progress["best_epoch"] == 0 or score > progress["best_score"]:
        state = {name: value.detach().clone() for name, value in run.model.state_dict().items()}
        progress |= {"best_epoch": row["epoch"], "best_score": score, "best_state": state}
    progress |= {"epoch": row["epoch"] + 1, "step": 0, "loss": 0.0}
