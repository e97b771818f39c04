"""The kata's sheets, counted: how many different ones the seeds deal, and how often each mistake is told from all the others."""

from collections import Counter

from pencil.kata.answers import read
from pencil.kata.deal import fits
from pencil.kata.sheet import Sheet
from pencil.kata.topics import TOPICS

SEEDS = 10_000


def measure(seeds=SEEDS, topics=tuple(TOPICS), also=lambda sheet: None):  # -> result
    """The sheets of the seeds from 0 on, of every topic. `also` is shown each of them."""
    return {topic: count(topic, range(seeds), also) for topic in topics}


def count(topic, seeds, also):  # -> {sheets that keep the rules, different ones, {mistake: how often it is met, and told apart}}
    """What the sheets of some seeds come to, on one topic."""
    kept, different, met, told = 0, set(), Counter(), Counter()
    for seed in seeds:
        sheet = Sheet(topic, seed)
        also(sheet)
        kept += fits(sheet.trace)
        different.add(tuple(x for name in sheet.topic.givens for x in sheet.trace.names[name].exact.ravel().tolist()))
        for (asked, key), is_apart in told_apart(sheet).items():
            mistake = f"{sheet.trace.find(asked).array.name} {key}"
            met[mistake] += 1
            told[mistake] += is_apart
    return {"sheets": kept, "different": len(different), "mistakes": {key: {"met": met[key], "told": told[key]} for key in sorted(met)}}


def told_apart(sheet):  # Sheet -> {(what is asked, wrong turn): bool}
    """Of every wrong turn that the sheet knows: is what it gives neither right nor what another gives?"""
    apart = {}
    for asked in sheet.asks:
        exercise = sheet.exercise(asked)
        for key, (numbers, _) in exercise.wrong.items():
            typed = read(list(numbers.exact))
            meant = [other for other, (same, _) in exercise.wrong.items() if same.is_meant(typed)]
            apart[asked, key] = meant == [key] and not exercise.right.is_meant(typed)
    return apart
