"""A run in number formats: what is rounded, where the output first differs, and the same programs in torch's dtypes, bit for bit."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from pencil.formats import FORMATS
from pencil.reference import attention
from pencil.trace import Trace
from pencil.worked import Worked

sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[1] / "web"))

from engine_programs import MANY
from format_numbers import DTYPES
from format_programs import Plain, equal, in_torch


def attention_run():
    trace = Trace()
    words = ["cat", "sat"]
    query, key = trace.given("query", [[2.3, 0]], words=words[:1]), trace.given("key", [[1, 1.7], [1.5, 0]], words=words)
    attention(query, key, trace.given("value", [[1, 2], [0, 4.1]], words=words), note=trace)
    return trace


@pytest.mark.parametrize("name", FORMATS)
def test_givens_and_notes_are_rounded_and_nothing_between(name):
    trace, form = attention_run(), FORMATS[name]
    reading = trace.in_format(name)
    q, k, v = (form.nearest(trace.names[n].exact) for n in ("query", "key", "value"))
    scores = form.nearest(q @ k.T)
    scaled = form.nearest(scores / 2**0.5)  # √2 stands in the code
    raised = form.nearest(np.exp(scaled))
    weights = form.nearest(raised / form.nearest(raised.sum(-1, keepdims=True)))
    for said, here in {"query": q, "scores": scores, "scaled": scaled, "exp": raised, "weights": weights}.items():
        assert (reading[said] == here.squeeze()).all(), said
    assert (reading["value"] == v).all() and reading["cat.scores[sat]"] == scores[0, 1]


def test_where_the_answer_first_changes():
    trace = attention_run()
    change = trace.in_format("bf16").first_change()
    assert str(change) == "query[cat, 0] is 2.300, and 2.297 in bf16" and (change.name, change.index) == ("query", (0, 0))
    assert trace.find(change.reference).exact == 2.3
    assert str(trace.in_format("fp16").first_change()) == "query[cat, 0] is 2.300, and 2.301 in fp16"
    easy = Trace()
    easy("out", easy.given("x", [1, 2]) * 3)
    assert easy.in_format("fp8_e4m3").first_change() is None
    assert str(easy.in_format("fp8_e5m2").first_change() or "") == ""


def test_a_scale_of_ones_own():
    trace = attention_run()
    assert trace.in_format("int8", scale=0.5)["key"].tolist() == [[1, 1.5], [1.5, 0]]  # 1.7 is 3.4 halves
    with pytest.raises(ValueError, match=r"scale=0.5 is for int8, int4 and nf4; bf16 has exponents of its own: leave it out"):
        trace.in_format("bf16", scale=0.5)


@pytest.mark.parametrize("scale", [0, -1.0, float("nan"), float("inf"), 1e300])
def test_what_is_no_scale_is_refused(scale):
    with pytest.raises(ValueError, match=re.escape(f"scale={scale} is no scale")):
        attention_run().in_format("int8", scale=scale)


def test_a_change_is_told_in_the_digits_of_the_trace():
    trace = Trace(places=6)
    trace("y", trace.given("x", [1.0]) / 7)
    assert str(trace.in_format("bf16").first_change()) == "y[0] is 0.1429, and 0.1426 in bf16"


def test_a_worked_line_in_a_format():
    worked = Worked(attention_run(), track="bf16")
    assert worked.text("cat.scores[cat]") == "cat.query · cat.key = 2.297·1 + 0·1.703 ≈ 2.297"
    assert 'data-track="bf16"' in worked.show("scores")._repr_html_()
    beside = repr(Worked(attention_run()).beside("cat.weights", "bf16", "fp8_e4m3"))
    assert beside.split("\n")[0].startswith("cat.share exactly = [0.30") and "cat.share in fp8_e4m3 = [0.3" in beside
    with pytest.raises(ValueError, match="track='bf17'; it is 'paper', 'exact', 'fractions' or a format: fp16, bf16"):
        Worked(attention_run(), track="bf17")


def held_against_torch(name, count, seed=0):
    """Random programs whose every step is written down: in torch each runs on tensors of the dtype itself."""
    compared = 0
    for number in range(seed, seed + count):
        trace = Plain(number).write()
        reading, there = trace.in_format(name), in_torch(trace, DTYPES[name])
        for said, step in trace.names.items():
            here = reading.numbers(step)
            assert equal(here, there[said].double().numpy()).all(), (number, said, step.args and step.args[0].op, here, there[said])
            compared += step.size
    return compared


@pytest.mark.parametrize("name", DTYPES)
def test_random_programs_in_torchs_own_dtypes(name):
    assert held_against_torch(name, 60) > 2000


@pytest.mark.slow
@pytest.mark.parametrize("name", DTYPES)
def test_many_random_programs_in_torchs_own_dtypes(name):
    assert held_against_torch(name, MANY // 4, seed=1000) > MANY


def test_torch_computes_in_these_dtypes():
    assert in_torch(attention_run(), torch.float16)["scores"].dtype == torch.float16
