"""Decoding with a key–value cache is full decoding, whatever the steps."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from model_draws import DEVICES, POSITIONS, Draw, close, padded

from pencil import reference
from pencil.model import Cache, Decoder, EncoderDecoder


@st.composite
def steps(draw, words):
    """How many words come at a time."""
    parts = []
    while sum(parts) < words:
        parts.append(draw(st.integers(1, words - sum(parts))))
    return parts


def in_steps(decoder, ids, parts, cache, **more):
    with torch.no_grad():
        return torch.cat([decoder(part, cache=cache, **more) for part in ids.split(parts, -1)], -2)


def decoders():
    for name, positions in POSITIONS.items():
        for norm_first in (True, False):
            recipe = reference.Recipe(norm_first, 1e-5, reference.gelu, positions=positions)
            seats = 9 if positions is None else None
            yield pytest.param(Draw(3).decoder(heads=2, d_k=4, seats=seats, norm=norm_first), recipe, id=f"{name}-{'pre' if norm_first else 'post'}")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("room", [None, 7, 20])
@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("bundle, recipe", list(decoders()))
def test_word_by_word_and_in_chunks(bundle, recipe, padding, room, device):
    decoder = Decoder.like(bundle, recipe, device=device, padding=padding)
    ids = torch.tensor(Draw(4).ids(3, 7), device=device)
    whole = decoder(ids).detach()
    for parts in ([1] * 7, [7], [3, 1, 3], [1, 6], [4, 2, 1]):
        cache = Cache(room)
        close(in_steps(decoder, ids, parts, cache), whole, name=str(parts))
        assert cache.length == 7


@settings(max_examples=30, deadline=None)
@given(parts=steps(7), seed=st.integers(0, 1000), where=st.sampled_from(sorted(POSITIONS)), lengths=st.tuples(st.integers(1, 7), st.integers(1, 7)))
def test_any_steps_and_any_padding_at_the_end(parts, seed, where, lengths):
    recipe = reference.Recipe(eps=1e-5, positions=POSITIONS[where])
    decoder = Decoder.like(Draw(seed).decoder(heads=2, seats=8), recipe)
    ids = torch.tensor(padded(Draw(seed).ids(2, 7), *lengths))
    if (ids[:, : parts[0]] == 0).all(-1).any():
        return  # never: a text has a word in its first slot
    close(in_steps(decoder, ids, parts, Cache()), decoder(ids))


def test_one_text_without_a_batch():
    decoder, ids = Decoder.like(Draw(1).decoder(heads=2), reference.Recipe(eps=1e-5)), torch.tensor([3, 1, 4, 1])
    close(in_steps(decoder, ids, [2, 1, 1], Cache()), decoder(ids))
    close(in_steps(decoder, ids, [2, 1, 1], Cache(room=4)), decoder(ids))


@pytest.mark.parametrize("room", [None, 4])
@pytest.mark.parametrize("breaks", [lambda stack: stack.blocks[1], lambda stack: stack.norm], ids=["block", "norm"])
def test_a_call_that_broke_off_leaves_nothing_behind(breaks, room, monkeypatch):
    decoder, ids, cache = Decoder.like(Draw(1).decoder(heads=2, blocks=2), reference.Recipe(eps=1e-5)), torch.tensor([3, 1, 4, 1]), Cache(room)
    first = decoder(ids[:2], cache=cache)
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr(breaks(decoder.stack), "forward", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        decoder(ids[2:], cache=cache)
    close(torch.cat([first, decoder(ids[2:], cache=cache)], -2), decoder(ids))


@pytest.mark.parametrize("room", [None, 5])
def test_a_writer_that_asks_reads_the_other_text_once(room):
    machine = EncoderDecoder.like(Draw(2).encoder_decoder(6, 4, heads=2), reference.Recipe(eps=1e-5))
    source, target = torch.tensor(padded(Draw(2).ids(2, 6), 6, 3)), torch.tensor(Draw(5).ids(2, 5))
    whole, cache = machine(source, target), Cache(room)
    memory, memory_mask = machine.read(source)
    first = machine.decoder(target[:, :2], cache=cache, memory=memory, memory_mask=memory_mask)
    asked = cache.blocks[1].asked
    rest = in_steps(machine.decoder, target[:, 2:], [1, 1, 1], cache, memory=memory, memory_mask=memory_mask)
    assert cache.blocks[1].asked is asked
    close(torch.cat([first, rest], -2), whole)


def test_a_cache_is_of_one_memory():
    machine = EncoderDecoder.like(Draw(2).encoder_decoder(6, 4, heads=2), reference.Recipe(eps=1e-5))
    (one, _), (other, _) = (machine.read(torch.tensor(Draw(seed).ids(1, 6))) for seed in (2, 3))
    ids, cache = torch.tensor(Draw(5).ids(1, 2)), Cache()
    first = machine.decoder(ids[:, :1], cache=cache, memory=one)
    with pytest.raises(ValueError, match=r"keeps the keys and values of another memory; hand in the same tensor each time, or begin a new Cache\(\)"):
        machine.decoder(ids[:, 1:], cache=cache, memory=other)
    with pytest.raises(ValueError, match=r"was begun with a memory and this call has none; hand in the same tensor each time"):
        cache.begin(1)
    close(torch.cat([first, machine.decoder(ids[:, 1:], cache=cache, memory=one)], -2), machine.decoder(ids, memory=one))


def test_a_first_call_that_broke_off_binds_no_memory(monkeypatch):
    machine = EncoderDecoder.like(Draw(2).encoder_decoder(6, 4, heads=2), reference.Recipe(eps=1e-5))
    (one, _), (other, _) = (machine.read(torch.tensor(Draw(seed).ids(1, 6))) for seed in (2, 3))
    ids, cache = torch.tensor(Draw(5).ids(1, 2)), Cache()
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr(machine.decoder.stack.norm, "forward", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        machine.decoder(ids, cache=cache, memory=other)
    close(machine.decoder(ids, cache=cache, memory=one), machine.decoder(ids, memory=one))


def test_a_cache_keeps_no_more_than_it_has_seen():
    decoder, cache = Decoder.like(Draw(1).decoder(heads=2)), Cache()
    decoder(torch.tensor([[3, 1]]), cache=cache)
    decoder(torch.tensor([[4]]), cache=cache)
    assert cache.blocks[2].key.shape == (1, 2, 3, 2) and repr(cache) == "Cache of 3 words"
    roomy = Cache(room=8)
    decoder(torch.tensor([[3, 1]]), cache=roomy)
    before = roomy.blocks[1].key.data_ptr()
    with torch.no_grad():
        decoder(torch.tensor([[4]]), cache=roomy)
    assert roomy.blocks[1].key.data_ptr() == before and repr(roomy) == "Cache of 3 words, room for 8"


def test_refusals():
    decoder = Decoder.like(Draw(1).decoder(seats=4))
    with pytest.raises(ValueError, match="5 words and 4 seats"):
        in_steps(decoder, torch.tensor([[1, 2, 3, 4, 5]]), [3, 2], Cache())
    with pytest.raises(ValueError, match="4 words and a cache with room for 3"):
        in_steps(decoder, torch.tensor([[1, 2, 3, 4]]), [2, 2], Cache(room=3))
    with pytest.raises(ValueError, match="room=0 holds no word"):
        Cache(room=0)
    with pytest.raises(ValueError, match="a note and a cache"):
        decoder(torch.tensor([[1]]), note=lambda name, value: value, cache=Cache())


def test_a_refused_call_leaves_the_cache_as_it_was():
    decoder, cache = Decoder.like(Draw(1).decoder(seats=8)), Cache(room=3)
    ids = torch.tensor([[1, 2, 3]])
    with torch.no_grad():
        decoder(ids[:, :2], cache=cache)
        with pytest.raises(ValueError):
            decoder(ids, cache=cache)
        close(decoder(ids[:, 2:], cache=cache), decoder(ids)[:, 2:])
    assert np.all(cache.real.numpy())
