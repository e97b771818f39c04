"""How many different worksheets the seeds give, and how often each mistake can be told from all the others."""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from pencil.exercises.answers import read
from pencil.exercises.dealing import fits
from pencil.exercises.nearby import HERE
from pencil.exercises.topics import TOPICS
from pencil.exercises.worksheet import Worksheet

SEEDS = dict.fromkeys(TOPICS, 10_000) | {"backward": 1_000, "block": 1_000}  # of which each takes by far the longest
LOT = 20  # seeds that a process deals in a row


def measure(seeds=SEEDS, also=None):  # {topic: how many} -> JSON-able, for `python -m pencil record worksheets`
    """The worksheets of so many seeds from 0 on, of each topic. `also` is called with each of them.

    Many are dealt on all cores; with `also`, in this process.
    """
    if also or max(seeds.values()) < LOT:
        return {topic: total([count(topic, range(many), also)]) for topic, many in seeds.items()}
    with ProcessPoolExecutor() as pool:
        counted = {topic: [pool.submit(count, topic, lot) for lot in _lots(many)] for topic, many in seeds.items()}
        return {topic: total([lot.result() for lot in done]) for topic, done in counted.items()}


def _lots(many):  # -> the seeds, as ranges
    return [range(first, min(first + LOT, many)) for first in range(0, many, LOT)]


def total(counted):  # what count gave for each lot -> {"valid": valid ones, "different": distinct ones, "mistakes": {mistake: {"met", "told"}}}
    """The lots of one topic together."""
    valid, different, met, told = zip(*counted, strict=True)
    met, told = sum(met, Counter()), sum(told, Counter())
    mistakes = {key: {"met": met[key], "told": told[key]} for key in sorted(met)}
    return {"valid": sum(valid), "different": len(set().union(*different)), "mistakes": mistakes}


def count(topic, seeds, also=None):  # -> how many are valid, the numbers of each, how often each mistake was met, and told apart
    """The worksheets of some seeds, on one topic."""
    valid, different, met, told = 0, set(), Counter(), Counter()
    for seed in seeds:
        worksheet = Worksheet(topic, seed)
        if also:
            also(worksheet)
        valid += fits(worksheet.trace)
        different.add(tuple(x for name in worksheet.topic.givens for x in worksheet.trace.names[name].exact.ravel().tolist()))
        for (asked, key), is_apart in told_apart(worksheet).items():
            mistake = f"{worksheet.trace.find(asked).array.name} {key}"
            met[mistake] += 1
            told[mistake] += is_apart
    return valid, different, met, told


def told_apart(worksheet):  # Worksheet -> {(what is asked, mistake): bool}
    """For every mistake that the worksheet knows: does it give neither the right answer nor that of another mistake?"""
    apart = {}
    for asked in worksheet.asks:
        exercise = worksheet.exercise(asked, far=False)
        mistakes = {key: numbers for key, (numbers, _) in exercise.wrong.items() if not key.startswith(HERE)}
        for key, numbers in mistakes.items():
            typed = read(list(numbers.exact))
            meant = [other for other, same in mistakes.items() if same.is_meant(typed)]
            apart[asked, key] = meant == [key] and not exercise.right.is_meant(typed)
    return apart
