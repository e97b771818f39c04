"""How alike two sticks are: the cosine of the angle between them, and who stands nearest."""

import numpy as np

from pencil.reference.checks import check_numbers, check_rows, check_split, numbers
from pencil.trace.notes import exact, under


def cosine(a, b, note=exact):  # (n, d) (m, d) -> (n, m)
    """Dot product over the product of the lengths: 1 for one direction, 0 at right angles, −1 for opposite ones.

    Source: torch.nn.functional.cosine_similarity. Raises ValueError for two widths, and for a stick of length 0, which points nowhere.
    """
    check_numbers(a=a, b=b)
    check_rows(a=a, b=b)
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"sticks of {a.shape[-1]} and of {b.shape[-1]} numbers have no angle between them; give both one width")
    dot = note("dot", a @ b.T)
    product = note("length_product", length(a, under(note, "left")) * length(b, under(note, "right")).T)
    return note("cosine", dot / product)


def length(x, note=exact):  # (n, d) -> (n, 1)
    """Square, add, take the root. Raises ValueError for a row of zeros: it has no direction."""
    if (zero := np.flatnonzero(~numbers(x).any(-1))).size:
        raise ValueError(f"row {zero[0]} is all zeros: it points nowhere, and has no angle with anything; leave it out")
    square_sum = note("square_sum", (x * x).sum(-1, keepdims=True))
    return note("length", np.sqrt(square_sum))


def nearest(stick, words, table, count=5, without=()):  # (d,) n words (n, d) -> list of (word, cosine)
    """The `count` words whose sticks have the greatest cosine with this one, best first; `without` leaves words out.

    Source: Mikolov et al. 2013. Raises ValueError for a table with another number of rows than words, for a word in `without` that it has not, and
    for a `without` that is one word and no list of them.
    """
    check_numbers(stick=stick)
    check_split(without)
    if len(words) != len(table):
        raise ValueError(f"{len(words)} words and {len(table)} sticks; give each word one stick")
    if unknown := sorted(set(without) - set(words)):
        raise ValueError(f"{unknown[0]!r} has no stick here, so it cannot be left out; take it off the list")
    closeness = cosine(stick[None, :], table)[0]
    order = (i for i in np.argsort(-closeness, kind="stable") if words[i] not in without)
    return [(words[i], float(closeness[i])) for i, _ in zip(order, range(count), strict=False)]
