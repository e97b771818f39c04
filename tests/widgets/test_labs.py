"""The labs in Python: their runs, what a reader's numbers do to them, their state, and that nothing of Jupyter comes along."""

import json
import re
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from pencil import examples
from pencil.reference import (
    AttentionParams,
    BlockConfig,
    QKVParams,
    block,
    causal_mask,
    lstm,
    mean_pool,
    mlp_head,
    multi_head_attention,
    probabilities,
    rnn,
    sample,
    self_attention,
    softmax,
    speculative_sampling,
)
from pencil.trace import Trace
from pencil.widgets import (
    AttentionLab,
    BlockLab,
    Choice,
    DiceLab,
    HeadsLab,
    KeepLab,
    Lab,
    LSTMLab,
    MaskLab,
    Part,
    PatchLab,
    PoolingLab,
    PositionLab,
    RNNLab,
    RowLab,
    SamplingLab,
    SoftmaxLab,
    Stepper,
    Variant,
    one_step,
)
from pencil.worked import Worked

LABS = [
    AttentionLab,
    RowLab,
    SoftmaxLab,
    BlockLab,
    HeadsLab,
    PositionLab,
    PoolingLab,
    PatchLab,
    MaskLab,
    SamplingLab,
    DiceLab,
    RNNLab,
    LSTMLab,
    KeepLab,
]
every_lab = pytest.mark.parametrize("lab", LABS, ids=lambda made: made.__name__)


@every_lab
def test_every_part_of_every_variant_shows_something(lab):
    made = lab()
    for variant in made.variants:
        for step in variant.steps:
            assert step.parts
            for part in step.parts:
                assert (part.kind == "drawing" and part.show in made.drawings) or part.still(variant.worked)


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
        says = [step.label for step in variant.steps]
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
    rows = np.array(lab.givens["embedding"]) - 0.5
    lab.givens = {"embedding": rows, "params.query": np.eye(4)}
    params = QKVParams(np.eye(4), examples.REVIEW_PARAMS.key, examples.REVIEW_PARAMS.value)
    np.testing.assert_allclose(lab.trace.find("context").exact, self_attention(rows, params), rtol=1e-12)
    assert lab.chosen() == {"Words": "4"}


@pytest.mark.parametrize("number", range(4))
def test_the_block_lab_in_all_its_ways(number):
    lab = BlockLab()
    lab.variant = number
    norm, mask = lab.chosen().values()
    rows = examples.ROWS + np.array([[0.5, 0, -1, 0], [0, 2, 0, 0]])
    lab.givens = lab.givens | {"x": rows}
    plain = block(rows, examples.PAIR_BLOCK, mask=causal_mask(2) if mask == "on" else None, config=BlockConfig(norm_first="Pre" in norm))
    np.testing.assert_allclose(lab.trace.find("out").exact, plain, rtol=1e-10)


def test_the_heads_lab_is_the_machine_of_its_chapter():
    lab = HeadsLab()
    np.testing.assert_allclose(lab.trace.find("attn_out").exact, multi_head_attention(examples.HEADS_VECTORS, examples.TWO_HEADS), rtol=1e-12)
    lab.variant = 1
    stacked = QKVParams(*(np.vstack([getattr(h, tag) for h in examples.TWO_HEADS.heads]) for tag in ("query", "key", "value")))
    one = AttentionParams((stacked,), examples.TWO_HEADS.output)
    np.testing.assert_allclose(lab.trace.find("attn_out").exact, multi_head_attention(examples.HEADS_VECTORS, one), rtol=1e-12)


def test_the_heads_lab_takes_as_many_heads_as_there_are():
    head = examples.TWO_HEADS.heads[0]
    five = AttentionParams((head,) * 5, np.eye(5 * head.value.shape[0])[: examples.HEADS_VECTORS.shape[1]])
    assert HeadsLab(attention=five).choices[0].options[0] == "5"


def test_the_softmax_lab_cools_and_saturates():
    lab = SoftmaxLab()
    lab.givens = {"temperature": 0.25}
    scores = np.array(lab.givens["scores"]) / 0.25
    shares = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(lab.trace.find("weights").exact, shares, rtol=1e-12)
    np.testing.assert_allclose(lab.trace.find("slope").exact, shares * (1 - shares), rtol=1e-9)


