"""The figures of chapter 01: a few reviews by hand, the embedded ones against loops, the real ones against the record."""

import json
from collections import Counter

import numpy as np
import pytest

from pencil.data import reviews
from pencil.examples import MEME, MEME_SCRAMBLED
from pencil.experiments import records
from pencil.experiments.facts import imdb_facts as facts
from pencil.experiments.facts.imdb_facts import Tokenised, has_rating, measure, present, read_twice, scramble, sizes, telling_words, vocabulary
from pencil.reference import build_vocabulary, tokenize, train_bpe

TEXTS = [["the", "cat", "sat", "on", "the", "mat"], ["the", "cat"], ["dull", "8", "10"]]


def pile(texts, words, labels):
    return Tokenised(texts, [words.ids(text) for text in texts], np.array(labels))


@pytest.fixture
def words():
    return build_vocabulary(TEXTS, size=2)  # the, cat


def test_sizes_and_shares_of_three_reviews(words):
    found = sizes(pile(TEXTS, words, [1, 1, 0]), words, max_len=3)
    assert found == {
        "reviews": 3, "tokens": 11, "mean": 3.6666666667, "median": 3.0, "long": 0.3333333333, "kept": 0.7272727273, "unknown": 0.5454545455,
        "shortest": 2, "longest": 6,
    }  # fmt: skip


def test_the_vocabulary_of_three_reviews(words):
    found = vocabulary(Counter(token for text in TEXTS for token in text), words)
    assert (found["different"], found["once"], found["count_of_last_kept"]) == (8, 6, 2)
    assert found["ranks"] == {"the": 1, "cat": 2, "sat": 3, "on": 4, "mat": 5}
    assert found["counts"]["the"] == 3 and found["alike"] == {"the": 1, "cat": 1, "sat": 6, "on": 6, "mat": 6}
    assert found["covered"] == [[1, 0.2727272727]]


def test_a_word_tells_that_stands_often_and_in_one_half(words, monkeypatch):
    monkeypatch.setattr(facts, "MIN_REVIEWS", 2)
    found = telling_words(pile([["cat", "the"], ["cat", "the", "cat"], ["the", "qxzbr"], ["qxzbr", "the"]], words, [1, 1, 0, 0]), words)
    assert np.flatnonzero(found).tolist() == [words.ranks["cat"]]  # "the" leans nowhere, the unknown is not asked


def test_present_notes_each_word_once_a_review():
    table = present([np.array([3, 1, 3]), np.array([1])], rows=5)
    assert table.toarray().tolist() == [[0, 1, 0, 1, 0], [0, 1, 0, 0, 0]]


@pytest.mark.parametrize(
    "text, rated", [("a dull film 8/10", True), ("10 of 10 people", False), ("I give it 10/10.", True), ("ten out of 10", False)]
)
def test_a_rating_is_a_number_before_a_ten(text, rated):
    assert has_rating(tokenize(text)) is rated


def test_scrambling_keeps_the_ends_and_the_letters():
    rng = np.random.default_rng(0)
    for word in ("a", "it", "the", "letters", "important", "doesn't"):
        amp = scramble(word, rng)
        assert (amp[0], amp[-1], sorted(amp)) == (word[0], word[-1], sorted(word))
        assert len(word) > 3 or amp == word
    assert len({scramble("important", rng) for _ in range(20)}) > 15


def test_the_letter_of_the_slides_keeps_its_own_rule():
    plain, amp = tokenize(MEME), tokenize(MEME_SCRAMBLED)
    for a, b in zip(plain, amp, strict=True):
        assert (a[0], a[-1], sorted(a)) == (b[0], b[-1], sorted(b))
    assert [a == b for a, b in zip(plain, amp, strict=True)] == [len(a) <= 3 for a in plain]


def test_both_readings_of_a_sentence(words):
    pairs = train_bpe([token for text in TEXTS for token in text], num_merges=1)
    assert pairs.pieces[-1] == "at"
    assert read_twice(["the", "mat", "the"], words, pairs) == {"words": 3, "unknown": 1, "pieces": 3 + 2 + 3}


def test_the_embedded_reviews_give_what_loops_give():
    found, read = measure(source="embedded", vocab_size=300, max_len=40), reviews.load()
    split = [tokenize(text) for text in read.train.texts]
    lengths = [len(text) for text in split]
    assert found["train"]["mean"] == pytest.approx(sum(lengths) / len(lengths), rel=1e-11)
    assert found["train"]["long"] == pytest.approx(sum(n > 40 for n in lengths) / len(lengths), rel=1e-9)
    ranked = [word for word, _ in Counter(token for text in split for token in text).most_common()]
    kept = set(ranked[:300])
    unknown = [token not in kept for text in read.test.texts for token in tokenize(text)]
    assert found["test"]["unknown"] == pytest.approx(sum(unknown) / len(unknown), rel=1e-9)
    assert all(found["words"]["ranks"][word] == ranked.index(word) + 1 for word in found["words"]["ranks"])
    assert found["pieces"]["pieces"] == 300
    assert 0.5 < found["ends"]["right"]["whole"] < 1
    assert json.loads(json.dumps(found)) == found


def test_the_record_holds_the_known_figures():
    found = records.read("imdb_facts")
    assert found["words"]["different"] == 88_582 and found["train"]["reviews"] == found["test"]["reviews"] == 25_000
    known = {"movie": 17, "was": 13, "boring": 355, "ended": 1_051, "nolan": 5_686}
    assert known.items() <= found["words"]["ranks"].items()
    assert found["train"]["long"] == 0.8852 and found["train"]["mean"] == 237.71364


@pytest.mark.slow
def test_measured_anew_on_the_real_reviews_it_is_the_record(real_data):
    real_data("imdb")
    found = measure(seed=records.read("imdb_facts").provenance["seed"])
    assert found == records.read("imdb_facts").result
