"""The page and the checker judge every claim alike: random conditions over random values, and each of their words."""

import random

import numpy as np
from node_runner import ask

from pencil.checker.claims import FUNCTIONS, JOINED, MEMBER, SIGNS, holds, read

ROWS = {"row": 3, "other.row": 3, "nolan.weights[ended]": 1, "half": 1, "06:grid": 4}
COUNT = 3000


def drawn_values(rng):
    """Values of the rows, many of them equal, zero or without end."""
    pool = (0, 1, 2, 0.5, -1, 0.333, 0.9995, 2.6745, -0.047, 54.598, 1e-12, float("inf"))
    return {name: [rng.choice(pool) if rng.random() < 0.6 else rng.uniform(-3, 3) for _ in range(n)] for name, n in ROWS.items()}


def drawn_term(rng, names):
    leaf = rng.choice([*names, *names, "0", "1", "2", "0.5", "−1", "0.9995"])
    exact = "exact " if leaf in ROWS and rng.random() < 0.2 else ""
    return "".join(f"{rng.choice([*FUNCTIONS])} " for _ in range(rng.choice((0, 0, 0, 1, 2)))) + exact + leaf


def drawn_comparison(rng):
    names = rng.choice((["row", "other.row", "nolan.weights[ended]", "half"], ["06:grid", "half"]))

    def side():
        return drawn_term(rng, names) + (f" {rng.choice([*JOINED])} {drawn_term(rng, names)}" if rng.random() < 0.4 else "")

    if rng.random() < 0.15:
        return f"{rng.choice(('ascending', 'descending'))} {side()}"
    text = side() + "".join(f" {rng.choice([*SIGNS, *SIGNS, *MEMBER])} {side()}" for _ in range(rng.choice((1, 1, 1, 2))))
    return f"{rng.choice(('', '', 'all ', 'none '))}{text}"


def test_random_claims_are_judged_alike(tmp_path):
    rng = random.Random(1)
    tried = []
    for _ in range(COUNT):
        claim = " and ".join(drawn_comparison(rng) for _ in range(rng.choice((1, 1, 2))))
        tried.append((claim, {"paper": drawn_values(rng), "exact": drawn_values(rng)}))
    (there,) = ask(tmp_path, [{"ask": "claims", "claims": [{"claim": claim, "values": values} for claim, values in tried]}])
    here = []
    for claim, values in tried:
        value_of = lambda term, values=values: np.array(values["exact" if term.exact else "paper"][term.leaf], float)  # noqa: E731
        with np.errstate(all="ignore"):
            here.append([holds(comparison, value_of) for comparison in read(claim)])
    assert [claim for (claim, _), ours, theirs in zip(tried, here, there, strict=True) if all(ours) != theirs] == []
    assert 0.1 < sum(there) / COUNT < 0.9
    said = " ".join(claim for claim, _ in tried)
    assert all(word in said for word in (*SIGNS, *MEMBER, *JOINED, *FUNCTIONS, "all ", "none ", "ascending", "descending", "exact "))
