"""The records of chapter 02: on tiny tables with known answers, and (slow) on the real data."""

import json

import numpy as np
import pytest

from pencil.data import reviews
from pencil.data.vectors import Vectors
from pencil.experiments import records
from pencil.experiments.facts import glove_facts, width_sweep
from pencil.reference import tokenize, truncated_svd


@pytest.fixture
def toy(monkeypatch):
    """Four countries on a ring with their capitals one step north, two opposites, and a queen who is not nearest."""
    places = {"france": [1, 0, 0], "italy": [0, 1, 0], "spain": [1, 1, 0], "japan": [1, -1, 0]}
    places |= dict(zip(("paris", "rome", "madrid", "tokyo"), ([*xy, 2] for *xy, _ in list(places.values())), strict=True))
    places |= {"king": [3, 0, -1], "man": [1, 0.2, 0], "woman": [1.2, 0.6, 0], "queen": [2.6, 1, -1.4], "good": [-1, 0.1, 1], "bad": [-1, 0, 1]}
    monkeypatch.setattr(glove_facts, "load", lambda source: Vectors(tuple(places), np.array(list(places.values()), np.float32)))
    return places


def test_sums_are_asked_with_and_without_the_three_words(toy):
    facts = glove_facts.measure("toy")
    wanted = {"pairs": 4, "asked": 12, "right": 12, "right_of_all": 12, "one_of_three": 0, "third_alone": 1}  # a perfect ring
    assert facts["capitals"] == wanted


def test_the_control_asks_the_third_word_alone(toy):
    """Linzen's baseline: what is nearest to the third word, with no sum at all."""
    toy |= {"rome": [0, 1, 0.1], "tokyo": [1, -1, 0.1], "cat": [0, 0, 1], "dog": [0, 1, 1]}
    facts = glove_facts.measure("toy")
    pairs = [pair.split() for pair in ("france paris", "italy rome", "spain madrid", "japan tokyo")]
    right = 0
    for a, b in pairs:
        for c, d in pairs:
            others = {word: np.array(v) for word, v in toy.items() if word not in (a, b, c)}
            right += a != c and max(others, key=lambda word: others[word] @ toy[c] / np.linalg.norm(others[word])) == d
    assert facts["capitals"]["third_alone"] == right == 6
    moved = [np.array(toy[one], float) - toy[other] for one, other in (("woman", "man"), ("queen", "king"))]
    assert facts["steps"] == pytest.approx(moved[0] @ moved[1] / np.linalg.norm(moved[0]) / np.linalg.norm(moved[1]), abs=1e-6)
    (control,) = facts["control"]
    landed = np.array(toy["king"]) - toy["cat"] + toy["dog"]
    close = {word: landed @ v / np.linalg.norm(landed) / np.linalg.norm(v) for word, v in toy.items()}
    assert control["all"][0] == [max(close, key=close.get), pytest.approx(max(close.values()), abs=1e-6)]
    ranked = [word for word, _ in facts["queen"]["all"]]
    assert ranked[0] == "king" and facts["queen"]["without"][0][0] == "queen"
    assert not {word for word, _ in facts["queen"]["without"]} & {"king", "man", "woman"}
    assert facts["genders"]["pairs"] == 2 and facts["genders"]["asked"] == 2


def test_cosines_and_places_are_those_of_a_loop(toy):
    facts = glove_facts.measure("toy")
    assert set(facts["opposites"]) == {"good bad"} and facts["rows"] == len(toy) and facts["width"] == 3
    for first, second in (("good", "bad"), ("king", "queen")):
        a, b = (np.array(toy[word]) for word in (first, second))
        wanted = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
        found = (facts["opposites"] | facts["alike"])[f"{first} {second}"]
        assert found["cosine"] == pytest.approx(wanted, abs=1e-7)
        others = [np.array(v) for word, v in toy.items() if word not in (first, second)]
        assert found["place"] == 1 + sum(a @ v / (np.linalg.norm(a) * np.linalg.norm(v)) > wanted for v in others)


def test_words_of_one_list_are_counted_where_their_nearest_is_of_it(toy, monkeypatch):
    slots = glove_facts.measure("toy")["slots"]
    assert slots == {"words": 4, "lists": 1, "same": 4, "embedded": 4, "by_chance": 4.0}  # four cities, and no other word of a list
    monkeypatch.setattr(glove_facts, "SLOTS", ("city", "royal"))
    monkeypatch.setitem(glove_facts.LISTS, "royal", "king queen tokyo")  # a word of two lists counts for neither
    slots = glove_facts.measure("toy")["slots"]
    assert slots == {"words": 5, "lists": 2, "same": 5, "embedded": 5, "by_chance": 2.0}  # (3·2 + 2·1) / 4
    monkeypatch.setitem(glove_facts.LISTS, "royal", "king good")
    slots = glove_facts.measure("toy")["slots"]
    assert slots == {"words": 6, "lists": 2, "same": 4, "embedded": 4, "by_chance": 2.8}  # king and good are nearer to cities; (4·3 + 2·1) / 5