def test_the_keep_lab_raises_the_vote_to_the_number_of_words():
    lab = KeepLab()
    for vote, words in ((0.0, 3), (0.9, 7), (0.999, 400), (1.0, 79)):
        lab.givens = lab.givens | {"keep": vote, "words": [1, 2, words, 40, 79]}
        np.testing.assert_allclose(lab.trace.find("left").exact, vote ** np.array([1, 2, words, 40, 79]), rtol=1e-12)


@pytest.mark.parametrize("number, t, k, p", [(0, 0.5, None, None), (5, 2.0, 3, None), (8, 1.5, None, 0.8)])
def test_the_sampling_lab_draws_from_the_reference_s_shares(number, t, k, p):
    lab = SamplingLab()
    lab.variant = number
    scores = np.array(lab.givens["scores"]) * 0.7 + 0.1
    for u in (0.0, 0.5, 0.99):
        asked = {"k": k} if k else {"p": p} if p else {}
        lab.givens = {"scores": scores, "temperature": t, "u": u} | asked
        shares = probabilities(scores, t=t, k=k, p=p)
        np.testing.assert_allclose(lab.trace.find("weights").exact, shares, rtol=1e-12)
        assert lab.trace.find("word").exact.tolist() == np.eye(len(scores))[sample(shares, u)].tolist()


def test_the_sampling_lab_counts_what_it_draws():
    lab, other = SamplingLab(), SamplingLab()
    assert lab.trace.find("frequencies").exact.tolist() == [0, 0, 0]
    lab.draw(60)
    for _ in range(60):
        other.draw()
    assert lab.givens == other.givens and sum(lab.givens["counts"]) == 60
    shares = probabilities(np.array(lab.givens["scores"]))
    np.testing.assert_allclose(lab.trace.find("frequencies").exact, np.array(lab.givens["counts"]) / 60)
    np.testing.assert_allclose(np.array(lab.givens["counts"]) / 60, shares, atol=0.2)
    before = np.array(lab.givens["counts"])
    lab.draw()
    assert (np.array(lab.givens["counts"]) - before).tolist() == np.eye(3)[sample(shares, lab.givens["u"])].tolist()


def test_the_tally_of_the_sampling_lab_begins_anew_with_other_shares():
    lab = SamplingLab()
    lab.draw(3)
    lab.givens = lab.givens | {"u": 0.1}
    assert sum(lab.givens["counts"]) == 3
    lab.givens = lab.givens | {"scores": [0, 0, 5]}
    assert lab.givens["counts"] == [0, 0, 0]
    lab.givens = lab.givens | {"scores": [2, 1, 0], "counts": [4, 0, 1]}  # as a link brings both
    assert lab.givens["counts"] == [4, 0, 1]
    lab.variant = 1
    assert sum(lab.givens["counts"]) == 0


def test_the_dice_lab_writes_as_the_reference_does():
    lab, rng = DiceLab(), np.random.default_rng(0)
    for _ in range(30):
        draft, target, u = rng.integers(1, 9, 6), rng.integers(1, 9, 6), rng.integers(0, 1000, 3) / 1000
        lab.givens = {"draft_parts": draft, "target_parts": target, "u": u}
        draft_probs, target_probs = draft / draft.sum(), target / target.sum()
        face = sample(draft_probs, u[0])
        kept, behind = speculative_sampling(np.array([face]), draft_probs[None], np.stack([target_probs] * 2), u[1:])
        assert lab.trace.find("drafted").exact.tolist() == np.eye(6)[face].tolist()
        assert lab.trace.find("verdict").exact.tolist() == [kept, 1 - kept]
        assert lab.trace.find("written").exact.tolist() == np.eye(6)[face if kept else behind].tolist()
        np.testing.assert_allclose(lab.trace.find("output").exact, target_probs, rtol=1e-12)


