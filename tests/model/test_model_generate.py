"""Generation of a batch, next-token functions with a cache that can be cropped, and speculative decoding with them."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from model_draws import POSITIONS, Draw, close

from pencil import reference
from pencil.model import Cache, Config, Decoder, NextToken, generate
from pencil.model.generation import _probabilities
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
    following = NextToken(machine, temperature=0.7, top_k=3)
    for ids, rows in asked:
        logits = machine(torch.tensor([ids]))[0, -rows:].detach().double().numpy()
        np.testing.assert_allclose(following(ids, rows), probabilities(logits, temperature=0.7, top_k=3), atol=1e-9)


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
    written = speculate(
        NextToken(target, top_k=1), [3, 1, 4], 20, rng=np.random.default_rng(0), drafter=NextToken(drafter, top_k=1), n_drafts=n_drafts
    )
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


# ---- a batch of prompts

PROMPTS = st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=6), min_size=1, max_size=4)


def alone(model, prompt, count):  # the most probable token, again and again, without a cache
    text = list(prompt)
    for _ in range(count):
        text.append(int(model(torch.tensor([text]))[0, -1].argmax()))
    return text[len(prompt) :]


@given(PROMPTS, st.integers(1, 5), st.integers(0, 10**6), st.sampled_from(sorted(POSITIONS)))
def test_each_prompt_is_continued_as_if_it_were_alone(prompts, count, seed, where):
    torch.manual_seed(seed)
    inside = POSITIONS[where]
    model = Decoder(Config(8, 2, vocab_size=9, n_layers=2, max_len=None if inside else 12, position_encoding=inside)).double().eval()
    assert generate(model, prompts, max_new_tokens=count, temperature=0) == [alone(model, prompt, count) for prompt in prompts]


@given(st.integers(0, 10**6), st.none() | st.integers(1, 12), st.none() | st.sampled_from([1e-6, 0.2, 0.5, 0.8, 1.0]), st.booleans())
def test_what_is_drawn_from_is_that_of_the_reference(seed, k, p, ties):
    logits = np.random.default_rng(seed).normal(size=(3, 9)) * 2
    logits = np.round(logits) if ties else logits
    close(_probabilities(torch.tensor(logits), k, p), probabilities(logits, top_k=k, top_p=p))


@given(PROMPTS, st.integers(0, 10**6))
def test_with_padding_too_a_prompt_does_not_depend_on_its_company(prompts, seed):
    torch.manual_seed(seed)
    model = Decoder(Config(8, 2, vocab_size=9, n_layers=2, max_len=12), padding=True).double().eval()
    together = generate(model, prompts, max_new_tokens=3, temperature=0)
    assert together == [generate(model, [prompt], max_new_tokens=3, temperature=0)[0] for prompt in prompts]


@pytest.mark.parametrize("dtype, temperature", [(torch.float32, 1e-40), (torch.float16, 1e-6), (torch.bfloat16, 0.5)])
def test_any_temperature_above_zero_draws(dtype, temperature):
    model, prompts = decoder().to(dtype), [[3, 1, 4], [1, 5]]
    drawn = generate(model, prompts, max_new_tokens=4, temperature=temperature)
    assert drawn == generate(model, prompts, max_new_tokens=4, temperature=0) or temperature == 0.5


def test_a_padding_mask_is_given_at_every_call_or_at_none():
    model, mask = decoder(), torch.tensor([[True, True], [True, False]])
    ids, new = torch.tensor([[3, 1], [1, 0]]), torch.tensor([[4], [5]])
    for first, then in (({"padding_mask": mask}, {}), ({}, {"padding_mask": torch.ones(2, 1, dtype=torch.bool)})):
        cache = Cache()
        model(ids, cache=cache, **first)
        with pytest.raises(ValueError, match="give it at every call or at none"):
            model(new, cache=cache, **then)
    for wrong in (mask[:, :1], mask.float()):
        with pytest.raises(ValueError, match="give each id True or False"):
            model(ids, padding_mask=wrong)


def test_a_text_ends_with_an_end_token_and_the_others_go_on():
    model, prompts = decoder(), [[3, 1, 4], [1, 5], [2]]
    whole = generate(model, prompts, max_new_tokens=8, temperature=0)
    end = whole[0][2]
    wanted = [row[: row.index(end) + 1] if end in row else row for row in whole]
    assert len(wanted[0]) <= 3 and generate(model, prompts, max_new_tokens=8, temperature=0, end=end) == wanted
    assert generate(model, prompts, max_new_tokens=8, temperature=0, end=[end, 99]) == wanted


def test_a_seed_gives_the_text_again_and_ids_without_a_piece_are_never_drawn():
    model, prompts = decoder(), [[3, 1, 4], [1, 5]]
    one, two = (generate(model, prompts, max_new_tokens=20, n_pieces=6, generator=torch.Generator().manual_seed(seed)) for seed in (7, 7))
    assert one == two and max(map(max, one)) < 6 and len({*one[0], *one[1]}) > 2


@pytest.mark.parametrize(
    "change, says",
    [
        ({"prompts": []}, "a prompt is empty, or there is none"),
        ({"prompts": [[1], []]}, "a prompt is empty, or there is none"),
        ({"temperature": -1.0}, "temperature=-1.0; give it a finite number, 0 or more"),
        ({"top_k": 0}, "top_k=0; a size is at least 1"),
        ({"top_p": 1.5}, "top_p=1.5; it is a share of the whole"),
        ({"max_new_tokens": 0}, "max_new_tokens=0; a size is at least 1"),
        ({"prompts": [3, 1, 4]}, "a prompt is a list of ids, and prompts a list of them"),
        ({"prompts": [[1.7, 2.2]]}, "whole numbers|integers|float"),
        ({"end": [1.5]}, "end=1.5 is no id"),
        ({"n_pieces": -3}, "n_pieces=-3"),
        ({"n_pieces": 50}, "n_pieces=50 of a vocabulary of 9; from 1 to 9"),
        ({"max_new_tokens": 40}, "42 tokens and 40 positions|41 tokens and 40 positions"),
    ],
    ids=str,
)
def test_sampling_that_makes_no_sense(change, says):
    asked = {"prompts": [[1, 2]], "max_new_tokens": 2} | change
    with pytest.raises(ValueError, match=says):
        generate(decoder(), asked.pop("prompts"), **asked)
    with pytest.raises(ValueError, match="the model is in training"):
        generate(decoder().train(), [[1]], max_new_tokens=1)
