"""book/errata.md: every entry has a test, every named test exists, and every declared digit is computed."""

import re
from pathlib import Path

import numpy as np
import pytest
from errata_runs import pair

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


def test_declared_digits_are_the_computed_ones(declared):
    """No chapter has these values, so the page declares them, and here is what they must be. The others are bound to a chapter's."""
    large = pair(eps=float(declared["right_large_eps"]))
    want = {
        "right_moved": show(large.find("cat.norm1.normalized[0]").exact),
        "right_large_eps": "0.001",  # asked of Keras in test_errata_keras
        "right_one_hot": str(np.eye(3, dtype=int)[0].tolist()),
        "right_other_hot": str(np.eye(3, dtype=int)[2].tolist()),
    }
    assert {name: text for name, text in declared.items() if not name.startswith(("said_", "name_"))} == want
