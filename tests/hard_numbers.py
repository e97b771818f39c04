"""Numbers that are hard to round: ties, their neighbours among the floats, and many of all sizes."""

import math
import sys

import numpy as np

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
    share = count // 10
    bits = rng.integers(0, 2**63, share).view(np.float64)
    short = rng.integers(-99999, 99999, share)
    figures = rng.integers(10**11, 10**12, share) + 0.5
    ties = ((10 ** rng.uniform(0, 11, share)).astype(int) + 0.5) / 10.0 ** rng.integers(0, 7, share)
    return np.concatenate([
        np.nan_to_num(bits, nan=0.1),
        rng.normal(size=share),
        rng.uniform(-1, 1, share) * 10.0 ** rng.integers(-12, 24, share),
        short / 2000,  # every multiple of 0.0005
        short / 2 * 10.0 ** rng.integers(-6, 6, share),
        figures * 10.0 ** rng.integers(-20, 6, share),  # a tie of the twelfth digit
        short / 1000 * rng.integers(1, 999, share) / 1000,
        np.nextafter(short / 2000, rng.choice([-np.inf, np.inf], share)),
        ties + 6e-11 * rng.uniform(-1, 1, share),  # settling to ten decimals makes most of them ties again
        ties + 6e-12 * ties * rng.uniform(-1, 1, share),  # and so does settling to twelve digits
    ]).tolist()  # fmt: skip
