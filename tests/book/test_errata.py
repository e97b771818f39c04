"""book/errata.md keeps its word: every entry has a proof, every proof is there, every declared digit is computed."""

import re
from pathlib import Path

import numpy as np
import pytest
from test_errata_arithmetic import pair, written

from pencil.rounding import show

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "book/errata.md").read_text(encoding="utf-8")
ENTRIES = [block for block in PAGE.split("\n\n") if re.search(r"^: ", block, re.M)]
TESTS = {name for path in HERE.glob("test_errata_*.py") for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)}
NAMED = set(re.findall(r"`(test_\w+)`", PAGE))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.split("\n")[0][:50])
def test_entry_has_what_is_said_what_is_right_and_a_proof(entry):
    parts = re.split(r"^: ", entry, flags=re.M)
    if "does not repeat it" in entry:  # a claim that is dropped needs no proof
        return
    assert len(parts) == 3, "an entry reads: what the text says, what is right, the proof"
    assert parts[2].startswith("*Proof:* ")


def test_every_named_test_is_there():
    assert not NAMED - TESTS


def test_every_test_is_named_on_the_page():
    assert not TESTS - NAMED


def test_slow_tests_are_marked_slow():
    slow = set(re.findall(r"^def (test_\w+)", (HERE / "test_errata_keras.py").read_text(encoding="utf-8"), re.M))
    assert slow == {name for line in PAGE.split("\n") if "slow: " in line for name in re.findall(r"`(test_\w+)`", line.split("slow: ")[1])}


def row(digits):
    return f"[{', '.join(digits)}]"


def test_declared_digits_are_the_computed_ones(declared):
    """No chapter has these values yet, so the page declares them, and here is what they must be."""
    block, masked = pair(), pair(mask=np.tri(2, dtype=bool))
    places = {  # declared as paper_NAME and exact_NAME
        "square": (block, "cat.norm2.square[3]"),
        "third": (block, "cat.norm2.square[2]"),
        "sum": (block, "cat.norm2.square_sum"),
        "average": (block, "sat.norm2.variance"),
        "worker_cat": (block, "cat.hidden[0]"),
        "worker_sat": (block, "sat.hidden[0]"),
        "cat": (block, "cat.out"),
        "sat": (block, "sat.out"),
        "masked": (masked, "cat.out"),
    }
    want = {}
    for name, (trace, reference) in places.items():
        value = trace.find(reference)
        for track, number in (("paper", value.paper), ("exact", value.exact)):
            want[f"{track}_{name}"] = row(written(number)) if np.ndim(number) else show(number)
    tamed = block.find("sat.norm2.normalized")
    want |= {"paper_tamed": row(written(tamed.paper[:2])), "exact_tamed": row(written(tamed.exact[:2]))}
    out, large = block.find("cat.out").exact, pair(eps=float(declared["right_large_eps"]))
    want |= {
        "right_middle": show(out.mean()),
        "right_distance": show(out.std()),
        "right_paper_score": show(block.find("cat.scores[sat]").paper),
        "right_plain": show(block.find("cat.norm1.normalized[0]").exact),
        "right_moved": show(large.find("cat.norm1.normalized[0]").exact),
        "right_large_eps": "0.001",  # asked of Keras in test_errata_keras
        "right_product": str((np.array([[3, 4], [7, 2], [5, 9]]) @ np.array([[3, 1, 5], [6, 9, 7]])).tolist()),
        "right_one_hot": str(np.eye(3, dtype=int)[0].tolist()),
        "right_other_hot": str(np.eye(3, dtype=int)[2].tolist()),
    }
    want |= dict(zip(("right_near", "right_far", "right_back"), (show(distance(gap, 4)) for gap in (1, 3, 6)), strict=True))
    width = int(declared["right_wide"])
    want |= {"right_wide": "512", "right_gap": str(next(g for g in range(100) if distance(g + 1, width) < distance(g, width)))}
    assert {name: text for name, text in declared.items() if not name.startswith(("said_", "name_"))} == want


def distance(gap, width):  # between the stamps of seat 0 and seat `gap`
    turns = np.outer([0, gap], 1 / 10_000 ** (2 * np.arange(width // 2) / width))
    first, second = np.hstack([np.sin(turns), np.cos(turns)])
    return np.linalg.norm(second - first)