def test_a_job_leans_to_her_where_it_is_nearer_to_she(toy, monkeypatch):
    places = toy | {"he": [1, 0, 0], "she": [0, 1, 0], "nurse": [0, 2, 0], "boss": [3, 0, 4]}
    monkeypatch.setattr(glove_facts, "load", lambda source: Vectors(tuple(places), np.array(list(places.values()), np.float32)))
    assert glove_facts.measure("toy")["leans"] == {"nurse": pytest.approx(1), "boss": pytest.approx(-0.6)}


def test_the_facts_are_plain_json_and_the_embedded_sticks_will_do(toy, monkeypatch):
    from pencil.data import vectors

    monkeypatch.setattr(glove_facts, "load", vectors.load)
    facts = glove_facts.measure("embedded")
    assert json.loads(json.dumps(facts)) == facts
    assert facts["alike"]["king queen"]["place"] == 1 and facts["queen"]["without"][0][0] == "queen"


# ---- the sweep


@pytest.mark.parametrize("shape, width", [((30, 20), 4), ((200, 120), 10)])
def test_the_sketch_finds_what_the_whole_svd_finds(shape, width):
    random = np.random.default_rng(0)
    table = (random.normal(size=shape) * 0.9 ** np.arange(shape[1])) @ random.normal(size=(shape[1], shape[1]))
    found, whole = width_sweep.top_directions(table, width, 0), truncated_svd(table, width=width)
    np.testing.assert_allclose(np.linalg.norm(found, axis=0), whole.singular_values, rtol=1e-6)
    np.testing.assert_allclose(found @ found.T, whole.vectors @ whole.vectors.T, atol=1e-4 * whole.singular_values[0] ** 2)


def test_rare_words_and_empty_reviews_do_no_harm():
    vectors = np.array([[0.0, 0], [1, 2], [3, 4], [9, 9]])
    np.testing.assert_array_equal(width_sweep._mean_vector(vectors, np.array([1, 2, 3, 3]), 3), [2, 3])
    np.testing.assert_array_equal(width_sweep._mean_vector(vectors, np.array([3]), 3), [0, 0])
    np.testing.assert_array_equal(width_sweep._mean_vector(vectors, np.array([], int), 3), [0, 0])


def test_a_worker_finds_what_is_there_and_no_more():
    random = np.random.default_rng(1)
    labels = random.integers(0, 2, 400)
    means = random.normal(size=(400, 3))
    study, held = np.arange(300), np.arange(300, 400)
    assert 0.3 < width_sweep._accuracy(means, labels, study, held) < 0.7  # nothing to be found
    means[:, 1] += 20 * labels
    assert width_sweep._accuracy(means, labels, study, held) == 1
    assert width_sweep._accuracy(np.ones((400, 1)), labels, study, held) <= 1  # a flat slot is no division by 0


def test_the_sweep_on_the_embedded_reviews():
    found = width_sweep.measure(source="embedded", widths=(2, 8), vocab_size=300, seeds=2)
    assert (found["n_train"], found["n_test"], found["widths"]) == (2400, 600, [2, 8])
    runs = np.array(found["accuracy"])
    assert runs.shape == (2, 2) and ((runs > 0.4) & (runs < 1)).all()
    np.testing.assert_allclose(found["mean"], runs.mean(1), atol=1e-9)
    np.testing.assert_allclose(found["std"], np.abs(runs[:, 0] - runs[:, 1]) / np.sqrt(2), atol=1e-9)  # of two numbers
    assert width_sweep.measure(source="embedded", widths=(2, 8), vocab_size=300, seeds=2) == found


def test_one_split_alone_has_no_spread():
    with pytest.raises(ValueError, match=r"seeds=1 has no spread; give at least 2"):
        width_sweep.measure(source="embedded", seeds=1)


def test_what_the_chapter_says_stands_in_the_records():
    facts, sweep = records.read("glove_facts"), records.read("width_sweep")
    (first, king), (second, queen) = facts["queen"]["all"][:2]
    assert (first, second) == ("king", "queen") and king > 0.885 and 0.86 < queen < 0.8615
    assert facts["queen"]["without"][0] == facts["queen"]["all"][1]
    assert sweep["seeds"] >= 3 and sweep["widths"][0] == 8 and sweep["widths"][-1] == 300
    np.testing.assert_allclose(sweep["mean"], np.mean(sweep["accuracy"], axis=1))
    np.testing.assert_allclose(sweep["std"], np.std(sweep["accuracy"], axis=1, ddof=1))


@pytest.mark.slow
def test_glove_says_the_same_again(real_data):
    real_data("glove")
    again, recorded = glove_facts.measure(), records.read("glove_facts")
    assert again["rows"] == recorded["rows"], "another file of GloVe: record it anew, or read the first 9,163 lines"
    assert again == recorded.result


@pytest.mark.slow
def test_one_split_of_the_sweep_says_the_same_again(real_data):
    real_data("imdb")
    pile, recorded = reviews.load("full").train, records.read("width_sweep")
    again = width_sweep.one_split(
        [tokenize(text) for text in pile.texts], pile.labels, recorded["widths"], recorded["vocab_size"], recorded.provenance["seed"]
    )
    np.testing.assert_allclose(again, np.array(recorded["accuracy"])[:, 0], atol=0.002)  # ten reviews of 5,000
