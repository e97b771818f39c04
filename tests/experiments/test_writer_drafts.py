"""Speculative decoding of the tiny GPT: statistics, both drafters, and the record."""

import numpy as np
import pytest

from pencil.experiments.records import read
from pencil.experiments.writer import drafts
from pencil.model import NextToken
from pencil.reference import count_ngrams, ngram_probs


def test_the_tally_counts_what_was_checked():
    tally, half = drafts.Tally(2), np.full((2, 2), 0.5)
    for n_accepted in (2, 0, 1):
        tally(np.array([0, 1]), half, np.array([[1, 0], [0.5, 0.5], [0.5, 0.5]]), n_accepted)
    tally(np.array([0]), half[:1], half, 1)  # cut short: not counted
    found = tally.result()
    assert (found["rounds"], found["checked"], found["accepted"]) == (3, 5, 0.6)
    assert found["predicted"] == pytest.approx((0.5 + 1 + 0.5 + 0.5 + 1) / 5) and found["tokens"] == 2
    assert found["tokens_expected"] == pytest.approx(1 + 0.6 + 0.36)


def test_a_drafter_that_counts_looks_at_the_last_pieces_alone():
    counted = count_ngrams(np.arange(90) % 7, order=3, vocab_size=9)
    for sampling, wanted in (({}, ngram_probs(counted, np.array([4, 5]))), ({"top_k": 1}, np.eye(9)[6])):
        np.testing.assert_allclose(drafts.by_counting(counted, **sampling)([1, 2, 4, 5]), wanted[None], atol=1e-12)


def test_blocks_that_add_nothing_change_no_probability():
    ids = list(range(9))
    np.testing.assert_allclose(NextToken(drafts.read_writer(3))(ids, 4), NextToken(drafts.read_writer())(ids, 4), atol=1e-7)


def test_a_small_measurement_has_its_parts(monkeypatch):
    monkeypatch.setattr(drafts, "IDLE", 1)
    found = drafts.measure(steps=2, n_drafts=(2,), texts=1, turns=1, count=9)
    for weight, blocks in (("light", 2), ("heavy", 3)):
        one = found[weight]
        assert one["blocks"] == blocks and one["same_greedy_text"]
        for (told,) in one["by"].values():
            assert told["rounds"] > 0 and 0 <= told["accepted"] <= 1 <= told["tokens"] <= 3 and len(told["faster"]) == 3
        assert set(one["costs"]["pass_with_drafts"]) == {"2"} and set(one["costs"]["draft"]) == set(one["by"])


def test_the_record_is_of_this_measurement_and_says_what_the_page_says():
    recorded = read("drafts")
    assert (recorded["texts"], recorded["count"], recorded["turns"]) == (drafts.TEXTS, drafts.COUNT, drafts.TURNS)
    assert recorded["small"]["steps"] == drafts.STEPS and recorded["heavy"]["blocks"] == recorded["light"]["blocks"] + drafts.IDLE
    for name in recorded["light"]["by"]:
        light, heavy = (recorded[weight]["by"][name] for weight in ("light", "heavy"))
        for one, other in zip(light, heavy, strict=True):
            assert one["n_drafts"] == other["n_drafts"] and one["accepted"] == other["accepted"], "the same text, at another price"
            assert one["faster"][1] < 1 and one["faster"][1] < other["faster"][1]
            assert one["accepted"] == pytest.approx(one["predicted"], abs=0.05) and one["tokens"] == pytest.approx(one["tokens_expected"], abs=0.15)
    assert (
        recorded["heavy"]["by"]["runs of 5"][1]["faster"][0] > 1 and recorded["heavy"]["same_greedy_text"] and recorded["light"]["same_greedy_text"]
    )
