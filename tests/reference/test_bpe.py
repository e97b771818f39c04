"""Byte-pair encoding against a slow implementation; round trips of any text; the merges of cat, sat and mat."""

import math
import time
from collections import Counter
from itertools import pairwise

import pytest
from draws import check_refusal
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import BPE, pair_counts, pre_tokenize, train_bpe

WORDS = st.lists(st.text("abcde", min_size=1, max_size=8), min_size=1, max_size=20)
TEXTS = st.text(st.sampled_from("abcat  \n\t.,!'é_1"), max_size=60) | st.text(max_size=30)


def by_hand(words, merges):
    """All words kept with a bar between pieces, all pairs counted anew each time, ties by the ids of the pieces."""
    cut, learned = [["", *word, ""] for word in words], []
    pieces = sorted({letter for word in words for letter in word})
    for _ in range(merges):
        counts = {}
        for word in cut:
            for a, b in pairwise(word[1:-1]):
                counts[a, b] = counts.get((a, b), 0) + 1
        if not counts:
            break
        best = sorted(counts, key=lambda pair: (-counts[pair], pieces.index(pair[0]), pieces.index(pair[1])))[0]
        learned.append(best)
        if best[0] + best[1] not in pieces:
            pieces.append(best[0] + best[1])
        cut = [f"|{'|'.join(word[1:-1])}|" for word in cut]
        for i, word in enumerate(cut):
            while f"|{best[0]}|{best[1]}|" in word:
                word = word.replace(f"|{best[0]}|{best[1]}|", f"|{best[0]}{best[1]}|", 1)
            cut[i] = ["", *word.strip("|").split("|"), ""]
    return learned, pieces, [word[1:-1] for word in cut]


def test_cat_sat_and_mat_come_to_share_a_piece():
    pairs = train_bpe(["cat", "sat", "mat"], num_merges=1)
    assert pairs.merges == (("a", "t"),) and pairs.pieces == ("a", "c", "m", "s", "t", "at")
    assert [pairs.tokenize(word) for word in ("cat", "sat", "mat", "bat"[1:], "tac")] == [
        ["c", "at"],
        ["s", "at"],
        ["m", "at"],
        ["at"],
        ["t", "a", "c"],
    ]
    assert pair_counts(["cat", "sat", "mat"]) == {("c", "a"): 1, ("a", "t"): 3, ("s", "a"): 1, ("m", "a"): 1}
    assert pair_counts(["cat", "sat", "mat"], merges=pairs.merges) == {("c", "at"): 1, ("s", "at"): 1, ("m", "at"): 1}


def test_of_equally_common_pairs_the_one_with_the_smaller_ids_is_joined():
    assert train_bpe(["sat", "cat"], num_merges=3).merges == (("a", "t"), ("c", "at"), ("s", "at"))
    assert train_bpe(["ba", "ab"], num_merges=1).merges == (("a", "b"),)


@given(WORDS, st.integers(0, 30))
def test_learning_is_that_of_the_slow_way(words, merges):
    learned, pieces, cut = by_hand(words, merges)
    found = train_bpe(words, num_merges=merges)
    assert list(found.merges) == learned and list(found.pieces) == pieces
    assert [found.tokenize(word) for word in words] == cut


@given(WORDS, st.integers(0, 30), st.text("abcde", min_size=1, max_size=40))
def test_a_new_word_is_cut_by_one_merge_after_another(words, merges, word):
    pairs, cut = train_bpe(words, num_merges=merges), list(word)
    while found := sorted({*pairwise(cut)} & {*pairs.merges}, key=pairs.merges.index):
        pieces, cut = iter(cut), []
        for piece in pieces:
            cut = [*cut[:-1], "".join(found[0])] if cut and (cut[-1], piece) == found[0] else [*cut, piece]
    assert set(word) - set(pairs.pieces) or pairs.tokenize(word) == cut


@given(WORDS, st.integers(0, 30))
def test_the_pair_that_is_joined_next_is_one_of_the_commonest(words, merges):
    found = train_bpe(words, num_merges=merges + 1)
    counts = pair_counts(words, merges=found.merges[:merges])
    if len(found.merges) > merges:
        assert counts[found.merges[merges]] == max(counts.values())
    else:
        assert pair_counts(words, merges=found.merges) == {}


@given(WORDS, st.integers(0, 10))
def test_words_may_come_with_their_counts(words, merges):
    assert train_bpe(Counter(words), num_merges=merges) == train_bpe(words, num_merges=merges)


@given(TEXTS)
def test_chunks_lose_nothing(text):
    assert "".join(pre_tokenize(text)) == text


def test_a_chunk_is_a_word_with_the_blank_before_it():
    assert pre_tokenize("The cat sat,  on\nmats.") == ["The", " cat", " sat", ",", " ", " on", "\n", "mats", "."]


