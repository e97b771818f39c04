"""Changed inputs of a lab: they are kept across variants, unknown names are refused, and invalid labs are refused."""

import numpy as np
import pytest

from pencil import examples
from pencil.trace import Trace
from pencil.widgets import (
    AttentionLab,
    Choice,
    Lab,
    Part,
    SoftmaxLab,
    Variant,
    one_step,
)
from pencil.worked import Worked


def test_numbers_go_along_from_variant_to_variant_and_come_back():
    lab = AttentionLab()
    lab.variant = 2
    lab.givens = lab.givens | {"embedding": [[9, 1, 1, 0], [0, 1, 2, 1], [7, 7, 7, 7]]}
    lab.variant = 0
    assert lab.givens["embedding"] == [[9, 1, 1, 0]]
    lab.variant = 2
    assert lab.givens["embedding"][2] == [7, 7, 7, 7]
    lab.givens = {}
    assert lab.givens["embedding"] == examples.LAB_ROWS[:3].tolist()


def test_refusals_name_what_is_there():
    lab = SoftmaxLab()
    for numbers, said in (
        ({"score": [1, 2]}, "there are scores, temperature"),
        ({"scores": [1]}, r"shape \(2,\)"),
        ({"scores": [1, np.nan]}, "finite"),
        ({"temperature": -1}, "A temperature is above zero"),
        ({"temperature": 0}, "A temperature is above zero"),
    ):
        with pytest.raises(ValueError, match=said):
            lab.givens = numbers
    with pytest.raises(ValueError, match="from 0 to 4"):
        lab.variant = 5
    with pytest.raises(ValueError, match="from 0 to 0"):
        lab.step = 1
    assert lab.givens == SoftmaxLab().givens


def test_a_lab_of_your_own_has_to_fit_together():
    def run(name, value):
        trace = Trace()
        trace("twice", trace.given(name, value) * 2)
        return Variant(Worked(trace), one_step("Double", Part("lines", "twice")))

    assert Lab([run("x", [1.0])]).worked.lines("twice") == ["twice = 1·2 = 2"]
    with pytest.raises(ValueError, match="1 variants for choices that make 2"):
        Lab([run("x", [1])], [Choice("Which", ("one", "two"))])
    with pytest.raises(ValueError, match="cannot go along"):
        Lab([run("x", [[1, 2]]), run("x", [[1, 2, 3]])], [Choice("Which", ("one", "two"))])
    with pytest.raises(ValueError, match="cannot go along"):
        Lab([run("step", [1])])
