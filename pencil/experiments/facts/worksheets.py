"""Statistics of generated worksheets: how many are distinct, and how often each mistake can be told from all others."""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from pencil.exercises.exercise import CATALOGUE
from pencil.exercises.generation import is_valid
from pencil.exercises.marker import meanings
from pencil.exercises.topics import TOPICS
from pencil.exercises.worksheet import Worksheet

SEEDS = dict.fromkeys(TOPICS, 10_000) | {"backward": 1_000, "block": 1_000}  # the slowest topics get fewer
CHUNK = 20  # seeds per task of the process pool


def measure(seeds=SEEDS, also=None):  # {topic: how many} -> JSON-able, for `python -m pencil record worksheets`
    """Statistics of the worksheets with the seeds 0, 1, …; `also` is called with each worksheet, and keeps the work in this process."""
    if also or max(seeds.values()) < CHUNK:
        return {topic: total([count(topic, range(many), also)]) for topic, many in seeds.items()}
    with ProcessPoolExecutor() as pool:
        counted = {topic: [pool.submit(count, topic, chunk) for chunk in _chunks(many)] for topic, many in seeds.items()}
        return {topic: total([chunk.result() for chunk in done]) for topic, done in counted.items()}


def _chunks(many):  # -> list of ranges
    return [range(first, min(first + CHUNK, many)) for first in range(0, many, CHUNK)]


def total(counted):  # results of `count` -> {"valid": int, "different": int, "mistakes": {mistake: {"met", "told"}}}
    """Combine the counts of one topic."""
    valid, different, met, told = zip(*counted, strict=True)
    met, told = sum(met, Counter()), sum(told, Counter())
    mistakes = {key: {"met": met[key], "told": told[key]} for key in sorted(met)}
    return {"valid": sum(valid), "different": len(set().union(*different)), "mistakes": mistakes}


def count(topic, seeds, also=None):  # -> int, set of inputs, {mistake: occurrences}, {mistake: how often told apart}
    """Count the valid worksheets of some seeds of one topic, their distinct inputs, and their mistakes."""
    valid, different, met, told = 0, set(), Counter(), Counter()
    for seed in seeds:
        worksheet = Worksheet(topic, seed)
        if also:
            also(worksheet)
        valid += is_valid(worksheet.trace)
        different.add(tuple(x for name in worksheet.topic.givens for x in worksheet.trace.names[name].exact.ravel().tolist()))
        for (asked, key), is_apart in told_apart(worksheet).items():
            mistake = f"{worksheet.trace.find(asked).array.name} {key}"
            met[mistake] += 1
            told[mistake] += is_apart
    return valid, different, met, told


def told_apart(worksheet):  # Worksheet -> {(reference asked for, mistake): bool}
    """For every known mistake, whether its answer is neither the right one nor that of another mistake."""
    apart = {}
    for asked in worksheet.asks:
        exercise = worksheet.exercise(asked, far=False)
        for mistake in exercise.mistakes:
            if mistake.kind == CATALOGUE:
                apart[asked, mistake.key] = meanings(exercise, list(mistake.numbers.exact)) == [mistake.key]
    return apart