def test_the_tally_of_the_dice_lab_approaches_the_wanted_die_and_not_the_wrong_way():
    lab = DiceLab()
    lab.draw(600)
    assert sum(lab.givens["counts"]) == 600
    np.testing.assert_allclose(lab.trace.find("frequencies").exact, lab.trace.find("target_probs").exact, atol=0.05)
    lab.variant = 1
    assert sum(lab.givens["counts"]) == 0
    lab.draw(600)
    found = lab.trace.find("frequencies").exact
    np.testing.assert_allclose(found, lab.trace.find("output").exact, atol=0.05)
    assert found[0] < 0.3 < lab.trace.find("target_probs").exact[0]
    with pytest.raises(ValueError, match="A face has a part above zero"):
        lab.givens = lab.givens | {"target_parts": [0, 1, 1, 1, 1, 1]}


def test_the_mask_lab_leaves_the_shares_of_its_mask():
    lab, scores = MaskLab(), np.array([[0.0, 1, 2], [3, -1, 0], [1, 1, 1]])
    for number in range(len(lab.variants)):
        lab.variant = number
        mask = np.array(lab.givens["mask"])
        mask[1] = [0, 1, 1]
        lab.givens = lab.givens | {"scaled": scores, "mask": mask}
        np.testing.assert_allclose(lab.trace.find("weights").exact, softmax(np.where(mask == 1, scores, -np.inf)), rtol=1e-12)
    with pytest.raises(ValueError, match="divides 0 by 0"):
        lab.givens = {"mask": np.zeros((3, 3))}


def test_the_walker_s_lab_reads_a_review_of_the_reader_s_own():
    lab = RNNLab()
    for number, ids in enumerate(([1, 2], [0, 0, 2], [2, 1, 0, 1], [2, 2, 1, 0, 0])):
        lab.variant = number
        lab.givens = lab.givens | {"ids": ids}
        states = rnn(examples.RNN_VECTORS[ids], examples.RNN_PARAMS)
        np.testing.assert_allclose(lab.trace.find("hidden_states").exact, states, rtol=1e-12)
        tick = mlp_head(states[-1], examples.RNN_HEAD)
        np.testing.assert_allclose(lab.trace.find("sigmoid.prob").exact, tick, rtol=1e-12)
        (says,) = (part for part in lab.variants[number].steps[0].parts if part.kind == "says")
        assert says.said(lab.worked) == f"The tick says {'liked' if tick[0] > 0.5 else 'not liked'}."
    with pytest.raises(ValueError, match="none of the table's 3 rows"):
        lab.givens = {"ids": [0, 1, 2, 3, 0]}


def test_the_lab_of_the_two_memory_worker_reads_a_review_of_the_reader_s_own():
    lab = LSTMLab()
    words = list(lab.variants[0].steps[0].parts[0].words)
    for number, review in enumerate(("good not film", "not very film good")):
        lab.variant = number
        lab.givens = lab.givens | {"ids": [words.index(word) for word in review.split()]}
        named = {}
        vectors = np.array([examples.LSTM_VECTORS.get(word, [0, 0]) for word in review.split()], float)
        states = lstm(vectors, examples.LSTM_PARAMS, note=lambda name, value, named=named: named.setdefault(name, value))
        np.testing.assert_allclose(lab.trace.find("hidden_states").exact, states, rtol=1e-12)
        cells = [named[f"step{step}.cell"] for step in range(1, len(vectors) + 1)]
        np.testing.assert_allclose(lab.trace.find("all_cell").exact, cells, rtol=1e-12)


def test_the_one_head_of_the_heads_lab_is_called_by_no_number():
    lab = HeadsLab()
    for number, numbered in ((0, True), (1, False)):
        lab.variant = number
        given, label = lab.worked.lines("sat.head1.weights" if numbered else "sat.weights")[-1], lab.variants[number].steps[0].parts[1].label
        assert ("head1" in given) == numbered and label == ("Head 1: the query grid" if numbered else "The query grid")
    assert not [part.label for part in lab_parts(lab) if "share" in part.label or "WANT" in part.label]


def test_no_label_of_the_position_lab_is_a_name():
    lab = PositionLab()
    lab.variant = 6
    assert lab.chosen()["Told by"] == "rotary"
    assert lab.worked.lines("cat.query.rotated", "row")[0].startswith("cat.turned\N{NO-BREAK SPACE}ASK = ")