@given(TEXTS, TEXTS, st.integers(0, 30))
def test_any_text_over_the_letters_comes_back(learned_from, text, merges):
    pairs = train_bpe(pre_tokenize(learned_from), num_merges=merges, initial_alphabet=text)
    ids = pairs.encode(text)
    assert pairs.decode(ids) == text
    assert ids.dtype.kind == "i" and len(ids) <= len(text)
    assert ((ids >= 0) & (ids < len(pairs.pieces))).all()


@given(WORDS, st.integers(0, 20))
def test_every_piece_is_a_letter_or_was_joined(words, merges):
    pairs = train_bpe(words, num_merges=merges)
    assert len(set(pairs.pieces)) == len(pairs.pieces) and len(set(pairs.merges)) == len(pairs.merges)
    letters = sorted({letter for word in words for letter in word})
    assert list(pairs.pieces) == letters + list(dict.fromkeys(a + b for a, b in pairs.merges if a + b not in letters))


def test_a_hundred_thousand_letters_take_seconds():
    text = " ".join(f"word{i % 977} is{i % 13}n't; it goes\n" for i in range(4_500))
    assert len(text) > 100_000
    start = time.perf_counter()
    pairs = train_bpe(pre_tokenize(text), num_merges=500)
    assert pairs.decode(pairs.encode(text)) == text
    assert time.perf_counter() - start < 20  # about one on an idle machine


def test_a_long_chunk_without_blanks_takes_seconds():
    text = "".join(f"word{i % 977}is{i % 13}nt" for i in range(4_500))
    pairs = train_bpe(pre_tokenize(" ".join(f"word{i}is{i % 13}nt" for i in range(977))), num_merges=300)
    assert len(text) > 40_000
    start = time.perf_counter()
    assert "".join(pairs.tokenize(text)) == text
    assert time.perf_counter() - start < 10  # a third of one on an idle machine; looking anew for each merge takes 300 times as many steps


def test_it_is_frozen_and_two_of_the_same_are_equal():
    pairs = train_bpe(["cat"], num_merges=1)
    assert pairs == BPE((("a", "t"),), ("a", "c", "t", "at"))
    with pytest.raises(AttributeError):
        pairs.merges = ()


WRONG = {
    "a letter that nobody taught": (lambda: train_bpe(["cat"], num_merges=1).encode("cab"), ["'b' is none of the 4 pieces", "initial_alphabet="]),
    "an id beyond the pieces": (lambda: train_bpe(["cat"], num_merges=1).decode([0, 4]), ["id 4", "0 to 3"]),
    "an id below zero": (lambda: train_bpe(["cat"], num_merges=1).decode([-1]), ["id -1"]),
    "an id that is no whole number": (lambda: train_bpe(["cat"], num_merges=1).decode([0.5]), ["id 0.5"]),
    "ids that are not numbers": (lambda: train_bpe(["cat"], num_merges=1).decode([math.nan]), ["id nan"]),
    "an id without end": (lambda: train_bpe(["cat"], num_merges=1).decode([math.inf]), ["id inf"]),
    "no text to encode": (lambda: train_bpe(["cat"], num_merges=1).encode(["cat"]), ["list", "not a text"]),
    "a text instead of words": (lambda: train_bpe("the cat", num_merges=1), ["'the cat' is a text", "pre_tokenize(text)"]),
    "a text to count in": (lambda: pair_counts("the cat"), ["is a text"]),
    "fewer than no merges": (lambda: train_bpe(["cat"], num_merges=-1), ["num_merges=-1", "0 or more"]),
    "a part of a merge": (lambda: train_bpe(["cat"], num_merges=1.5), ["num_merges=1.5", "a whole number"]),
    "no words at all": (lambda: train_bpe(None, num_merges=1), ["None is no word", "give a list of words"]),
    "words that are numbers": (lambda: pair_counts([1, 2]), ["1 is no word"]),
    "a word that is there less than never": (lambda: train_bpe({"cat": -1}, num_merges=1), ["'cat' is there -1 times", "0 or more"]),
    "a word that is there who knows how often": (lambda: train_bpe({"cat": math.nan}, num_merges=1), ["'cat' is there nan times"]),
    "letters instead of ids": (lambda: train_bpe(["cat"], num_merges=1).decode("cat"), ["'cat' are no ids", "from 0 to 3"]),
    "no ids at all": (lambda: train_bpe(["cat"], num_merges=1).decode(None), ["None are no ids"]),
    "words where a text is wanted": (lambda: pre_tokenize(["a"]), ["list", "not a text"]),
}


@pytest.mark.parametrize("mistake, parts", WRONG.values(), ids=WRONG)
def test_a_mistake_is_refused_and_the_message_names_it(mistake, parts):
    check_refusal(mistake, parts)
