"""Row words are given once, with an input, and every operation propagates them."""

import numpy as np
import pytest

from pencil.trace import Trace

PAIR = ("nolan", "ended")


@pytest.fixture
def trace():
    return Trace()


@pytest.fixture
def stick(trace):
    return trace.given("embedding", [[2, 1, 1, 0], [0, 1, 2, 1]], words=PAIR)


@pytest.fixture
def grid(trace):
    return trace.given("grid", np.arange(12.0).reshape(3, 4))


@pytest.mark.parametrize(
    "step, axes",
    [
        (lambda x, g: x + 1, (PAIR, None)),
        (lambda x, g: 1 - x, (PAIR, None)),
        (lambda x, g: np.exp(x), (PAIR, None)),
        (lambda x, g: np.where(x > 0, x, 0), (PAIR, None)),
        (lambda x, g: np.maximum(x, 0), (PAIR, None)),
        (lambda x, g: x @ g.T, (PAIR, None)),
        (lambda x, g: g @ x.T, (None, PAIR)),
        (lambda x, g: x @ x.T, (PAIR, PAIR)),
        (lambda x, g: (x @ x.T) @ x, (PAIR, None)),
        (lambda x, g: x.T, (None, PAIR)),
        (lambda x, g: x.swapaxes(0, 1), (None, PAIR)),
        (lambda x, g: x[:, 1:3], (PAIR, None)),
        (lambda x, g: x[:, None], (PAIR, None, None)),
        (lambda x, g: x[None], (None, PAIR, None)),
        (lambda x, g: x[::-1], (PAIR[::-1], None)),
        (lambda x, g: x[[1, 0]], (PAIR[::-1], None)),
        (lambda x, g: x[1:], (PAIR[1:], None)),
        (lambda x, g: np.flip(x, 0), (PAIR[::-1], None)),
        (lambda x, g: np.roll(x, 1, axis=0), (PAIR[::-1], None)),
        (lambda x, g: np.concatenate([x, x], axis=-1), (PAIR, None)),
        (lambda x, g: np.stack([x, x]), (None, PAIR, None)),
        (lambda x, g: np.split(x, 2, axis=-1)[1], (PAIR, None)),
        (lambda x, g: x.reshape(2, 2, 2), (PAIR, None, None)),
        (lambda x, g: x.reshape(2, 2, 2).transpose(1, 0, 2), (None, PAIR, None)),
        (lambda x, g: np.broadcast_to(x[:, :1], (2, 5)), (PAIR, None)),
        (lambda x, g: x.sum(-1), (PAIR,)),
        (lambda x, g: x.mean(-1, keepdims=True), (PAIR, None)),
        (lambda x, g: np.max(x, axis=1), (PAIR,)),
        (lambda x, g: x[:, 0], (PAIR,)),
        (lambda x, g: np.diagonal(x @ x.T), (PAIR,)),
        (lambda x, g: (x @ x.T)[..., None] * x, (PAIR, PAIR, None)),
        (lambda x, g: ((x @ x.T)[..., None] * x).sum(-2), (PAIR, None)),
        (lambda x, g: np.stack([x, x]) @ x.T, (None, PAIR, PAIR)),
        (lambda x, g: x @ np.stack([x.T, x.T]), (None, PAIR, PAIR)),
        (lambda x, g: x @ np.ones(4), (PAIR,)),
        (lambda x, g: np.ones((3, 4)) @ x.T, (None, PAIR)),
    ],
)
def test_words_stand_along_the_axis_their_rows_went_to(stick, grid, step, axes):
    assert step(stick, grid).axes == axes


@pytest.mark.parametrize(
    "step",
    [
        lambda x: x.mean(0),
        lambda x: x.sum(),
        lambda x: x.sum(0, keepdims=True),
        lambda x: np.concatenate([x, np.zeros((1, 4))]),  # one row has no word
        lambda x: np.concatenate([x, x]),  # each word is there twice
        lambda x: np.repeat(x, 2, axis=0),
        lambda x: x.reshape(4, 2),  # half a row each
        np.ravel,
    ],
)
def test_words_are_forgotten_where_rows_no_longer_have_one_each(stick, step):
    out = step(stick)
    assert not any(out.axes) and out.row_word == ()


