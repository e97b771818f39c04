"""The numbers of A tiny GPT, worked once more with lists and `math`: counts, shares, the draw, perplexity, and the third word by the cache."""

import math
from itertools import pairwise

import numpy as np
import pytest

from pencil.data.text import load
from pencil.experiments.records import read
from pencil.experiments.writer.tiny_gpt import ngram_loss
from pencil.paths import ROOT
from pencil.publish import Published


@pytest.fixture(scope="module")
def found():
    page = Published.read(ROOT / "notebooks/14_tiny_gpt.ipynb")
    return lambda name: np.asarray(page.find(name).exact).tolist()


def shares(scores):
    raised = [math.exp(score) for score in scores]
    return [each / sum(raised) for each in raised]


def test_the_count_of_the_mat(found):
    text = "the cat sat on the mat"
    followers = [b for a, b in pairwise(text) if a == "t"]
    assert [found(f"count.{name}") for name in ("letters", "kinds", "stands")] == [len(text), len(set(text)), text.count("h")]
    assert [found(f"count.{name}") for name in ("seen", "followers", "pairs")] == [len(followers), len(set(followers)), followers.count("h")]
    for letter, name in (("h", "count.after.prob"), ("a", "turn.a.after.prob")):
        alone = (text.count(letter) + len(set(text)) / len(set(text))) / (len(text) + len(set(text)))
        assert found(name) == pytest.approx((followers.count(letter) + len(set(followers)) * alone) / (len(followers) + len(set(followers))))


def test_perplexity_is_the_geometric_mean(found):
    assert found("unsure.perplexity") == pytest.approx((1 / (0.5 * 0.25 * 0.125)) ** (1 / 3))
    assert found("turn.even.perplexity") == pytest.approx(found("kinds"))


@pytest.mark.parametrize("name, t", [("weights", 1), ("cold.weights", 0.5), ("hot.weights", 2), ("turn.freezing.weights", 0.25)])
def test_the_shares_at_every_temperature(found, name, t):
    assert found(name) == pytest.approx(shares([score / t for score in (2, 1, 0)]))


def test_what_is_struck_out_and_what_is_drawn(found):
    assert found("two.weights") == pytest.approx([*shares([2, 1]), 0]) and found("turn.wide.weights") == pytest.approx([*shares([2, 1]), 0])
    assert found("mass.weights") == [1, 0, 0]
    first, second, _ = shares([2, 1, 0])
    assert first <= found("u") < first + second and found("drawn") == 1 and found("turn.u") >= first + second


def test_the_third_word_by_the_cache_is_the_third_word(found):
    for name in ("scores", "weights", "context", "residual", "out"):
        assert found(f"fresh.new.next.{name}") == pytest.approx(found(f"long_way.new.{name}"), abs=1e-12)
    assert found("long_way.cat.weights") == [1, 0, 0]
    assert found("turn.rows") == sum(range(1, 6)) and found("turn.gpt.cache") == 2 * 12 * 768 * 1024


def test_what_is_said_of_shakespeare(found):
    counted, ours, usual = read("tiny_gpt")["ngram_loss"], found("play_loss"), 1.88
    assert counted["5"] < ours < counted["4"] < usual < counted["3"] and counted["5"] < counted["6"]
    assert found("page_loss_in_bytes") - found("page_loss") < 0.001 and found("page_loss") < ngram_loss(load(), 5)