@pytest.mark.slow
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
    np.testing.assert_allclose(lab.trace.find("everything.pooled").exact, examples.ROWS.sum(0) / 6)
    np.testing.assert_allclose(lab.trace.find("covered.pooled").exact, mean_pool(examples.ROWS))
    memory, memories = np.zeros(4), []
    for row in [*examples.ROWS, *np.zeros((4, 4))]:
        memory = np.tanh(row + memory / 2)
        memories.append(memory)
    np.testing.assert_allclose(lab.trace.find("walk.hidden_states").exact, memories)
    np.testing.assert_allclose(lab.trace.find("arrival.pooled").exact, memories[1])
    np.testing.assert_allclose(lab.trace.find("end.pooled").exact, memories[-1])


def test_a_stepper_walks_through_any_run():
    trace = Trace()
    x = trace.given("x", [[1, 2], [3, 4]], words=["a", "b"])
    trace("exp_sum", trace("doubled", x * 2).sum(-1))
    lab = Stepper(trace)
    assert [step.label for step in lab.variants[0].steps] == ["doubled", "exp_sum"]
    lab.step = 1
    assert lab.worked.lines("a.exp_sum") == ["a.exp_sum = 2 + 4 = 6"]
    empty = Trace()
    empty.given("x", [1])
    with pytest.raises(ValueError, match="given numbers alone"):
        Stepper(empty)


# ---- a reader's numbers


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


# ---- Jupyter


def test_importing_the_labs_and_showing_their_page_brings_in_nothing_of_jupyter():
    code = "import sys, json; from pencil.widgets import BlockLab; BlockLab()._repr_html_()"
    code += "; print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    loaded = set(json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout))
    assert not loaded & {"anywidget", "ipywidgets", "traitlets", "IPython", "torch", "matplotlib"}


def test_without_a_kernel_only_text_and_the_static_page_are_shown():
    shown = BlockLab()._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert re.findall(r">([^<]*)</tspan>", shown["text/html"])[:4] == ["2", "1", "1", "0"]


def test_the_widget_and_the_lab_follow_one_another():
    lab = AttentionLab()
    widget = lab.widget
    assert lab.widget is widget and widget.givens == lab.givens
    changed = lab.givens | {"embedding": [[3, 1, 1, 0], [0, 1, 2, 1]]}
    widget.givens = changed  # as a reader's page does
    assert lab.givens["embedding"][0][0] == 3 and lab.trace.find("embedding").exact[0, 0] == 3
    widget.variant = 2
    assert lab.chosen() == {"Words": "3"} and widget.givens == lab.givens and lab.givens["embedding"][0][0] == 3
    lab.variant = 0
    assert widget.variant == 0 and widget.givens["embedding"] == [[3, 1, 1, 0]]
    with pytest.raises(ValueError):
        widget.givens = widget.givens | {"embedding": [[np.nan] * 4]}
    assert widget.givens == lab.givens


def test_what_comes_together_from_a_page_is_taken_together():
    lab = AttentionLab()
    six = lab.givens | {"embedding": (examples.LAB_ROWS + 1).tolist()}
    lab.widget.set_state({"variant": 5, "step": 0, "givens": six})
    assert lab.variant == 5 and lab.givens["embedding"] == (examples.LAB_ROWS + 1).tolist() == lab.widget.givens["embedding"]


def test_controls_of_ipywidgets_can_drive_a_lab():
    import ipywidgets

    lab, slider = BlockLab(), ipywidgets.IntSlider(max=3)
    ipywidgets.link((slider, "value"), (lab.widget, "variant"))
    slider.value = 2
    assert lab.variant == 2 and lab.chosen()["Norm"] == "last (Post-LN)"


def test_a_widget_brings_the_drawings_of_its_lab():
    lab = BlockLab()
    assert lab.widget.drawn == lab.drawn() and set(lab.drawings) == {"first (Pre-LN)", "last (Post-LN)", "out"}
    assert all(f'data-drawing="{name}"' in lab.drawn() for name in lab.drawings)
