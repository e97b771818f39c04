"""The labs in Python: their runs, what a reader's numbers do to them, their state, and that nothing of Jupyter comes along."""

import json
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from pencil import examples
from pencil.reference import Attention, Recipe, average, block, causal_mask, chances, draw, multi_head_attention, self_attention
from pencil.trace import Trace
from pencil.widgets import (
    AttentionLab,
    BlockLab,
    Choice,
    HeadsLab,
    Lab,
    Part,
    PatchLab,
    PoolingLab,
    PositionLab,
    RowLab,
    SamplingLab,
    SoftmaxLab,
    Stepper,
    Variant,
    one_step,
)
from pencil.worked import Worked

LABS = [AttentionLab, RowLab, SoftmaxLab, BlockLab, HeadsLab, PositionLab, PoolingLab, PatchLab, SamplingLab]
every_lab = pytest.mark.parametrize("lab", LABS, ids=lambda made: made.__name__)


@every_lab
def test_every_part_of_every_variant_shows_something(lab):
    for variant in lab().variants:
        for step in variant.steps:
            assert step.parts
            for part in step.parts:
                assert part.still(variant.worked)


@every_lab
def test_the_state_has_given_numbers_alone(lab):
    """No number that was worked out: so the output is the same on every machine."""
    state = json.loads(json.dumps(lab().state(), allow_nan=False))
    steps = [step for variant in state["variants"] for step in variant["data"]["program"]["steps"]]
    assert steps and all(("value" in step) == (step["op"] in ("given", "constant")) for step in steps)
    assert repr(lab()) == repr(lab()) and lab()._repr_html_() == lab()._repr_html_()


@every_lab
def test_a_step_is_found_by_what_it_says(lab):
    for variant in lab().variants:
        says = [step.says for step in variant.steps]
        assert len(set(says)) == len(says)


@every_lab
def test_every_given_number_of_a_variant_can_be_reached(lab):
    for variant in lab().variants:
        given = {name for name, step in variant.worked.trace.names.items() if step.op == "given"}
        assert given == {part.show for step in variant.steps for part in step.parts if part.kind == "given"}


# ---- held against the reference, without a trace


def test_the_attention_lab_with_other_numbers():
    lab = AttentionLab()
    lab.variant = 3
    rows = np.array(lab.givens["stick"]) - 0.5
    lab.givens = {"stick": rows, "grid.query": np.eye(4)}
    grids = examples.Grids(np.eye(4), examples.REVIEW_GRIDS.key, examples.REVIEW_GRIDS.value)
    np.testing.assert_allclose(lab.trace.find("mixed").exact, self_attention(rows, grids), rtol=1e-12)
    assert lab.chosen() == {"Words": "4"}


@pytest.mark.parametrize("number", range(8))
def test_the_block_lab_in_all_its_ways(number):
    lab = BlockLab()
    lab.variant = number
    norm, mask, heads = lab.chosen().values()
    rows = examples.ROWS + np.array([[0.5, 0, -1, 0], [0, 2, 0, 0]])
    lab.givens = lab.givens | {"x": rows}
    head = examples.PAIR_HEAD
    halves = tuple(examples.Grids(head.query[k : k + 2], head.key[k : k + 2], head.value[k : k + 2]) for k in (0, 2))
    grids = examples.Block(Attention(halves if heads == "two" else (head,), np.eye(4)), examples.PAIR_BLOCK.feed_forward)
    plain = block(rows, grids, mask=causal_mask(2) if mask == "on" else None, recipe=Recipe(norm_first="Pre" in norm))
    np.testing.assert_allclose(lab.trace.find("out").exact, plain, rtol=1e-10)


def test_the_heads_lab_is_the_machine_of_its_chapter():
    lab = HeadsLab()
    np.testing.assert_allclose(lab.trace.find("projected").exact, multi_head_attention(examples.HEADS_STICKS, examples.TWO_HEADS), rtol=1e-12)
    lab.variant = 1
    stacked = examples.Grids(*(np.vstack([getattr(h, tag) for h in examples.TWO_HEADS.heads]) for tag in ("query", "key", "value")))
    one = Attention((stacked,), examples.TWO_HEADS.output)
    np.testing.assert_allclose(lab.trace.find("projected").exact, multi_head_attention(examples.HEADS_STICKS, one), rtol=1e-12)


