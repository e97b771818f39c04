"""Tokenization and padding, against loops."""

import numpy as np
import pytest
from draws import check_refusal
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import PADDING, build_vocabulary, pad_or_truncate, tokenize, words_and_punctuation

TEXTS = st.text(st.sampled_from("abC Dé'.,!?-_\t\n\r  \x0b<br/>İß3"), max_size=40) | st.text(max_size=20)
SPLITTERS = set('\t\n !"#$%&()*+,-./:;<=>?@[\\]^_`{|}~')


def tokens_by_hand(text):
    """Letter by letter: collect until a blank or a mark comes."""
    out, word = [], ""
    for letter in text.lower() + " ":
        if letter in SPLITTERS:
            out += [word] if word else []
            word = ""
        else:
            word += letter
    return out


def test_the_sentence_of_the_slides_with_and_without_its_full_stop():
    assert words_and_punctuation("AI changes the world.") == ["AI", "changes", "the", "world", "."]
    assert tokenize("AI changes the world.") == ["ai", "changes", "the", "world"]


@pytest.mark.parametrize(
    "text, words",
    [
        ("Don't!", ["don't"]),
        ("a well-made film<br /><br />It ends.", ["a", "well", "made", "film", "br", "br", "it", "ends"]),
        ("", []),
        ("... !", []),
        ("10/10", ["10", "10"]),
        ("a\u00a0b", ["a\u00a0b"]),  # Keras splits at a plain blank, a tab and a line's end alone
    ],
)
def test_the_rule_at_its_corners(text, words):
    assert tokenize(text) == words


@given(TEXTS)
def test_tokens_are_those_of_a_loop_over_letters(text):
    assert tokenize(text) == tokens_by_hand(text)


@given(TEXTS)
def test_tokens_of_tokens_are_themselves(text):
    once = tokenize(text)
    assert tokenize(" ".join(once)) == once


@given(TEXTS)
def test_words_and_marks_lose_nothing_but_blanks(text):
    pieces = words_and_punctuation(text)
    assert "".join(pieces) == "".join(text.split())
    assert all(len(piece) == 1 or all(c.isalnum() or c == "_" for c in piece) for piece in pieces if piece.isascii())


@pytest.mark.parametrize("split", [tokenize, words_and_punctuation])
@pytest.mark.parametrize("thing", [["a", "b"], None, b"bytes", 3])
def test_what_is_no_text_is_refused(split, thing):
    check_refusal(lambda: split(thing), [type(thing).__name__, "one text at a time"])


def padded_by_hand(ids, max_len, pad, chop):
    ids = list(ids)
    while len(ids) > max_len:
        ids.pop(0 if chop == "front" else -1)
    while len(ids) < max_len:
        ids.insert(0 if pad == "front" else len(ids), PADDING)
    return ids


SIDES = st.sampled_from(["end", "front"])


@given(st.lists(st.integers(1, 9), max_size=12), st.integers(1, 12), SIDES, SIDES)
def test_either_end_can_be_filled_and_either_chopped(ids, max_len, pad, chop):
    out = pad_or_truncate(np.array(ids, int), max_len=max_len, padding=pad, truncating=chop)
    assert out.tolist() == padded_by_hand(ids, max_len, pad, chop) and out.dtype.kind == "i"


@pytest.mark.parametrize("said", [{"padding": "post"}, {"truncating": "pre"}, {"padding": "start"}])
def test_another_word_for_a_side_is_refused_and_translated(said):
    (name, side), *_ = said.items()
    check_refusal(lambda: pad_or_truncate([1, 2], max_len=3, **said), [f"{name}={side!r}", '"end" (Keras: "post")', '"front" (Keras: "pre")'])


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_a_dictionary_of_texts_ranks_as_a_loop_does(texts):
    split = [tokenize(text) for text in texts]
    counts = {}
    for word in (w for words in split for w in words):
        counts[word] = counts.get(word, 0) + 1
    by_hand = []
    for word, count in counts.items():  # set in behind every word that is as common or commoner
        by_hand.insert(sum(counts[other] >= count for other in by_hand), word)
    assert list(build_vocabulary(split, size=10).ranks) == by_hand
