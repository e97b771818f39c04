"""Python and JavaScript format all numbers alike: difficult ones, and over 100,000 of all sizes in the slow tests."""

import itertools
import math

import pytest
from hard_numbers import awkward, drawn
from node_runner import ask

from pencil.rounding import as_given, is_whole, round_half_up, settle, show

WRITES = {
    "show": show,
    "given": lambda x, **_: as_given(x),
    "whole": lambda x, **options: show(x, whole=True, **options),
    "isWhole": lambda x, **_: bool(is_whole(x)),
    "paper": round_half_up,
    "settled": lambda x, **_: float(settle(x)) + 0.0 if math.isfinite(x) else x,
}


def compare(folder, numbers, kinds=tuple(WRITES), **options):
    """Raises AssertionError for the first number that is written another way in Node."""
    parts = [numbers[start : start + 5000] for start in range(0, len(numbers), 5000)]
    answers = ask(folder, [{"ask": "written", "numbers": part, **options} for part in parts])
    for x, found in zip(numbers, itertools.chain.from_iterable(answers), strict=True):
        for kind in kinds:
            here, there = WRITES[kind](x, **options), found[kind]
            if isinstance(here, float):
                here, there = repr(here), repr(float(there))  # −0 is not 0 so, and NaN is NaN
            assert there == here, (x, options, kind)


@pytest.mark.parametrize("count", [16_000, pytest.param(104_000, marks=pytest.mark.slow)])
def test_the_same_digits_for_many_numbers(tmp_path, count):
    numbers = drawn(count)
    assert len(numbers) == count
    compare(tmp_path, numbers, ("show", "given"))


def test_everything_that_is_written_of_awkward_numbers(tmp_path):
    numbers = [sign * x for x in awkward() for sign in (1, -1)]
    assert len(numbers) > 5000
    compare(tmp_path, numbers + drawn(2_000, seed=3))


PAGES = [(3, None), (6, None), (1, None), (0, 4), (2, 6), (3, 2), (4, 5), (6, 9), (7, 12), (8, None), (10, 12), (12, None), (5, 1)]


@pytest.mark.parametrize("places, figures", PAGES)
def test_the_same_digits_at_other_places_and_figures(tmp_path, places, figures):
    compare(tmp_path, [*awkward()][::8] + drawn(800, seed=2), ("show", "paper"), places=places, figures=figures)
