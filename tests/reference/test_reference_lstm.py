"""The two-memory walker and the stapled pair: every value by name against lists and loops, what they promise, what they refuse."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from draws import arrays, cells, check_refusal, lists_of
from hypothesis import given, settings
from hypothesis import strategies as st

from pencil.bundles import each, flatten
from pencil.reference import LSTM, Bidirectional, Recurrent, bidirectional, lstm, lstm_step, rnn, walk
from pencil.reference.bidirectional import arrival
from pencil.trace import Trace, still_true

quick = settings(max_examples=25, deadline=None, derandomize=True)
lengths, widths = st.integers(1, 5), st.integers(1, 4)


@st.composite
def lstms(draw, d, d_h):
    return LSTM(*(draw(cells(d, d_h)) for _ in range(4)))


def some(seed=0, d=3, d_h=2, scale=1.0):
    rng = np.random.default_rng(seed)
    return LSTM(*(Recurrent(scale * rng.normal(size=(d_h, d)), scale * rng.normal(size=(d_h, d_h)), rng.normal(size=d_h)) for _ in range(4)))


def rows(words, d=3, seed=1):
    return np.random.default_rng(seed).normal(size=(words, d))


# ---- the same with lists and loops


def looped_sum(x, memory, cell, out, scope):
    width = len(cell.input)
    read = [math.fsum(w * v for w, v in zip(cell.input[i], x, strict=True)) + (cell.bias[i] if cell.bias else 0.0) for i in range(width)]
    out[f"{scope}.read"] = summed = read
    if memory is not None:
        recalled = out[f"{scope}.recalled"] = [math.fsum(w * v for w, v in zip(cell.hidden[i], memory, strict=True)) for i in range(width)]
        summed = [a + b for a, b in zip(read, recalled, strict=True)]
    out[f"{scope}.summed"] = summed
    return summed


def looped_lstm(x, grids, start=None):
    out, memories, (memory, belt) = {}, [], start or (None, None)
    for t, row in enumerate(x, start=1):
        votes = {}
        for name in ("keep", "admit", "show"):
            summed = looped_sum(row, memory, getattr(grids, name), out, f"step{t}.{name}")
            out[f"step{t}.{name}.raised"] = [math.exp(-s) for s in summed]
            votes[name] = out[f"step{t}.{name}"] = [1 / (1 + math.exp(-s)) for s in summed]
        candidate = out[f"step{t}.candidate"] = [math.tanh(s) for s in looped_sum(row, memory, grids.candidate, out, f"step{t}.candidate")]
        old = belt or [0.0] * len(candidate)
        belt = [k * b + a * c for k, b, a, c in zip(votes["keep"], old, votes["admit"], candidate, strict=True)]
        crushed = [math.tanh(b) for b in belt]
        memory = [s * c for s, c in zip(votes["show"], crushed, strict=True)]
        out |= {f"step{t}.belt": belt, f"step{t}.crushed": crushed, f"step{t}.memory": memory}
        memories.append(memory)
    return out | {"memories": memories}


def looped_rnn(x, cell):
    out, memories, memory = {}, [], None
    for t, row in enumerate(x, start=1):
        memory = [math.tanh(s) for s in looped_sum(row, memory, cell, out, f"step{t}")]
        out[f"step{t}.memory"] = memory
        memories.append(memory)
    return out | {"memories": memories}


def assert_same(noted, expected):
    assert set(noted) == set(expected)
    for name, value in expected.items():
        np.testing.assert_allclose(noted[name], value, rtol=1e-12, atol=1e-14, err_msg=name)


@quick
@given(st.data(), lengths, widths, widths, st.booleans())
def test_a_walk_by_name(data, words, d, d_h, started):
    x, grids, noted = data.draw(arrays(words, d, low=-3, high=3)), data.draw(lstms(d, d_h)), {}
    start = (data.draw(arrays(d_h)), data.draw(arrays(d_h, low=-4, high=4))) if started else None
    assert lstm(x, grids, noted.setdefault, start) is noted["memories"]
    assert_same(noted, looped_lstm(x.tolist(), lists_of(grids), start and tuple(part.tolist() for part in start)))


@quick
@given(st.data(), lengths, widths, widths, widths, st.booleans())
def test_two_walkers_stapled_by_name(data, words, d, d_there, d_back, plain_back):
    x, noted = data.draw(arrays(words, d)), {}
    there, back = data.draw(lstms(d, d_there)), data.draw((cells if plain_back else lstms)(d, d_back))
    glued = bidirectional(x, there, back, noted.setdefault)
    looped = (looped_rnn if plain_back else looped_lstm)(x.tolist()[::-1], lists_of(back))
    ahead = looped_lstm(x.tolist(), lists_of(there))
    expected = {f"forward.{name}": value for name, value in ahead.items()} | {f"backward.{name}": value for name, value in looped.items()}
    expected["glued"] = [a + b for a, b in zip(ahead["memories"], looped["memories"][::-1], strict=True)]
    assert_same(noted, expected)
    assert glued is noted["glued"] and glued.shape == (words, d_there + d_back)
    np.testing.assert_array_equal(glued, walk(x, Bidirectional(there, back)))
    end = arrival(glued, Bidirectional(there, back), noted.setdefault)
    np.testing.assert_allclose(end, ahead["memories"][-1] + looped["memories"][-1], rtol=1e-12, atol=1e-14)
    assert end is noted["summary"]


# ---- what they promise


def belt_of(noted, t):
    return noted[f"step{t}.belt"]


def held_open(keep, d=2, d_h=2):
    """Votes that hang on the bias alone."""
    biased = [Recurrent(np.zeros((d_h, d)), np.zeros((d_h, d_h)), np.full(d_h, bias)) for bias in (keep, -800.0, 0.0)]
    return LSTM(*biased, Recurrent(np.ones((d_h, d)), np.ones((d_h, d_h))))


def test_what_is_on_the_belt_is_multiplied_by_the_keep_vote_at_every_step():
    noted, start = {}, (np.zeros(2), np.array([1.0, -3.0]))
    lstm(rows(79, 2), held_open(np.log(9)), noted.setdefault, start)  # a vote of 0.9
    np.testing.assert_allclose(belt_of(noted, 79), 0.9**79 * start[1], rtol=1e-12)


def test_a_keep_vote_of_one_and_an_admit_vote_of_zero_leave_the_belt_as_it_was():
    noted, start = {}, (np.zeros(2), np.array([1.0, -3.0]))
    lstm(rows(79, 2), held_open(800.0), noted.setdefault, start)
    np.testing.assert_array_equal(belt_of(noted, 79), start[1])


def test_the_belt_can_grow_past_one_and_a_memory_cannot():
    noted, open_wide = {}, Recurrent(np.zeros((1, 1)), np.zeros((1, 1)), np.full(1, 800.0))
    memories = lstm(np.ones((5, 1)), LSTM(open_wide, open_wide, open_wide, open_wide), noted.setdefault)
    np.testing.assert_array_equal([belt_of(noted, t)[0] for t in range(1, 6)], [1, 2, 3, 4, 5])
    assert (np.abs(memories) < 1).all() and memories[-1, 0] > 0.999


def test_votes_lie_between_zero_and_one_and_no_memory_leaves_minus_one_to_one():
    noted = {}
    lstm(rows(20), some(scale=3.0), noted.setdefault)
    votes = [value for name, value in noted.items() if name.split(".")[-1] in ("keep", "admit", "show")]
    assert len(votes) == 60 and all(((v > 0) & (v < 1)).all() for v in votes)
    assert (np.abs(noted["memories"]) < 1).all()


@pytest.mark.parametrize("cut", [1, 3, 5])
def test_a_walk_can_be_cut_in_two(cut):
    x, grids, noted = rows(6), some(), {}
    first = lstm(x[:cut], grids, noted.setdefault)
    second = lstm(x[cut:], grids, start=(first[-1], belt_of(noted, cut)))
    np.testing.assert_allclose(np.vstack([first, second]), lstm(x, grids), rtol=1e-14)


def test_an_empty_start_is_a_start_of_zeros():
    x, grids = rows(4), some()
    np.testing.assert_array_equal(lstm(x, grids), lstm(x, grids, start=(np.zeros(2), np.zeros(2))))
    for ours, theirs in zip(lstm_step(x[0], None, None, grids), lstm_step(x[0], np.zeros(2), np.zeros(2), grids), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_no_memory_knows_of_what_comes_later_and_each_stapled_row_does():
    x = rows(5)
    changed = x.copy()
    changed[3] += 1
    moved = np.abs(lstm(x, some()) - lstm(changed, some())).max(-1) > 0
    assert moved.tolist() == [False, False, False, True, True]
    moved = np.abs(bidirectional(x, some(), some(2)) - bidirectional(changed, some(), some(2))) > 0
    assert moved[:, :2].any(-1).tolist() == [False, False, False, True, True]
    assert moved[:, 2:].any(-1).tolist() == [True, True, True, True, False]


def test_the_text_turned_round_and_the_walkers_changed_over_give_the_same_rows_turned_round():
    x = rows(5)
    ours, theirs = bidirectional(x, some(), some(2)), bidirectional(x[::-1], some(2), some())
    np.testing.assert_array_equal(ours, np.hstack([theirs[::-1, 2:], theirs[::-1, :2]]))


def test_order_counts():
    x = rows(3)
    assert np.abs(lstm(x[::-1], some())[-1] - lstm(x, some())[-1]).max() > 0.01


def test_where_two_walkers_arrive_is_not_the_last_stapled_row():
    x, both = rows(4), Bidirectional(some(), some(2))
    memories = walk(x, both)
    np.testing.assert_array_equal(arrival(memories, both), np.concatenate([lstm(x, some())[-1], lstm(x[::-1], some(2))[-1]]))
    assert np.abs(arrival(memories, both) - memories[-1]).max() > 0.01
    for alone in (some(), some().keep):
        np.testing.assert_array_equal(arrival(walk(x, alone), alone), walk(x, alone)[-1])
    np.testing.assert_array_equal(walk(x, some().keep), rnn(x, some().keep))


# ---- under the trace


def given_bundle(given, like):
    return each(like, lambda name, _: given[f"grid.{name}"])


@pytest.mark.parametrize(
    "kind", [some(), Bidirectional(some(), some(2)), Bidirectional(some().keep, some(2))], ids=["lstm", "both ways", "of two kinds"]
)
def test_the_recorded_program_follows_its_givens(kind):
    trace = Trace()
    walk(trace.given("x", rows(3), words=["one", "two", "three"]), trace.given_each("grid", kind), trace)
    assert still_true(lambda given, note: walk(given["x"], given_bundle(given, kind), note), trace) > 100


def test_each_step_belongs_to_the_word_that_it_reads():
    trace = Trace()
    grids = trace.given_each("grid", Bidirectional(some(), some(2)))
    bidirectional(trace.given("x", rows(3), words=["one", "two", "three"]), grids.forward, grids.backward, trace)
    for reference in (
        "three.forward.step3.belt",
        "three.forward.step3.keep",
        "one.backward.step3.admit.summed",
        "two.glued",
        "two.backward.memories",
    ):
        assert trace.find(reference).exact.ndim == 1, reference
    np.testing.assert_array_equal(trace.find("two.glued").exact[2:], trace.find("two.backward.step2.memory").exact)


def test_the_flat_names():
    assert list(flatten(some())) == [f"{f.name}.{part}" for f in fields(LSTM) for part in ("input", "hidden", "bias")]
    assert list(flatten(Bidirectional(some(), some().keep)))[-4:] == ["forward.candidate.bias", "backward.input", "backward.hidden", "backward.bias"]


# ---- refusals

REFUSALS = {
    "a batch": (lambda: lstm(rows(4).reshape(2, 2, 3), some()), ["(2, 2, 3)", "a batch of texts", "x[0], x[1]"]),
    "one row": (lambda: lstm(rows(4)[0], some()), ["x has the shape (3,)", "x[None, :]"]),
    "no words": (lambda: lstm(np.empty((0, 3)), some()), ["x is empty"]),
    "another width": (lambda: lstm(rows(2, 4), some()), ["the stick is 4 wide", "the grid (2, 3)"]),
    "a NaN": (lambda: lstm(np.full((1, 3), np.nan), some()), ["x[0, 0] is NaN"]),
    "a memory too wide": (lambda: lstm(rows(2), some(), start=(np.zeros(3), np.zeros(2))), ["the memory has the shape (3,)", "(2,)"]),
    "a belt too wide": (lambda: lstm(rows(2), some(), start=(np.zeros(2), np.zeros(3))), ["the belt has the shape (3,)", "the memory (2,)"]),
    "a belt of NaN": (lambda: lstm(rows(2), some(), start=(np.zeros(2), np.array([np.nan, 0]))), ["belt[0] is NaN"]),
    "one memory to start from": (lambda: lstm(rows(2), some(), start=np.zeros(2)), ["start is a ndarray", "as a pair: (memory, belt)"]),
    "three to start from": (lambda: lstm(rows(2), some(), start=(np.zeros(2),) * 3), ["as a pair: (memory, belt)"]),
    "a gate of another width": (
        lambda: lstm(rows(1), replace(some(), admit=some(d_h=3).admit)),
        ["'keep': 2, 'admit': 3", "give their grids the same number of rows"],
    ),
    "a list": (lambda: lstm([[1.0, 2.0, 3.0]], some()), ["x is a list", "np.array(x)"]),
    "both ways, a batch": (lambda: bidirectional(rows(4).reshape(2, 2, 3), some(), some()), ["a batch of texts"]),
    "both ways, two widths": (lambda: bidirectional(rows(2), some(), some(d=4)), ["the stick is 3 wide", "the grid (2, 4)"]),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_refused_by_name(what):
    check_refusal(*REFUSALS[what])


@pytest.mark.parametrize("odd", [np.eye(2), Bidirectional(some(), some())], ids=["an array", "a pair in a pair"])
def test_what_does_not_walk_is_refused(odd):
    for mistake in (lambda: bidirectional(rows(2), some(), odd), lambda: bidirectional(rows(2), odd, some())):
        with pytest.raises(ValueError, match=rf"a {type(odd).__name__} is no walker; give a Recurrent or an LSTM"):
            mistake()
    with pytest.raises(ValueError, match="is no walker"):
        arrival(rows(2), Bidirectional(odd, some()))
    with pytest.raises(ValueError, match="a tuple is no walker"):
        walk(rows(2), (some(), some()))
