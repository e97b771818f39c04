"""The labs on words: RNN and LSTM, heads, positions, pooling, and Stepper."""

from itertools import product

import numpy as np
import pytest

from pencil import examples
from pencil.reference import (
    lstm,
    mean_pool,
    mlp_head,
    rnn,
)
from pencil.trace import Trace
from pencil.widgets import (
    HeadsLab,
    LSTMLab,
    PoolingLab,
    PositionLab,
    RNNLab,
    SamplingLab,
    Stepper,
)


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
        assert says.said(lab.worked) == f"The review is {'liked' if tick[0] > 0.5 else 'not liked'}."
    with pytest.raises(ValueError, match="none of the table's 3 rows"):
        lab.givens = {"ids": [0, 1, 2, 3, 0]}


def test_the_lab_of_the_lstm_reads_a_review_of_the_reader_s_own():
    lab = LSTMLab()
    words = list(lab.variants[0].steps[0].parts[0].words)
    for review in ("good not film good", "not very film good"):
        lab.givens = lab.givens | {"ids": [words.index(word) for word in review.split()]}
        named = {}
        vectors = np.array([examples.LSTM_VECTORS.get(word, [0, 0]) for word in review.split()], float)
        states = lstm(vectors, examples.LSTM_PARAMS, note=lambda name, value, named=named: named.setdefault(name, value))
        np.testing.assert_allclose(lab.trace.find("hidden_states").exact, states, rtol=1e-12)
        cells = [named[f"step{step}.cell"] for step in range(1, len(vectors) + 1)]
        np.testing.assert_allclose(lab.trace.find("all_cell").exact, cells, rtol=1e-12)


def test_without_scripts_what_the_words_of_the_lstm_share_stands_once():
    still, steps = LSTMLab()._repr_html_().partition("<script")[0], LSTMLab().variants[0].steps
    shared = [part.label for part in steps[1].parts if part in steps[0].parts]
    assert len(shared) == 7 and [still.count(f">{label}<") for label in shared] == [1] * 7


def test_the_one_head_of_the_heads_lab_is_called_by_no_number():
    lab = HeadsLab()
    for number, numbered in ((0, True), (1, False)):
        lab.variant = number
        given, label = lab.worked.lines("sat.head1.weights" if numbered else "sat.weights")[-1], lab.variants[number].steps[0].parts[1].label
        assert ("head1" in given) == numbered and label == ("Head 1: the query matrix, W_Q" if numbered else "The query matrix, W_Q")
    assert not [part.label for part in lab_parts(lab) if "grid" in part.label or "WANT" in part.label]


def test_no_label_of_the_position_lab_is_a_name():
    lab = PositionLab()
    lab.variant = 6
    assert lab.chosen()["Position by"] == "rotary"
    assert lab.worked.lines("cat.query.rotated", "row")[0].startswith("cat.rotated\N{NO-BREAK SPACE}query = ")


def lab_parts(lab):
    return [part for variant in lab.variants for step in variant.steps for part in step.parts]


def test_the_position_lab_swaps_the_words_and_not_their_embeddings():
    lab = PositionLab()
    told = {}
    for number in range(len(lab.variants)):
        lab.variant = number
        way, order = lab.chosen().values()
        told[way, order] = float(lab.trace.find("cat.weights[sat]").exact)
    sees = {way: abs(told[way, "cat sat"] - told[way, "sat cat"]) > 0.001 for way, _ in told}
    assert sees == {"nothing": False, "position table": True, "sinusoids": True, "rotary": True, "ALiBi": False}  # as chapter 11 finds
    table = {"nothing": 0.5, "position table": 0.731, "sinusoids": 0.435, "rotary": 0.299, "ALiBi": 0.378}  # what the chapter's table says
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
    assert [step.label for step in lab.variants[0].steps] == ["doubled", "sum\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}exp"]
    lab.step = 1
    assert lab.worked.lines("a.exp_sum") == ["a.sum\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}exp = 2 + 4 = 6"]
    empty = Trace()
    empty.given("x", [1])
    with pytest.raises(ValueError, match="given numbers alone"):
        Stepper(empty)


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
