"""Words to ids: ranks, padding, and the id of unknown words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pencil import examples
from pencil.reference import PADDING, Vocabulary, build_vocabulary, embed, pad_or_truncate, padding_mask

tokens = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12)
BOOK = Vocabulary(examples.REVIEW_RANKS, 10_000)


def test_words_are_ranked_by_count_and_ties_by_first_sight():
    counted = build_vocabulary([["b", "a", "c"], ["a", "c", "a"]], size=10)
    assert counted.ranks == {"a": 1, "c": 2, "b": 3}
    assert build_vocabulary([["x", "y", "z"]], size=10).ranks == {"x": 1, "y": 2, "z": 3}


def test_the_review_of_the_source_becomes_its_ids_and_98_zeros():
    ids = pad_or_truncate(BOOK.ids(["nolan", "ended"]), max_len=100)
    assert ids[:2].tolist() == [73, 88] and len(ids) == 100
    assert (ids[2:] == PADDING).sum() == 98
    assert padding_mask(ids).sum() == 2


def test_a_word_beyond_the_kept_ones_gets_the_shared_unknown():
    rare = Vocabulary({**examples.REVIEW_RANKS, "qxzbr": 400_000}, 10_000)
    assert rare.ids(["nolan", "qxzbr", "ended"]).tolist() == [73, 10_001, 88]
    assert rare.ids(["never_seen"]).tolist() == [10_001]


def test_the_last_kept_rank_keeps_its_id_and_the_next_does_not():
    words = Vocabulary({"last": 5, "next": 6}, 5)
    assert words.ids(["last", "next"]).tolist() == [5, 6]
    assert words.unknown == 6 and words.num_embeddings == 7


def test_a_table_for_the_book_has_a_row_for_padding_and_one_for_unknown():
    assert BOOK.num_embeddings == 10_002  # the words, padding, unknown


@given(st.lists(tokens, min_size=1, max_size=4), st.integers(1, 10))
def test_every_id_is_a_row_of_the_table_and_none_is_padding(texts, size):
    words = build_vocabulary(texts, size=size)
    for text in texts:
        ids = words.ids(text)
        assert ((ids > PADDING) & (ids < words.num_embeddings)).all()
        assert all((i == words.unknown) == (words.ranks[t] > size) for i, t in zip(ids, text, strict=True))


@given(st.lists(tokens, min_size=1, max_size=4))
def test_a_commoner_word_never_has_a_higher_rank(texts):
    count = {w: sum(t.count(w) for t in texts) for w in "abcdefgh"}
    ranks = build_vocabulary(texts, size=10).ranks
    assert sorted(ranks.values()) == list(range(1, len(ranks) + 1))
    assert all(count[a] >= count[b] for a in ranks for b in ranks if ranks[a] < ranks[b])


@given(st.lists(st.integers(1, 9), max_size=12), st.integers(1, 12))
def test_padding_and_chopping_give_exactly_that_many_slots(ids, max_len):
    out = pad_or_truncate(np.array(ids, int), max_len=max_len)
    assert len(out) == max_len
    assert out.tolist() == (ids + [0] * max_len)[:max_len]
    assert padding_mask(out).sum() == min(len(ids), max_len)


@pytest.mark.parametrize("ids", [[], [3], [3, 4, 5]])
def test_padded_ids_stay_whole_numbers(ids):
    assert pad_or_truncate(ids, max_len=2).dtype.kind == "i"  # floats cannot look anything up


@pytest.mark.parametrize("ids", [[73, 88], (73, 88), np.array([73, 88]), np.array([73, 88], np.int32)])
def test_ids_may_be_a_list_a_tuple_or_an_array(ids):
    assert pad_or_truncate(ids, max_len=3).tolist() == [73, 88, 0]
    assert padding_mask(ids).tolist() == [True, True]


def test_looking_up_does_not_change_the_table():
    table = np.ones((3, 2))
    embed([0, 1], table)[0] = 7
    assert (table == 1).all()


def test_a_name_tag_is_no_weight():
    """Swapping two words' ids and their rows changes nothing: only the row behind an id counts."""
    table = np.arange(8.0).reshape(4, 2)
    swapped = table[[0, 3, 2, 1]]
    assert np.array_equal(embed([1, 2, 3], table), embed([3, 2, 1], swapped))


def test_whole_numbers_written_with_a_point_are_ids():
    np.testing.assert_array_equal(embed(np.array([2.0, 0.0]), np.eye(3)), embed(np.array([2, 0]), np.eye(3)))
    np.testing.assert_array_equal(embed([1], np.eye(3)), np.eye(3)[[1]])
