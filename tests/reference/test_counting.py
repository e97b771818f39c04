"""One-hot rows, count vectors and TF-IDF, against loops and the numbers of the slides."""

import math

import numpy as np
import pytest
from draws import check_refusal
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import bag_of_words, one_hot, tf_idf
from pencil.trace import Trace
from pencil.worked import Worked

SLIDES = ["AI", "changes", "world"]
WORDS = "abcdefgh"
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), min_size=1, max_size=6)


def test_the_vector_of_the_slides_is_a_count_and_not_one_hot():
    assert bag_of_words([["AI", "world"]], SLIDES).tolist() == [[1, 0, 1]]
    assert one_hot(["AI", "world"], SLIDES).tolist() == [[1, 0, 0], [0, 0, 1]]


@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=8, unique=True))
def test_any_two_words_have_the_dot_0_and_the_distance_root_2(words):
    rows = one_hot(words, WORDS)
    for i, a in enumerate(rows):
        for j, b in enumerate(rows):
            assert a @ b == (i == j)
            assert math.dist(a, b) == (0 if i == j else math.sqrt(2))


@given(TEXTS)
def test_a_count_vector_is_the_sum_of_the_one_hot_rows(texts):
    counts = bag_of_words(texts, WORDS)
    assert counts.tolist() == [one_hot(text, WORDS).sum(0).tolist() for text in texts]
    assert counts.tolist() == [[text.count(word) for word in WORDS] for text in texts]


def test_a_word_outside_the_vocabulary_is_not_counted():
    assert bag_of_words([["a", "qxzbr"], ["qxzbr"]], "ab").tolist() == [[1, 0], [0, 0]]


def tf_idf_by_hand(counts):
    n, out = len(counts), {name: [] for name in ("doc_freq", "idf", "weighted", "square_sum", "length", "tf_idf")}
    for word in range(len(counts[0])):
        out["doc_freq"].append(sum(row[word] > 0 for row in counts))
        out["idf"].append(math.log((1 + n) / (1 + out["doc_freq"][word])) + 1)
    for row in counts:
        weighed = [count * idf for count, idf in zip(row, out["idf"], strict=True)]
        total = math.fsum(w * w for w in weighed)
        out["weighted"].append(weighed)
        out["square_sum"].append([total])
        out["length"].append([math.sqrt(total)])
        out["tf_idf"].append([w / math.sqrt(total) for w in weighed])
    return out


@given(TEXTS)
def test_every_value_of_tf_idf_is_that_of_a_loop(texts):
    seen = {}
    tf_idf(bag_of_words(texts, WORDS), note=lambda name, value: seen.setdefault(name, value))
    by_hand = tf_idf_by_hand([[text.count(word) for word in WORDS] for text in texts])
    assert seen.keys() == by_hand.keys()
    for name, value in by_hand.items():
        np.testing.assert_allclose(seen[name], value, rtol=1e-14, err_msg=name)


@given(TEXTS)
def test_a_row_of_tf_idf_is_one_long_and_counts_no_word_that_is_not_there(texts):
    counts = bag_of_words(texts, WORDS)
    rows = tf_idf(counts)
    np.testing.assert_allclose((rows * rows).sum(-1), 1, rtol=1e-14)
    assert ((rows > 0) == (counts > 0)).all()


def test_under_a_trace_it_writes_its_lines():
    counts = bag_of_words([["the", "cat", "sat"], ["the", "dog", "ran"], ["the", "cat", "ran"]], ["the", "cat", "sat", "dog", "ran"])
    trace = Trace()
    tf_idf(trace.given("counts", counts, words=["first", "second", "third"], columns=["the", "cat", "sat", "dog", "ran"]), note=trace)
    sheet = Worked(trace)
    assert sheet.text("idf[cat]") == "cat.IDF = ln(4 / (1 + 2)) + 1 = 1.288"
    assert sheet.text("first.length") == "first.length = √5.525 = 2.351"
    assert sheet.row("first.tf_idf") == "[0.425, 0.548, 0.720, 0, 0]"
    np.testing.assert_array_equal(trace.find("tf_idf").exact, tf_idf(counts))


WRONG = {
    "a token without a place": (lambda: one_hot(["AI", "moon"], SLIDES), ["'moon' has no place among the 3 words", "unknown word"]),
    "a text that is not split": (lambda: one_hot("AI world", SLIDES), ["split it into words"]),
    "texts that are not split": (lambda: bag_of_words(["AI world"], SLIDES), ["split it into words"]),
    "a word twice": (lambda: bag_of_words([["a"]], ["a", "a"]), ["twice", "one place"]),
    "one row of counts": (lambda: tf_idf(np.array([1, 2])), ["tf_idf: counts has the shape (2,); it takes (n, V)"]),
    "a count below zero": (lambda: tf_idf(np.array([[1, -1]])), ["a count is -1.0", "0 or more"]),
    "a text without a word": (lambda: tf_idf(np.array([[1, 0], [0, 0]])), ["text 1 has no word", "leave it out"]),
    "no texts": (lambda: tf_idf(np.zeros((0, 3))), ["counts is empty"]),
    "NaN": (lambda: tf_idf(np.array([[1, np.nan]])), ["counts[0, 1] is NaN"]),
}


@pytest.mark.parametrize("mistake, parts", WRONG.values(), ids=WRONG)
def test_a_mistake_is_refused_and_the_message_names_it(mistake, parts):
    check_refusal(mistake, parts)
