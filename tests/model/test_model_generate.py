"""Next-token functions with a cache that can be cropped, and speculative decoding with them."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from model_draws import POSITIONS, Draw, close

from pencil import reference
from pencil.model import Cache, Decoder, NextToken
from pencil.reference import probabilities, speculate


def decoder(seed=3, where="learned", blocks=2):
    config = reference.BlockConfig(eps=1e-5, position_encoding=POSITIONS.get(where))
    positions = 40 if POSITIONS.get(where) is None else None
    return Decoder.from_params(Draw(seed).decoder(heads=2, d_k=4, blocks=blocks, positions=positions), config).eval()


@pytest.mark.parametrize("room", [None, 8])
@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("where", sorted(POSITIONS))
def test_a_cropped_cache_goes_on_as_if_the_rest_had_never_come(where, padding, room):
    config = reference.BlockConfig(eps=1e-5, position_encoding=POSITIONS[where])
    machine = Decoder.from_params(Draw(3).decoder(heads=2, d_k=4, positions=None if POSITIONS[where] else 8), config, padding=padding)
    ids = torch.tensor([[3, 1, 4, 1, 5, 2], [2, 7, 1, 8, 2, 8]])
    for kept in (0, 1, 3, 5):
        cache = Cache(room)
        machine(torch.cat([ids[:, :kept], torch.tensor([[6, 6], [5, 5]])], 1), cache=cache)
        cache.crop(kept)
        assert cache.length == kept
        close(machine(ids[:, kept:], cache=cache), machine(ids)[:, kept:])


def test_a_crop_never_lengthens_and_refuses_less_than_nothing():
    machine, cache = decoder(), Cache()
    machine(torch.tensor([[3, 1]]), cache=cache)
    cache.crop(9)
    assert cache.length == 2
    with pytest.raises(ValueError, match=r"crop\(-1\): a cache keeps 0 tokens or more"):
        cache.crop(-1)


@given(st.lists(st.tuples(st.lists(st.integers(0, 4), min_size=3, max_size=9), st.integers(1, 3)), min_size=1, max_size=5))
def test_whatever_it_was_asked_before_the_answer_is_that_of_the_whole_text(asked):
    machine = decoder(1)
    following = NextToken(machine, t=0.7, k=3)
    for ids, rows in asked:
        logits = machine(torch.tensor([ids]))[0, -rows:].detach().double().numpy()
        np.testing.assert_allclose(following(ids, rows), probabilities(logits, t=0.7, k=3), atol=1e-9)


def test_an_id_without_a_piece_is_never_written():
    machine, text = decoder(), [3, 1, 4]
    with torch.no_grad():
        logits = machine(torch.tensor([text]))[0, -1:].double().numpy()
    assert NextToken(machine)(text)[0, 6:].sum() > 0.1
    np.testing.assert_allclose(NextToken(machine, n_pieces=6)(text), probabilities(logits[:, :6]), atol=1e-12)
    assert max(speculate(NextToken(machine, n_pieces=6), text, 20, rng=np.random.default_rng(0))) < 6


def test_only_new_tokens_are_run_and_a_rejected_draft_is_rolled_back(monkeypatch):
    machine, read = decoder(), []
    forward = machine.forward
    monkeypatch.setattr(machine, "forward", lambda ids, **more: (read.append(ids.tolist()), forward(ids, **more))[1])
    following = NextToken(machine)
    for ids, rows in (([3, 1, 4, 6, 6], 3), ([3, 1, 4, 1, 5], 2), ([3, 1, 4, 1, 5], 1)):
        following(ids, rows)
    assert read == [[[3, 1, 4, 6, 6]], [[1, 5]], [[5]]]
    assert following.cache.length == 5


@pytest.mark.parametrize("n_drafts", [1, 4, 25])
@pytest.mark.parametrize("drafting", [1, 3])  # another machine, and the target itself
def test_greedy_writes_what_the_target_writes_alone(drafting, n_drafts):
    target, drafter = decoder(3), decoder(drafting)
    ids = [3, 1, 4]
    with torch.no_grad():
        for _ in range(20):
            ids.append(int(target(torch.tensor([ids]))[0, -1].argmax()))
    written = speculate(NextToken(target, k=1), [3, 1, 4], 20, rng=np.random.default_rng(0), drafter=NextToken(drafter, k=1), n_drafts=n_drafts)
    assert written == ids


def test_the_target_as_its_own_drafter_is_never_rejected():
    target, seen = decoder(), []
    speculate(
        NextToken(target), [3, 1], 12, rng=np.random.default_rng(0), drafter=NextToken(target), n_drafts=3, watch=lambda *one: seen.append(one[-1])
    )
    assert seen == [3, 3, 3]


def test_more_rows_than_tokens_are_refused():
    with pytest.raises(ValueError, match="rows=3 and 2 tokens"):
        NextToken(decoder())([3, 1], rows=3)
