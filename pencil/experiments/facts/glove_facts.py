"""GloVe: nearest neighbours, opposites, the analogy king − man + woman, and gender bias."""

from collections import Counter

import numpy as np

from pencil.data.embedded.grammar import LISTS
from pencil.data.vectors import Vectors, load
from pencil.experiments.records import as_recorded
from pencil.reference import cosine_similarity
from pencil.rounding import on_paper

ASKED = ("king", "good", "bad", "cat", "film", "table", "not", "bank")
OPPOSITES = (
    "good bad",
    "hot cold",
    "up down",
    "buy sell",
    "fast slow",
    "black white",
    "increase decrease",
    "love hate",
    "success failure",
    "true false",
)
ALIKE = ("good great", "movie film", "king queen", "cat dog", "sat sitting")
UNLIKE = ("the king", "cat table", "king table")
CAPITALS = (
    "france paris", "italy rome", "germany berlin", "spain madrid", "japan tokyo", "russia moscow", "china beijing", "greece athens",
    "egypt cairo", "iraq baghdad", "iran tehran", "england london", "austria vienna", "portugal lisbon", "ireland dublin", "norway oslo",
    "sweden stockholm", "cuba havana", "turkey ankara", "poland warsaw", "afghanistan kabul", "thailand bangkok", "ukraine kiev", "kenya nairobi",
)  # fmt: skip
GENDERS = (
    "man woman", "king queen", "father mother", "brother sister", "son daughter", "uncle aunt", "husband wife", "boy girl", "he she",
    "his her", "actor actress", "prince princess",
)  # fmt: skip

SLOTS = ("trade", "animal", "thing", "food", "drink", "place", "vehicle", "day", "number", "weather", "city")  # nouns of the embedded reviews
JOBS = (
    "nurse", "dancer", "singer", "writer", "teacher", "doctor", "surgeon", "soldier", "driver", "scientist", "lawyer", "engineer", "secretary",
    "architect", "president", "boss", "captain",
)  # fmt: skip

STRIPS = ("king", "queen", "man", "woman", "table", "lamp")  # whose rows are drawn
MAP = (
    "king", "queen", "prince", "man", "woman", "boy", "girl", "cat", "dog", "horse", "film", "movie", "actor", "good", "bad",
    "great", "paris", "rome", "london", "france", "italy", "england", "monday", "friday", "sunday", "buy", "sell", "three", "four", "five",
)  # fmt: skip

COMMONEST = 9_163  # words that the recorded run uses


def measure(source="full"):  # -> JSON-able, for `python -m pencil record glove_facts`
    """Neighbours, cosines and analogies among the 9,163 most frequent of the file's 400,000 words."""
    whole, embedded = load(source), load("embedded")
    vectors = Vectors(whole.words[:COMMONEST], np.array(whole.table[:COMMONEST], float))  # cosines in double precision
    return {
        "rows": len(vectors.words),
        "width": int(vectors.table.shape[1]),
        "neighbours": {word: _pairs(vectors.nearest(word, 6)) for word in _known(vectors, ASKED)},
        "strips": {word: on_paper(vectors[word], 2, figures=None).tolist() for word in _known(vectors, STRIPS)},
        "map": _map(vectors, _known(vectors, MAP)),
        "opposites": _cosines(vectors, OPPOSITES),
        "alike": _cosines(vectors, ALIKE),
        "unlike": _cosines(vectors, UNLIKE),
        "queen": _sum(vectors, "man", "king", "woman"),
        "control": [_sum(vectors, *words.split()) for words in _known(vectors, ("cat king dog",))],  # an offset that has nothing to do with it
        "steps": as_recorded(cosine_similarity(vectors.of("woman") - vectors.of("man"), vectors.of("queen") - vectors.of("king"))[0, 0]),
        "capitals": _questions(vectors, CAPITALS),
        "genders": _questions(vectors, GENDERS),
        "slots": _slots(vectors, embedded),
        "leans": {word: as_recorded(_cosine(vectors, word, "she") - _cosine(vectors, word, "he")) for word in _known(vectors, JOBS)},
        "doctor": [_sum(vectors, *words.split()) for words in _known(vectors, ("man doctor woman",))],
    }


def _map(vectors, words):  # -> {word: its two coordinates along the directions in which these words, at length 1, differ most}
    rows = vectors.of(*words)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    rows -= rows.mean(0)
    directions = np.linalg.svd(rows, full_matrices=False)[2][:2]
    places = rows @ (directions * np.sign(directions.sum(1, keepdims=True))).T
    return dict(zip(words, on_paper(places, 3, figures=None).tolist(), strict=True))


def _slots(*tables):  # -> for each table, how many of the grammar's nouns have their nearest neighbour in their own list
    lists = [set(LISTS[name].lower().split()) for name in SLOTS]
    dealt = Counter(word for words in lists for word in words)
    kinds = {word: k for k, words in enumerate(lists) for word in sorted(words) if dealt[word] == 1 and all(word in table for table in tables)}
    kind = np.array(list(kinds.values()))
    same, found = kind[:, None] == kind, []
    for table in tables:
        close = cosine_similarity(table.of(*kinds), table.of(*kinds)) - 3 * np.eye(len(kind))  # the word itself is no neighbour
        found.append(int(same[np.arange(len(kind)), close.argmax(1)].sum()))
    by_chance = (same.sum(1) - 1).sum() / (len(kind) - 1)
    return {"words": len(kind), "lists": len(set(kinds.values())), "same": found[0], "embedded": found[1], "by_chance": as_recorded(by_chance)}


def _cosine(vectors, word, other):
    return cosine_similarity(vectors.of(word), vectors.of(other))[0, 0]


def _pairs(found):
    return [[word, as_recorded(close)] for word, close in found]


def _known(vectors, listed):  # the words, or pairs of words, that all have vectors
    return [entry for entry in listed if all(word in vectors for word in entry.split())]


def _cosines(vectors, pairs):  # -> {pair: the cosine, and the rank of the second word among the neighbours of the first}
    found = {}
    for pair in _known(vectors, pairs):
        close = cosine_similarity(vectors.of(pair.split()[0]), vectors.table)[0]
        first, second = (vectors.words.index(word) for word in pair.split())
        nearer = int((close > close[second]).sum()) - int(close[first] > close[second])  # the word itself is no neighbour
        found[pair] = {"cosine": as_recorded(close[second]), "place": nearer + 1}
    return found


def _sum(vectors, a, b, c):  # b − a + c: the nearest words, with and without these three
    vector = vectors[b] - vectors[a] + vectors[c]
    return {"all": _pairs(vectors.nearest(vector, 4)), "without": _pairs(vectors.nearest(vector, 4, without=(a, b, c)))}


def _questions(vectors, pairs):  # analogies a : b = c : ? of every two pairs
    pairs = [pair.split() for pair in _known(vectors, pairs)]
    asked = {"asked": 0, "right": 0, "right_of_all": 0, "one_of_three": 0, "third_alone": 0}
    for a, b in pairs:
        for c, d in pairs:
            if a == c:
                continue
            ranking = [word for word, _ in vectors.nearest(vectors[b] - vectors[a] + vectors[c], 4)]
            asked["asked"] += 1
            asked["right"] += next(word for word in ranking if word not in (a, b, c)) == d
            asked["right_of_all"] += ranking[0] == d
            asked["one_of_three"] += ranking[0] in (a, b, c)
            asked["third_alone"] += vectors.nearest(c, 1, without=(a, b, c))[0][0] == d  # Linzen's baseline: no offset at all
    return {"pairs": len(pairs)} | asked
