"""How a reader may spell one answer: right, cut short, spoilt, or no answer at all."""

import numpy as np

from pencil.rounding import show


def _listed(text):  # those that stand between bars
    return text.split(" | ")


NO_NUMBERS = ["", "a" * 60, *_listed(", ; | seven | NaN | <script> | 1/0 | exp | -inf 0.5")]
NUMBERS = _listed(
    "2,8 | √2 | √2 √ 2 | 0 √2 | 3 √2 | 1 / √2 | −√2/2 | - 1 | 1e3 | 1.5e-3 | ３ | 1 000 | 0,5 0,25 | ½ | ½ ½ | 2½ | sqrt(2) | sqrt 2, 0 | 0.982. | "
    "~0.5 | 24 . | 1½ | 1 1/2 | 1 1/2 and 3 | 1-3-2 | 1-3-5-2-4-6 | 2 1/2, −1 3/4 | 10,001 | 0,953 | 1,2,3 | 0011 | "
    "00 11 | 01 1 | 0.57 per cent | 50 percent | [[5,5],[5,5]] | w1=0,269, w2 = 0.731 | ≈26.9 %, ≈ 73.1 % | 5 5 5 5 | −0,579 | 83.0 | "
    "e | −e, 1/e | 1 e | e/3.718"
)
WORDS = _listed(
    "twenty-four | Twenty  dials each. | minus three, one half | half each | two thirds; a third | −2 and a half | "
    "one and one half | nought | ½ cat | 0,5 ten | 26,9 % 73,1 % | minus 2 | minus 2 minus 3 | 5 and 2 | 20 million | "
    "about .4 a letter | seven dials"
)
UNITS = _listed(
    "24 dials | 24dials | 800kB | 800 kb | 800KB, 3 | 7kbit | 7 Mbps | 16 TB | 8 kilobytes | 8 GB | 8 GiB | 8 gib | 8 bytes | "
    "3pi | 3 pi | 2ln | 5ee | 5 inf | 5 pieces | 6 logs | 9 keys | 4 mobs | 24  dials  each | 24 m² | 24 dials. | 4x | 5 tokens and 2 tokens | "
    "−0.056, up | 5 5, because both weights are equal"
)
NAMES = _listed("cat 24 | he at: 10, 9 | t 8, h: 3, at 9 | e: 2 x: 3 | e 2 x 3 | the 2, cat 1, mat 1")
SUMS = _listed(
    "1+2+3 | 2^3 | ln(2) | tanh(2) | 1/(1+e^-4) | e^1 e^4 | 2 · 3 | 2 − 1 | 4 x 10 | 0.944 - 1 | sin 2 cos 2 | ln 2 exp(1) | exp(1), exp(4)"
)
SENTENCE = "I do not know how this works because nolan listens more to ended than to itself and to somebody else altogether"


def ways_to_write(numbers, rng, rows=()):  # Numbers, random generator, names of its rows -> texts
    """One answer in many forms."""
    exact = list(numbers.exact)
    yield from spelt(numbers.paper, exact)
    yield from by_rows(numbers.paper, exact, rows)
    yield from spoilt(exact, rng)
    yield from (*NO_NUMBERS, *NUMBERS, *WORDS, *UNITS, *NAMES, *SUMS, SENTENCE)


def spelt(paper, exact):
    """What is right, or cut short, in brackets, with commas, in per cent."""
    yield " ".join(show(x) for x in paper)
    yield "[" + ", ".join(repr(x) for x in exact) + "]"
    yield from ("; ".join(f"{x:.{places}f}" for x in exact) for places in (0, 1, 2))
    yield " ".join(f"{x:,.3f}" for x in exact)
    yield from (f"{exact[0]:,.0f}".replace(",", mark) for mark in " '.")
    yield "[[" + "], [".join(f"{x:.3f}" for x in exact) + "]]"
    yield ", ".join(f"{100 * x:.1f} %" for x in exact)
    yield from (f"{between} ".join(f"{x:.3f}".replace(".", ",") for x in exact) for between in " ,;")
    yield "".join(f"{abs(x):.0f}" for x in exact)


def by_rows(paper, exact, rows):
    """Rows that are called by their names, one alone, in the other order, or added up."""
    if not rows or len(exact) % len(rows):
        return
    each = np.reshape([show(x) for x in paper], (len(rows), -1))
    named = [f"{word} {' '.join(part)}" for word, part in zip(rows, each, strict=True)]
    yield from (" ".join(named), ", ".join(named[::-1]), "; ".join(named).replace(" ", ": ", 1), named[0], "and " + " ".join(named))
    yield " ".join(" ".join(part) for part in each[::-1])
    yield " ".join(repr(float(x)) for x in np.sum(np.reshape(exact, (len(rows), -1)), 0))


def spoilt(exact, rng):
    """A little off, too few, halved, upside down, by the point, one move further, or any numbers at all."""
    yield ", ".join(repr(x * 1.01) for x in exact)
    yield ", ".join(repr(x) for x in exact[:-1])
    yield " ".join(repr(x) for x in exact if x)
    yield " ".join(f"{x / 2!r} {x / 2!r}" for x in exact)
    yield from (repr(exact[0]), repr(sum(exact)))
    yield " ".join(f"{np.trunc(100 * x) / 100:.2f}" for x in exact)
    yield " ".join(repr(1 / x) if x else "0" for x in exact)
    yield from (" ".join(repr(by * x) for x in exact) for by in (10, 100))
    moves = (np.square, lambda x: 1 - x, lambda x: np.sqrt(np.abs(x)), lambda x: np.exp(np.minimum(x, 5)), lambda x: np.log(np.abs(x) + 1e-9))
    yield from (" ".join(f"{x:.4f}" for x in move(np.array(exact))) for move in moves)
    yield ", ".join(repr(x) for x in rng.normal(size=len(exact)).tolist())
    yield " ".join(f"{int(n)}/{int(d)}" for n, d in rng.integers(1, 9, (len(exact), 2)))