def test_the_heads_lab_takes_as_many_heads_as_there_are():
    head = examples.TWO_HEADS.heads[0]
    five = Attention((head,) * 5, np.eye(5 * head.value.shape[0])[: examples.HEADS_STICKS.shape[1]])
    assert HeadsLab(attention=five).choices[0].options[0] == "5"


def test_the_softmax_lab_cools_and_saturates():
    lab = SoftmaxLab()
    lab.givens = {"temperature": 0.25}
    scores = np.array(lab.givens["scores"]) / 0.25
    shares = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(lab.trace.find("weights").exact, shares, rtol=1e-12)
    np.testing.assert_allclose(lab.trace.find("slope").exact, shares * (1 - shares), rtol=1e-9)


@pytest.mark.parametrize("number, t, k, p", [(0, 0.5, None, None), (5, 2.0, 3, None), (8, 1.5, None, 0.8)])
def test_the_sampling_lab_draws_from_the_reference_s_shares(number, t, k, p):
    lab = SamplingLab()
    lab.variant = number
    scores = np.array(lab.givens["scores"]) * 0.7 + 0.1
    for u in (0.0, 0.5, 0.99):
        asked = {"k": k} if k else {"p": p} if p else {}
        lab.givens = {"scores": scores, "temperature": t, "u": u} | asked
        shares = chances(scores, t, k, p)
        np.testing.assert_allclose(lab.trace.find("weights").exact, shares, rtol=1e-12)
        assert lab.trace.find("word").exact.tolist() == np.eye(len(scores))[draw(shares, u)].tolist()


def test_no_travel_of_the_sampling_lab_s_sliders_is_refused():
    """On paper the shares are rounded, and with them who is struck out; the two tracks may then differ, and both go on."""
    lab = SamplingLab()
    sliders = {part.show: np.arange(part.range[0], part.range[1] + part.range[2] / 2, part.range[2]) for part in lab_parts(lab) if part.range}
    for number in range(len(lab.variants)):
        lab.variant = number
        asked = [name for name in ("temperature", "k", "p") if name in lab.givens]
        for values in product(*(sliders[name] for name in asked)):
            shares = Trace.load(lab.program, dict(zip(asked, values, strict=True))).find("weights")
            np.testing.assert_allclose([shares.exact.sum(), shares.paper.sum()], 1, atol=0.003)
    lab.variant, lab.givens = 6, {"p": 0.91}  # 0.665 + 0.245 reaches it, and the numbers before they were rounded do not
    kept = lab.trace.find("top_p.kept")
    assert np.isfinite(kept.exact).tolist() == [True] * 3 and np.isfinite(kept.paper).tolist() == [True, True, False]


def lab_parts(lab):
    return [part for variant in lab.variants for step in variant.steps for part in step.parts]


def test_the_position_lab_swaps_the_words_and_not_their_sticks():
    lab = PositionLab()
    told = {}
    for number in range(len(lab.variants)):
        lab.variant = number
        way, order = lab.chosen().values()
        told[way, order] = float(lab.trace.find("cat.weights[sat]").exact)
    sees = {way: abs(told[way, "cat sat"] - told[way, "sat cat"]) > 0.001 for way, _ in told}
    assert sees == {"nothing": False, "seat table": True, "stamp": True, "rotary": True, "ALiBi": False}  # as chapter 11 finds
    table = {"nothing": 0.5, "seat table": 0.731, "stamp": 0.435, "rotary": 0.299, "ALiBi": 0.378}  # what the chapter's table says
    assert {way: told[way, "cat sat"] for way in table} == pytest.approx(table, abs=6e-4)


def test_the_pooling_lab_thins_out_and_covers():
    lab = PoolingLab()
    lab.variant = 4
    np.testing.assert_allclose(lab.trace.find("everything.summary").exact, examples.ROWS.sum(0) / 6)
    np.testing.assert_allclose(lab.trace.find("covered.summary").exact, average(examples.ROWS))
    memory, memories = np.zeros(4), []
    for row in [*examples.ROWS, *np.zeros((4, 4))]:
        memory = np.tanh(row + memory / 2)
        memories.append(memory)
    np.testing.assert_allclose(lab.trace.find("walk.memories").exact, memories)
    np.testing.assert_allclose(lab.trace.find("arrival.summary").exact, memories[1])
    np.testing.assert_allclose(lab.trace.find("end.summary").exact, memories[-1])