def test_a_single_row_laid_against_more_rows_does_not_lend_them_its_word(trace):
    one = trace.given("one", [[1.0, 2.0]], words=["alone"])
    assert (one + np.ones((3, 2))).axes == (None, None)
    assert (one + trace.given("three", np.ones((3, 2)), words=["a", "b", "c"])).axes == (("a", "b", "c"), None)


def test_one_text_laid_against_a_batch_of_grids_does_not_lend_them_its_word(trace):
    one = trace.given("one", np.ones((1, 2, 4)), words=["alone"])
    assert (one @ np.ones((3, 4, 2))).axes == (None, None, None)
    assert (one @ np.ones((4, 2))).axes == (("alone",), None, None)


def test_a_row_that_was_picked_out_stays_of_its_word(trace, stick):
    row = trace("row", stick[1] * 2)
    assert row.row_word == ("ended",) and row.axes == (None,)
    assert trace.find("ended.row").exact.tolist() == [0, 2, 4, 2]
    assert trace.find("ended.row[2]").exact == 4
    with pytest.raises(KeyError, match="no row for 'nolan'"):
        trace.find("nolan.row")


def test_a_number_that_was_picked_out_is_of_both_its_words(trace, stick):
    trace("one", (stick @ stick.T)[0, 1])
    assert trace.find("nolan.one").exact == 3
    assert [type(word) for word in trace.names["one"].row_word] == [str, str]  # not NumPy's: it goes to JSON
    with pytest.raises(KeyError):
        trace.find("ended.one[nolan]")


def test_a_row_of_scores_keeps_the_words_that_it_looks_at(trace, stick):
    trace("look", (stick @ stick.T)[0])
    assert trace.names["look"].axes == (PAIR,)
    assert trace.find("nolan.look").exact.tolist() == [6, 3]
    assert trace.find("nolan.look[ended]").exact == 3


def test_rows_walked_one_by_one_keep_their_words(stick):
    assert [row.row_word for row in stick] == [("nolan",), ("ended",)]


def test_rows_stacked_again_are_not_all_of_the_first_word(stick):
    stacked = np.stack([row * 2 for row in stick])
    assert stacked.row_word == ()
    assert stacked.axes == (PAIR, None)


def test_rows_glued_end_to_end_are_of_no_word_but_twice_the_same_row_is(stick):
    assert np.concatenate([stick[0], stick[1]]).row_word == ()
    assert np.concatenate([stick[1], stick[1]]).row_word == ("ended",)


def test_two_givens_may_speak_of_the_same_words(trace, stick):
    positions = trace.given("positions", np.ones((2, 4)), words=PAIR)
    assert (stick + positions).axes == (PAIR, None)
    assert trace.words == PAIR


def test_columns_have_words_of_their_own(trace):
    table = trace.given("table", [[1, 2, 3], [4, 5, 6]], words=PAIR, columns=("red", "green", "blue"))
    assert table.T.axes == (("red", "green", "blue"), PAIR)
    assert trace.words == PAIR  # only rows may lead a reference
    trace("doubled", table * 2)
    assert trace.find("ended.doubled[green]").exact == 10


def test_a_look_up_takes_its_words_from_the_ids(trace):
    table = trace.given("table", np.arange(12.0).reshape(6, 2))
    ids = trace.given("ids", [5, 2], words=PAIR)
    trace("embedding", table[ids])
    assert trace.find("nolan.embedding").exact.tolist() == [10, 11]
    assert trace.find("ended.embedding").exact.tolist() == [4, 5]


def test_what_is_added_to_the_row_of_a_word_leaves_it_that_word_s(stick, grid):
    of_one, of_the_other = stick[0] @ grid.T, stick[1] @ grid.T
    assert (of_one + of_the_other).row_word == ("nolan",)  # the memory of a walk: the word that is read, and what the one before left
    assert (of_the_other + of_one).row_word == ("ended",)
    assert (of_one * of_the_other).row_word == () == (of_one - of_the_other).row_word
