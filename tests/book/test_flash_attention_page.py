"""The bills of chapter 18, recounted by hand, and its roofline."""

import numpy as np
import pytest

from pencil.experiments import records
from pencil.paths import ROOT
from pencil.publish import Published

WIDTH, QUERIES = 4, 8  # of a row; of a tile


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


def test_the_tiles_read_keys_and_values_once_for_each_group_of_queries(found):
    for k, words in enumerate(found("bill_words")):
        rows = words * WIDTH
        most = rows + 2 * rows * words // QUERIES
        least = 0.9 * most if 2 * rows >= found("bill_room") else 3 * rows  # a group may find tiles of the one before it in fast memory
        assert least <= found("tile_reads")[k] <= most
        assert found("tile_writes")[k] == rows + words  # contexts and logsumexps
    assert found("reads_saved") == pytest.approx(found("square_reads")[-1] / found("tile_reads")[-1])


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