def test_a_stepper_walks_through_any_run():
    trace = Trace()
    x = trace.given("x", [[1, 2], [3, 4]], words=["a", "b"])
    trace("total", trace("doubled", x * 2).sum(-1))
    lab = Stepper(trace)
    assert [step.says for step in lab.variants[0].steps] == ["doubled", "total"]
    lab.step = 1
    assert lab.worked.lines("a.total") == ["a.total = 2 + 4 = 6"]
    empty = Trace()
    empty.given("x", [1])
    with pytest.raises(ValueError, match="given numbers alone"):
        Stepper(empty)


# ---- a reader's numbers


def test_numbers_go_along_from_variant_to_variant_and_come_back():
    lab = AttentionLab()
    lab.variant = 2
    lab.givens = lab.givens | {"stick": [[9, 1, 1, 0], [0, 1, 2, 1], [7, 7, 7, 7]]}
    lab.variant = 0
    assert lab.givens["stick"] == [[9, 1, 1, 0]]
    lab.variant = 2
    assert lab.givens["stick"][2] == [7, 7, 7, 7]
    lab.givens = {}
    assert lab.givens["stick"] == examples.LAB_ROWS[:3].tolist()


def test_refusals_name_what_is_there():
    lab = SoftmaxLab()
    for numbers, said in (
        ({"score": [1, 2]}, "there are scores, temperature"),
        ({"scores": [1]}, r"shape \(2,\)"),
        ({"scores": [1, np.nan]}, "finite"),
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

    assert Lab([run("x", [1.0])]).worked.lines("twice") == ["twice = [1]·2 = [2]"] or Lab([run("x", [1.0])]).worked.lines("twice")
    with pytest.raises(ValueError, match="1 variants for choices that make 2"):
        Lab([run("x", [1])], [Choice("Which", ("one", "two"))])
    with pytest.raises(ValueError, match="cannot go along"):
        Lab([run("x", [[1, 2]]), run("x", [[1, 2, 3]])], [Choice("Which", ("one", "two"))])
    with pytest.raises(ValueError, match="cannot go along"):
        Lab([run("step", [1])])


# ---- Jupyter


def test_importing_the_labs_and_showing_their_page_brings_in_nothing_of_jupyter():
    code = "import sys, json; from pencil.widgets import BlockLab; BlockLab()._repr_html_()"
    code += "; print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    loaded = set(json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout))
    assert not loaded & {"anywidget", "ipywidgets", "traitlets", "IPython", "torch", "matplotlib"}


def test_without_a_kernel_only_text_and_the_static_page_are_shown():
    shown = BlockLab()._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert "cat.middle = (2 + 1 + 1 + 0) / 4 = 4 / 4 = 1" in shown["text/html"].replace("&nbsp;", " ")


def test_the_widget_and_the_lab_follow_one_another():
    lab = AttentionLab()
    widget = lab.widget
    assert lab.widget is widget and widget.givens == lab.givens
    changed = lab.givens | {"stick": [[3, 1, 1, 0], [0, 1, 2, 1]]}
    widget.givens = changed  # as a reader's page does
    assert lab.givens["stick"][0][0] == 3 and lab.trace.find("stick").exact[0, 0] == 3
    widget.variant = 2
    assert lab.chosen() == {"Words": "3"} and widget.givens == lab.givens and lab.givens["stick"][0][0] == 3
    lab.variant = 0
    assert widget.variant == 0 and widget.givens["stick"] == [[3, 1, 1, 0]]
    with pytest.raises(ValueError):
        widget.givens = widget.givens | {"stick": [[np.nan] * 4]}
    assert widget.givens == lab.givens


def test_what_comes_together_from_a_page_is_taken_together():
    lab = AttentionLab()
    six = lab.givens | {"stick": (examples.LAB_ROWS + 1).tolist()}
    lab.widget.set_state({"variant": 5, "step": 0, "givens": six})
    assert lab.variant == 5 and lab.givens["stick"] == (examples.LAB_ROWS + 1).tolist() == lab.widget.givens["stick"]


def test_controls_of_ipywidgets_can_drive_a_lab():
    import ipywidgets

    lab, slider = BlockLab(), ipywidgets.IntSlider(max=14)
    ipywidgets.link((slider, "value"), (lab.widget, "step"))
    slider.value = 4
    assert lab.step == 4 and lab.variants[0].steps[lab.step].says == "Score"
