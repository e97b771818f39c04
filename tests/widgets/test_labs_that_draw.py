"""Labs with random numbers: outcomes agree with the reference, and the tally counts them."""

import numpy as np
import pytest

from pencil.reference import probabilities, sample, speculative_sampling
from pencil.widgets import DiceLab, SamplingLab


@pytest.mark.parametrize("number, t, k, p", [(0, 0.5, None, None), (5, 2.0, 3, None), (8, 1.5, None, 0.8)])
def test_the_sampling_lab_draws_from_the_reference_s_shares(number, t, k, p):
    lab = SamplingLab()
    lab.variant = number
    scores = np.array(lab.givens["scores"]) * 0.7 + 0.1
    for u in (0.0, 0.5, 0.99):
        asked = {"k": k} if k else {"p": p} if p else {}
        lab.givens = {"scores": scores, "temperature": t, "u": u} | asked
        shares = probabilities(scores, temperature=t, top_k=k, top_p=p)
        np.testing.assert_allclose(lab.trace.find("weights").exact, shares, rtol=1e-12)
        assert lab.trace.find("word").exact.tolist() == np.eye(len(scores))[sample(shares, u)].tolist()


def test_the_sampling_lab_counts_what_it_draws():
    lab, other = SamplingLab(), SamplingLab()
    assert lab.trace.find("frequencies").exact.tolist() == [0, 0, 0]
    lab.draw(60)
    for _ in range(60):
        other.draw()
    assert lab.givens == other.givens and sum(lab.givens["counts"]) == 60
    shares = probabilities(np.array(lab.givens["scores"]))
    np.testing.assert_allclose(lab.trace.find("frequencies").exact, np.array(lab.givens["counts"]) / 60)
    np.testing.assert_allclose(np.array(lab.givens["counts"]) / 60, shares, atol=0.2)
    before = np.array(lab.givens["counts"])
    lab.draw()
    assert (np.array(lab.givens["counts"]) - before).tolist() == np.eye(3)[sample(shares, lab.givens["u"])].tolist()


def test_the_tally_of_the_sampling_lab_begins_anew_with_other_shares():
    lab = SamplingLab()
    lab.draw(3)
    lab.givens = lab.givens | {"u": 0.1}
    assert sum(lab.givens["counts"]) == 3
    lab.givens = lab.givens | {"scores": [0, 0, 5]}
    assert lab.givens["counts"] == [0, 0, 0]
    lab.givens = lab.givens | {"scores": [2, 1, 0], "counts": [4, 0, 1]}  # as a link brings both
    assert lab.givens["counts"] == [4, 0, 1]
    lab.variant = 1
    assert sum(lab.givens["counts"]) == 0


def test_the_dice_lab_writes_as_the_reference_does():
    lab, rng = DiceLab(), np.random.default_rng(0)
    for _ in range(30):
        draft, target, u = rng.integers(1, 9, 6), rng.integers(1, 9, 6), rng.integers(0, 1000, 3) / 1000
        lab.givens = {"draft_parts": draft, "target_parts": target, "u": u}
        draft_probs, target_probs = draft / draft.sum(), target / target.sum()
        face = sample(draft_probs, u[0])
        kept, behind = speculative_sampling(np.array([face]), draft_probs[None], np.stack([target_probs] * 2), u[1:])
        assert lab.trace.find("drafted").exact.tolist() == np.eye(6)[face].tolist()
        assert lab.trace.find("verdict").exact.tolist() == [kept, 1 - kept]
        assert lab.trace.find("written").exact.tolist() == np.eye(6)[face if kept else behind].tolist()
        np.testing.assert_allclose(lab.trace.find("output").exact, target_probs, rtol=1e-12)


def test_the_tally_of_the_dice_lab_approaches_the_wanted_die_and_not_the_wrong_way():
    lab = DiceLab()
    lab.draw(100)
    assert sum(lab.givens["counts"]) == 100
    np.testing.assert_allclose(lab.trace.find("frequencies").exact, lab.trace.find("target_probs").exact, atol=0.09)
    lab.variant = 1
    assert sum(lab.givens["counts"]) == 0
    lab.draw(100)
    found = lab.trace.find("frequencies").exact
    np.testing.assert_allclose(found, lab.trace.find("output").exact, atol=0.09)
    assert found[0] < 0.3 < lab.trace.find("target_probs").exact[0]
    with pytest.raises(ValueError, match="A face has a part above zero"):
        lab.givens = lab.givens | {"target_parts": [0, 1, 1, 1, 1, 1]}
