"""The search for the setting that wins: trials, each judged by the validation pile; then one exam.

Every trial learns from the same four fifths of the study pile and is marked on the last fifth. The best one learns
anew, from the whole study pile, for as many passes as that pile chose; then the sealed pile is opened, once.
"""

from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from time import perf_counter, process_time

import numpy as np
import torch

from pencil.labs.contest import SOURCE, Piles, piles
from pencil.labs.loop import train
from pencil.labs.pair_reader import PairReader
from pencil.labs.queue import done, scratch, work
from pencil.labs.reading import Reading, answers
from pencil.labs.records import as_recorded
from pencil.labs.sheets import Sheets, Slots
from pencil.labs.sparse import known_pairs
from pencil.labs.training import Training
from pencil.model.config import Config

SLOTS = Slots(words=20_000, slots=400, keep="last")


@dataclass(frozen=True)
class Trial:
    """One setting: who looks at whom, how often a pair of words must stand in the study pile to have a stick of its own
    (None: no pair has), dropout, the slots, how it is trained, and whether the blocks add nothing at first."""

    name: str
    look: str = "none"
    least: int | None = 3
    dropout: float = 0.1
    slots: Slots = SLOTS
    training: Training = Training()
    silent: bool = False


EASY = Training(passes=4, rate=5e-3, eps=1e-6)  # with a larger eps dials that are seldom asked take smaller steps
HELD = replace(EASY, passes=3, decay=1.0, fall=True)  # and all are drawn towards zero
TRIALS = (
    Trial("words", least=None, training=Training(passes=3)),
    Trial("pairs", training=Training(passes=4)),
    Trial("larger eps", training=EASY),
    Trial("decay", training=HELD),
    Trial("more decay", dropout=0.3, training=replace(HELD, decay=3.0)),
    Trial("much larger eps", training=replace(EASY, passes=3, rate=2e-2, eps=1e-5)),
    Trial("more slots", slots=replace(SLOTS, slots=800), training=HELD),
    Trial("both", slots=replace(SLOTS, slots=800), training=replace(HELD, decay=1.7)),
    Trial("the summary asks", look="summary", least=5, dropout=0.5, training=replace(EASY, rate=2e-3)),
    Trial("the summary asks, held", look="summary", dropout=0.5, training=replace(HELD, passes=2, rate=2e-3, decay=3.0)),
    Trial("every word asks", look="words", least=5, dropout=0.3, training=replace(HELD, passes=2, rate=2e-3)),
    Trial("silent, the summary", look="summary", slots=replace(SLOTS, slots=800), training=HELD, silent=True),
    Trial("silent, every word", look="words", slots=replace(SLOTS, slots=800), training=HELD, silent=True),
    Trial("silent, more decay", look="summary", dropout=0.3, slots=replace(SLOTS, slots=800), training=replace(HELD, decay=2.0), silent=True),
)


def reader(trial, words, learn, seed):  # Trial, Dictionary, Sheets -> PairReader at its first numbers
    """The machine of a trial, as wide as the contest's; it knows the pairs of the pile that it learns from."""
    sizes = Config(d_model=SOURCE.d_model, n_heads=SOURCE.n_heads, d_ff=2 * SOURCE.d_model, hidden=SOURCE.hidden, rows=words.rows)
    known = None if trial.least is None else known_pairs(learn.ids, words.rows, trial.least)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return PairReader(sizes, known, trial.look, dropout=trial.dropout, silent=trial.silent)


def attempt(trial, piles, seed=0):  # Trial, Piles -> JSON-able
    """Learn, and be marked on the validation pile after each pass; the sealed pile is not touched."""
    model = reader(trial, piles.words, piles.learn, seed)
    trained, seconds = _taught(model, Reading(piles.learn, piles.choose), trial, seed, trial.training.passes)
    curve = {name: as_recorded(trained.column(name)) for name in ("loss", "accuracy", "exam_loss")}
    return {"setting": asdict(trial), "seed": seed, "dials": _dials(model), "chosen": trained.best} | curve | seconds


def exam(trial, piles, passes, seed=0):  # Trial, Piles, count -> JSON-able
    """Learn from the whole study pile for so many passes, and sit the exam."""
    study = Sheets(*(np.concatenate([getattr(part, name) for part in (piles.learn, piles.choose)]) for name in ("ids", "labels")))
    model = reader(trial, piles.words, study, seed)
    _, seconds = _taught(model, Reading(study, piles.choose), trial, seed, passes)
    right = answers(model, piles.sealed) == (piles.sealed.labels > 0)
    return {"trial": trial.name, "seed": seed, "dials": _dials(model), "passes": passes, "sealed": float(right.mean())} | seconds


def _taught(model, lesson, trial, seed, passes):  # -> Trained, seconds on the clock and of the processor
    training = Training(**(vars(trial.training) | {"seed": seed, "passes": passes}))
    clock, processor = perf_counter(), process_time()
    trained = train(model, lesson, training, says=trial.name)
    return trained, {"seconds": as_recorded(perf_counter() - clock), "cpu_seconds": as_recorded(process_time() - processor)}


def _dials(model):
    return sum(dial.numel() for dial in model.parameters())


def best(found):  # {name: attempt} -> the name of the best at its chosen pass
    """What the validation pile says."""
    return max(found, key=lambda name: max(found[name]["accuracy"]))


@cache
def _piles(source, slots) -> Piles:
    from pencil.data.reviews import load

    return piles(load(source), slots)


def _key(trial, *numbers):  # a changed setting is another job
    return "-".join([trial.name, sha256(repr(trial).encode()).hexdigest()[:8], *map(str, numbers)])


def measure(seed=0, threads=2, source="full", trials=TRIALS):  # -> JSON-able, for `python -m pencil record winning`
    """Every trial that is not done, then the exam of the best, once."""
    torch.set_num_threads(threads)
    folder, known = scratch(f"winning-{source}"), {trial.name: trial for trial in trials}
    todo = {_key(trial, seed): lambda t=trial: attempt(t, _piles(source, t.slots), seed) for trial in trials}
    work(todo, folder)
    found = {result["setting"]["name"]: result for result in done(todo, folder).values()}
    chosen = known[best(found)]
    passes = found[chosen.name]["chosen"]
    sat = {f"exam-{_key(chosen, passes, seed)}": lambda: exam(chosen, _piles(source, chosen.slots), passes, seed)}
    work(sat, folder)
    return {"source": source, "trials": list(found.values()), "exam": done(sat, folder).popitem()[1], "threads": threads}
