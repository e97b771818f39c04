"""The training loop: hand in a batch, measure the miss, send it back, let Adam step. The one loop of every lab.

A lesson says what is learned. It has

    batches(seed, number, size)   the batches of a pass, as rows of indices: the same for the same seed and number
    loss(model, index, device)    the misses of these texts, added up
    exam(size)                    the batches of the validation pile
    marks(model, index, device)   {name: sum over these texts}, such as the count of right answers
"""

from dataclasses import dataclass

import torch

from pencil.labs import checkpoint
from pencil.labs.bar import bar_of
from pencil.labs.device import device_of, precision
from pencil.labs.team import ALONE
from pencil.labs.training import Training


@dataclass(frozen=True)
class Trained:
    """What came of a run: a row a pass, the best pass by the exam, and the dials as they were after it."""

    history: tuple
    best: int
    best_weights: dict

    def column(self, name):  # -> list
        """One number of each pass, such as "accuracy"."""
        return [row[name] for row in self.history]


def train(model, lesson, setting=Training(), folder=None, team=ALONE, says=""):  # -> Trained; the model keeps the dials of the last pass
    """Train. On a CPU the same seed and count of threads give the same numbers.

    With a `folder` the run leaves checkpoints there and, where it finds one, goes on from it to the numbers it
    would have had. Raises ValueError for a checkpoint of another run, for a device that is not here and for a
    mark to watch that the exam does not give.
    """
    device = device_of(setting.device)
    model.to(device)
    optimiser = torch.optim.AdamW(model.parameters(), lr=setting.rate, eps=setting.eps, weight_decay=setting.decay, fused=device.type != "mps")
    with torch.random.fork_rng(devices=[torch.cuda.current_device()] if device.type == "cuda" else []):
        torch.manual_seed(setting.seed + team.rank)  # each process drops out numbers of its own
        state = None if folder is None else checkpoint.load(folder, setting)
        progress = _begin() if state is None else checkpoint.put_back(state, model, optimiser, team, setting)
        while not _over(progress, setting):
            _one_pass(model, lesson, setting, optimiser, team, progress, folder, says)
    return Trained(tuple(progress["history"]), progress["best"], progress["best_weights"])


def _begin():
    return {"number": 1, "step": 0, "loss": 0.0, "history": [], "best": 0, "best_mark": 0.0, "best_weights": {}}


def _over(progress, setting):  # early stop: no better for long, or good enough
    passes = progress["number"] - 1
    if passes == setting.passes or passes == 0:
        return passes == setting.passes
    enough = setting.enough is not None and progress["best_mark"] >= _height(setting.enough, setting)
    return enough or (setting.patience is not None and passes - progress["best"] >= setting.patience)


def _height(mark, setting):  # a loss is the better, the lower
    return -mark if "loss" in setting.watch else mark


def _one_pass(model, lesson, setting, optimiser, team, progress, folder, says):
    number, missed = progress["number"], []
    batches = lesson.batches(setting.seed, number, setting.batch)
    with bar_of(len(batches), progress["step"], f"{says} pass {number}".strip()) as bar:
        while progress["step"] < len(batches):
            for group in optimiser.param_groups:
                group["lr"] = setting.rate_at((number - 1) * len(batches) + progress["step"], setting.passes * len(batches))
            missed.append(_step(model, lesson, setting, optimiser, team, batches[progress["step"]]))
            progress["step"] += 1
            bar.update()
            if folder is not None and setting.save_every and progress["step"] % setting.save_every == 0:
                _count(missed, progress)
                _save(folder, model, optimiser, team, progress, setting)
    _count(missed, progress)
    marks = examine(model, lesson, setting, team)
    row = {"pass": number, "loss": progress["loss"] / sum(len(batch) for batch in batches), **marks}
    _enter(row, model, setting, progress)
    if folder is not None:
        _save(folder, model, optimiser, team, progress, setting)


def _count(missed, progress):  # what is read at every step would make a GPU wait at every step
    for loss in torch.stack(missed).tolist() if missed else []:
        progress["loss"] += loss
    missed.clear()


def _step(model, lesson, setting, optimiser, team, batch):  # -> tensor (): the misses of the whole batch, added up
    model.train()
    optimiser.zero_grad(set_to_none=True)
    mine, device = team.share(batch), torch.device(setting.device)
    missed = torch.zeros((), device=device, dtype=next(model.parameters()).dtype)
    if len(mine):  # a short last batch may leave a process without a text
        with precision(setting.mixed):
            loss = lesson.loss(model, mine, device)
        (loss / len(batch)).backward()
        missed = loss.detach().to(missed.dtype).clone()
    team.add_slopes(model.parameters())
    if setting.clip:
        torch.nn.utils.clip_grad_norm_(model.parameters(), setting.clip)
    optimiser.step()
    return team.add(missed)


@torch.no_grad()
def examine(model, lesson, setting=Training(), team=ALONE):  # -> {name of a mark: mean over the exam's texts}
    """The marks of a machine in a lesson's exam; nothing drops out."""
    model.eval()
    total, count = {}, 0
    for batch in lesson.exam(4 * setting.batch):
        mine = team.share(batch)
        count += len(mine)
        if len(mine):
            with precision(setting.mixed):
                marks = lesson.marks(model, mine, torch.device(setting.device))
            total = {name: total.get(name, 0.0) + float(mark) for name, mark in marks.items()}
    everybody = team.gather((total, count))
    texts = sum(count for _, count in everybody)
    names = dict.fromkeys(name for each, _ in everybody for name in each)  # a short exam may leave this process without a text
    return {name: sum(each.get(name, 0.0) for each, _ in everybody) / texts for name in names}


def _enter(row, model, setting, progress):
    if setting.watch not in row:
        raise ValueError(f"watch={setting.watch!r} is no mark of this exam; take one of {', '.join(name for name in row if name != 'pass')}")
    progress["history"].append(row)
    mark = _height(row[setting.watch], setting)
    if progress["best"] == 0 or mark > progress["best_mark"]:
        weights = {name: value.detach().clone() for name, value in model.state_dict().items()}
        progress |= {"best": row["pass"], "best_mark": mark, "best_weights": weights}
    progress |= {"number": row["pass"] + 1, "step": 0, "loss": 0.0}


def _save(folder, model, optimiser, team, progress, setting):
    state = checkpoint.state_of(model, optimiser, team, progress, setting)
    if team.rank == 0:
        checkpoint.save(folder, state)
