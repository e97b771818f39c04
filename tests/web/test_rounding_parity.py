"""Python and JavaScript format all numbers alike: difficult ones, and over 100,000 of all sizes in the slow tests."""

import itertools
import math
import sys

import numpy as np
import pytest
from node_runner import ask

from pencil.rounding import as_given, is_whole, round_half_up, settle, show

TIES = (0.9995, 0.0005, 54.595, 54.605, 2.6745, 1.0005, 0.0785, 10.005, 100.25, 1000.5, 9.9995, 99.995, 999.95, 9999.5)
WALLS = (1e-300, 5e-324, sys.float_info.min, sys.float_info.max, 1e9, 1e12, 1e15, 1e16, 1e20, 1e21, 1e22, 2.0**53, 999999999.5, 5e-11)


def around(numbers, reach=3):
    """Each number with its nearest neighbours among the floats."""
    for x in numbers:
        yield x
        for far in (0.0, math.inf):
            y = x
            for _ in range(reach):
                y = math.nextafter(y, far)
                yield y


def awkward():
    powers = [float(f"{digit}e{n}") for n in range(-20, 30) for digit in ("1", "5", "9.995", "9.9995", "9.99949999999995", "9.9999999999995")]
    halves = [(n + 0.5) / 10**p for p in (0, 1, 2, 3, 9, 10, 11) for n in (0, 1, 2, 49, 50, 499, 999, 9999, 12345)]
    dyadic = [n + k / 2**p for n in (0, 1, 9, 99, 4095, 123456) for p in (1, 3, 10, 11, 12, 20, 34) for k in (1, 3)]
    yield from (0.0, math.inf, math.nan)
    yield from around([*TIES, *WALLS, *powers, *halves, *dyadic])


def drawn(count, seed=1):
    """Random floats of every size, and near-ties such as arithmetic makes them."""
    rng = np.random.default_rng(seed)
    share = count // 8
    bits = rng.integers(0, 2**63, share).view(np.float64)
    short = rng.integers(-99999, 99999, share)
    figures = rng.integers(10**11, 10**12, share) + 0.5
    return np.concatenate([
        np.nan_to_num(bits, nan=0.1),
        rng.normal(size=share),
        rng.uniform(-1, 1, share) * 10.0 ** rng.integers(-12, 24, share),
        short / 2000,  # every multiple of 0.0005
        short / 2 * 10.0 ** rng.integers(-6, 6, share),
        figures * 10.0 ** rng.integers(-20, 6, share),  # a tie of the twelfth digit
        short / 1000 * rng.integers(1, 999, share) / 1000,
        np.nextafter(short / 2000, rng.choice([-np.inf, np.inf], share)),
    ]).tolist()  # fmt: skip


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
