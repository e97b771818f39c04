"""The contest on real reviews, for the record: each machine in each setting from several seeds, and the baselines beside them.

Every run is a job of a queue, so a long record can be broken off and gone on with. `measure` does all that is left;
`collect` puts together what is done.
"""

from dataclasses import dataclass
from functools import cache
from time import process_time

import torch

from pencil.labs import contest
from pencil.labs.baselines import baselines
from pencil.labs.queue import done, scratch, work
from pencil.labs.reach import full_rows, reach
from pencil.labs.records import as_recorded
from pencil.labs.sheets import Sheets, Slots
from pencil.labs.sparse import pair_ids
from pencil.labs.sticks import cosines
from pencil.labs.training import Training

SEEDS = (0, 1, 2)


@dataclass(frozen=True)
class Setting:
    """What the machines are given: the slots, and whether the padding is masked."""

    slots: int = 100
    keep: str = "first"
    masked: bool = True

    name = property(lambda self: f"{self.keep}-{self.slots}-{'masked' if self.masked else 'bare'}")


LAST = Setting(keep="last")
SETTINGS = (Setting(), LAST, Setting(masked=False), Setting(keep="last", masked=False), Setting(slots=400))  # the most important first
RIVALS = {Setting(): (False,), LAST: (False,), Setting(slots=400): (False, True)}  # with pairs of words, or not


def jobs(source="full", seed=0, settings=SETTINGS, seeds=SEEDS, training=Training()):  # -> {key: function}
    """Everything that is measured, in order; `seed` is added to each run's."""
    made = {}
    for setting in settings:
        for number in seeds:
            for name in contest.MACHINES:
                run = number + seed
                made[f"{setting.name}-{name}-{run}"] = lambda s=setting, n=name, r=run: one_run(source, s, n, r, training)
        for pairs in RIVALS.get(setting, ()):
            made[f"{setting.name}-baselines{'-pairs' * pairs}"] = lambda s=setting, p=pairs: rival(source, s, p)
    return made


@cache
def _piles(source, slots, keep):
    from pencil.data.reviews import load

    return contest.piles(load(source), Slots(slots=slots, keep=keep))


def one_run(source, setting, name, seed, training=Training()):  # -> JSON-able
    """One machine from one seed: its curve, its marks, its sticks, its slopes and the time that the processor took."""
    piles, training = _piles(source, setting.slots, setting.keep), Training(**(vars(training) | {"seed": seed}))
    new = contest.machine(name, piles.words.rows, seed, setting.masked)
    before = cosines(new.table.detach().numpy(), piles.words)
    start = process_time()
    result, model = contest.enter(name, piles, training, setting.masked)
    took = process_time() - start
    after = cosines(model.table.detach().cpu().numpy(), piles.words)
    slopes = {"new": reach(new, full_rows(piles.choose)), "trained": reach(model, full_rows(piles.choose))}
    curve = {name: as_recorded([row[name] for row in result.history]) for name in ("loss", "accuracy", "exam_loss")}
    marks = {"last": result.last, "best": result.best, "short": result.short, "chosen": result.chosen}
    sticks = {pair: as_recorded([before[pair], after[pair]]) for pair in before}
    told = {"slots": setting.slots, "keep": setting.keep, "masked": setting.masked, "machine": name, "seed": seed}
    slopes = {when: list(map(float, row)) for when, row in slopes.items()}  # they may be far smaller than what settles
    return told | marks | curve | {"sticks": sticks, "slopes": slopes, "cpu_seconds": as_recorded(took), "threads": torch.get_num_threads()}


def rival(source, setting, pairs):  # -> JSON-able
    """The baselines in one setting; with `pairs`, two words side by side count as a word as well."""
    piles = _piles(source, setting.slots, setting.keep)
    sheets, width = [piles.learn, piles.choose, piles.sealed], piles.words.rows
    if pairs:
        ids, width = pair_ids([each.ids for each in sheets], width)
        sheets = [Sheets(made, each.labels) for made, each in zip(ids, sheets, strict=True)]
    return {"slots": setting.slots, "keep": setting.keep, "pairs": pairs, "features": width, "marks": baselines(*sheets, width)}


def collect(found, source="full"):  # {key: result} -> the record
    """The runs and the baselines that are done; slopes are kept of the source's own setting alone."""
    first = SETTINGS[0]
    runs = [result for result in found.values() if "machine" in result]
    for run in runs:
        if (run["slots"], run["keep"], run["masked"]) != (first.slots, first.keep, first.masked):
            del run["slopes"]
    return {"source": source, "runs": runs, "baselines": [result for result in found.values() if "marks" in result]}


def measure(seed=0, threads=1, only_done=False, source="full", settings=SETTINGS):  # -> JSON-able, for `python -m pencil record contest`
    """Do what is left (or nothing more), then put together what is done."""
    torch.set_num_threads(threads)
    todo, folder = jobs(source, seed, settings), scratch(f"contest-{source}")
    if not only_done:
        work(todo, folder)
    return collect(done(todo, folder), source)
