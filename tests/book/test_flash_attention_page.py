"""The bills of chapter 18, recounted by hand, and its roofline."""

from collections import OrderedDict
from itertools import product

import numpy as np
import pytest

from pencil.experiments import records
from pencil.paths import ROOT
from pencil.publish import Published

WIDTH, QUERIES, KEYS = 4, 8, 4  # of a row; of a tile


@pytest.fixture(scope="module")
def found():
    page = Published.read(ROOT / "notebooks/18_flash_attention.ipynb")
    return lambda name: np.asarray(page.find(name).exact).tolist()


def test_the_square_costs_what_passes_between_three_programs(found):
    for k, words in enumerate(found("bill_words")):
        rows, square = words * WIDTH, words * words
        scores, shares, mix = (2 * rows, square), (square, square), (square + rows, rows)  # numbers that each reads and writes
        read, written = (sum(each) for each in zip(scores, shares, mix, strict=True))
        assert [found(f"square_{what}")[k] for what in ("reads", "writes", "sums")] == [read, written, 2 * square * WIDTH]


def numbers(name, rows, columns=(0,)):
    return [*product([name], rows, columns)]


def algorithm_1(words, width, queries, keys):  # -> [(numbers that are computed, numbers that they need)]
    """The tiles of Dao et al. (2022), algorithm 1, a line of it at a time; whoever divides by the sum does so once, at the end."""
    steps, d = [], range(width)
    for q in (range(start, start + queries) for start in range(0, words, queries)):
        query, greatest, total, out = (numbers(name, q, columns) for name, columns in (("query", d), ("m", [0]), ("l", [0]), ("o", d)))
        for j, k in enumerate(range(start, start + keys) for start in range(0, words, keys)):
            score, scaled, less, p = (numbers(f"{name}{j}", q, k) for name in ("score", "scaled", "less", "p"))
            top, now, away, factor, rest, here, sums = (numbers(f"{name}{j}", q) for name in ("top", "m", "away", "factor", "rest", "here", "l"))
            mix, old, new = (numbers(f"{name}{j}", q, d) for name in ("mix", "old", "o"))
            steps += [(score, query + numbers("key", k, d)), (scaled, score), (top, scaled)]
            steps += [(now, greatest + top)] if j else []
            now = now if j else top
            steps += [(less, scaled + now), (p, less), (here, p), (mix, p + numbers("value", k, d))]
            if j:
                steps += [(away, greatest + now), (factor, away), (rest, factor + total), (sums, rest + here), (old, factor + out), (new, old + mix)]
            greatest, total, out = now, sums if j else here, new if j else mix
        log = numbers("log", q)
        steps += [(numbers("context", q, d), out + total), (log, total), (numbers("logsumexp", q), greatest + log)]
    return steps


def traffic(steps, room):  # -> numbers that are read, numbers that are written
    """What passes where a fast memory has that room: when it is full, the number that has been unused the longest goes."""
    last = {number: k for k, (_, needed) in enumerate(steps) for number in needed}
    held, reads, writes = OrderedDict(), 0, 0  # number: whether slow memory lacks it
    for k, (made, needed) in enumerate(steps):
        for number in needed + made:
            reads += number not in held and number not in made
            held[number] = held.pop(number, number in made)
            if len(held) > room:
                writes += held.popitem(last=False)[1]
        for number in needed:
            if last[number] == k:  # nobody needs it any more
                held.pop(number, None)
    return reads, writes + sum(held.values())


def test_a_memory_of_the_tests_own_counts_the_same_for_the_tiles(found):
    for k, words in enumerate(found("bill_words")):
        counted = traffic(algorithm_1(int(words), WIDTH, QUERIES, KEYS), found("bill_room"))
        assert counted == (found("tile_reads")[k], found("tile_writes")[k])
    assert found("reads_saved") == pytest.approx(found("square_reads")[-1] / found("tile_reads")[-1])


def test_that_memory_counts_the_same_growth(found):
    cases = (16, 8, 256), (32, 8, 256), (16, 16, 256), (32, 8, 512)  # words, width, room
    reads = [traffic(algorithm_1(words, width, room // (8 * width), 2), room)[0] for words, width, room in cases]
    assert found("grown") == pytest.approx([reads[1] / reads[0], reads[2] / reads[0], reads[3] / reads[1]])


def test_the_points_of_the_roofline_are_from_the_record(found):
    card = records.read("flash_kernel_cuda")
    words, times = card["lengths"][-1], card["bfloat16"]["seconds"]
    operations = 4 * card["heads"] * card["width"] * words**2  # scores and mix, a multiplication and an addition each
    for way in ("square", "kernel", "sdpa"):
        assert found(f"{way}_per_second") == pytest.approx(operations / times[way][-1] / 1e12)
        assert found(f"{way}_per_second") < min(found("peak"), found("carried_peak") * found(f"{'square' if way == 'square' else 'tiles'}_per_byte"))
    rows, square = (card["heads"] * words * each for each in (card["width"], words))
    assert found("square_per_byte") == pytest.approx(operations / (2 * (4 * rows + 4 * square)))  # four of each are carried, two bytes each
    assert found("ridge") == pytest.approx(found("peak") / found("carried_peak"))
