"""Decoding with a KV cache agrees with full decoding, for any split into steps."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from model_draws import DEVICES, POSITIONS, Draw, close, padded

from pencil import reference
from pencil.model import Cache, Decoder, EncoderDecoder, verify
from pencil.trace import Trace


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
    for name, encoding in POSITIONS.items():
        for norm_first in (True, False):
            config = reference.BlockConfig(norm_first=norm_first, eps=1e-5, activation=reference.gelu, position_encoding=encoding)
            positions = 9 if encoding is None else None
            yield pytest.param(
                Draw(3).decoder(heads=2, d_k=4, positions=positions, norm=norm_first), config, id=f"{name}-{'pre' if norm_first else 'post'}"
            )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("room", [None, 7, 20])
@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("bundle, config", list(decoders()))
def test_word_by_word_and_in_chunks(bundle, config, padding, room, device):
    decoder = Decoder.from_params(bundle, config, device=device, padding=padding)
    ids = torch.tensor(Draw(4).ids(3, 7), device=device)
    whole = decoder(ids).detach()
    for parts in ([1] * 7, [7], [3, 1, 3], [1, 6], [4, 2, 1]):
        cache = Cache(room)
        close(in_steps(decoder, ids, parts, cache), whole, name=str(parts))
        assert cache.length == 7


@given(parts=steps(7), seed=st.integers(0, 1000), where=st.sampled_from(sorted(POSITIONS)), lengths=st.tuples(st.integers(1, 7), st.integers(1, 7)))
def test_any_steps_and_any_padding_at_the_end(parts, seed, where, lengths):
    config = reference.BlockConfig(eps=1e-5, position_encoding=POSITIONS[where])
    decoder = Decoder.from_params(Draw(seed).decoder(heads=2, positions=8), config, padding=True)
    ids = torch.tensor(padded(Draw(seed).ids(2, 7), *lengths))
    if (ids[:, : parts[0]] == 0).all(-1).any():
        return  # never: a text has a word in its first slot
    close(in_steps(decoder, ids, parts, Cache()), decoder(ids))


TEXTS = [[3, 1, 4, 1, 5, 2, 6], [2, 7, 8, 1, 8], [5, 3, 6, 4]]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("room", [None, 9])
@pytest.mark.parametrize("chunks", [[1, 1, 1], [3], [2, 1]], ids=str)
@pytest.mark.parametrize("bundle, config", list(decoders()))
def test_a_padded_batch_goes_on_as_each_text_would_alone(bundle, config, chunks, room, device):
    """The texts are 4, 2 and 1 words long and go on by three: each at its own next position, not behind its padding."""
    decoder, cache = Decoder.from_params(bundle, config, device=device, padding=True), Cache(room)
    begun = torch.tensor([text[:-3] + [0] * (7 - len(text)) for text in TEXTS], device=device)
    decoder(begun, cache=cache)
    said = in_steps(decoder, torch.tensor([text[-3:] for text in TEXTS], device=device), chunks, cache)
    for text, rows in zip(TEXTS, said, strict=True):
        close(rows, decoder(torch.tensor(text, device=device))[-3:])


def test_a_padded_batch_goes_on_on_a_gpu_and_compiled_too(monkeypatch):
    """Where nobody may look at what a mask holds, the positions are worked out all the same."""
    monkeypatch.setattr("pencil.model.masks.can_inspect", lambda mask: False)
    decoder, cache = Decoder.from_params(Draw(3).decoder(heads=2), reference.BlockConfig(eps=1e-5), padding=True), Cache()
    decoder(torch.tensor([[3, 1, 4], [2, 0, 0]]), cache=cache)
    said = decoder(torch.tensor([[1, 5], [7, 1]]), cache=cache)
    close(said[0], decoder(torch.tensor([3, 1, 4, 1, 5]))[-2:])
    close(said[1], decoder(torch.tensor([2, 7, 1]))[-2:])


def test_a_text_that_has_ended_waits_for_the_others():
    decoder, cache = Decoder.from_params(Draw(3).decoder(heads=2), reference.BlockConfig(eps=1e-5), padding=True), Cache()
    decoder(torch.tensor([[3, 1], [2, 0]]), cache=cache)
    decoder(torch.tensor([[4, 1], [0, 0]]), cache=cache)
    said = decoder(torch.tensor([[5], [7]]), cache=cache)
    close(said[0], decoder(torch.tensor([3, 1, 4, 1, 5]))[-1:])
    close(said[1], decoder(torch.tensor([2, 7]))[-1:])


def test_one_text_without_a_batch():
    decoder, ids = Decoder.from_params(Draw(1).decoder(heads=2), reference.BlockConfig(eps=1e-5)), torch.tensor([3, 1, 4, 1])
    close(in_steps(decoder, ids, [2, 1, 1], Cache()), decoder(ids))
    close(in_steps(decoder, ids, [2, 1, 1], Cache(max_len=4)), decoder(ids))


@pytest.mark.parametrize("room", [None, 4])
@pytest.mark.parametrize("breaks", [lambda stack: stack.blocks[1], lambda stack: stack.norm], ids=["block", "norm"])
def test_a_call_that_broke_off_leaves_nothing_behind(breaks, room, monkeypatch):
    decoder, ids, cache = (
        Decoder.from_params(Draw(1).decoder(heads=2, blocks=2), reference.BlockConfig(eps=1e-5)),
        torch.tensor([3, 1, 4, 1]),
        Cache(room),
    )
    first = decoder(ids[:2], cache=cache)
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr(breaks(decoder.stack), "forward", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt()))
        decoder(ids[2:], cache=cache)
    close(torch.cat([first, decoder(ids[2:], cache=cache)], -2), decoder(ids))


@pytest.mark.parametrize("room", [None, 5])
def test_a_writer_that_asks_reads_the_other_text_once(room):
    machine = EncoderDecoder.from_params(Draw(2).encoder_decoder(6, 4, heads=2), reference.BlockConfig(eps=1e-5))
    source, target = torch.tensor(padded(Draw(2).ids(2, 6), 6, 3)), torch.tensor(Draw(5).ids(2, 5))
    whole, cache = machine(source, target), Cache(room)
    memory, memory_mask = machine.encode(source)
    first = machine.decoder(target[:, :2], cache=cache, memory=memory, memory_mask=memory_mask)
    asked = cache.layers[1].memory_kv
    rest = in_steps(machine.decoder, target[:, 2:], [1, 1, 1], cache, memory=memory, memory_mask=memory_mask)
    assert cache.layers[1].memory_kv is asked
    close(torch.cat([first, rest], -2), whole)


def test_a_cache_is_of_one_memory():
    machine = EncoderDecoder.from_params(Draw(2).encoder_decoder(6, 4, heads=2), reference.BlockConfig(eps=1e-5))
    (one, _), (other, _) = (machine.encode(torch.tensor(Draw(seed).ids(1, 6))) for seed in (2, 3))
    ids, cache = torch.tensor(Draw(5).ids(1, 2)), Cache()
    first = machine.decoder(ids[:, :1], cache=cache, memory=one)
    with pytest.raises(ValueError, match=r"keeps the keys and values of another memory; hand in the same tensor each time, or begin a new Cache\(\)"):
        machine.decoder(ids[:, 1:], cache=cache, memory=other)
    with pytest.raises(ValueError, match=r"was begun with a memory and this call has none; hand in the same tensor each time"):
        cache.begin(1)
    close(torch.cat([first, machine.decoder(ids[:, 1:], cache=cache, memory=one)], -2), machine.decoder(ids, memory=one))


def test_a_first_call_that_broke_off_binds_no_memory(monkeypatch):
    machine = EncoderDecoder.from_params(Draw(2).encoder_decoder(6, 4, heads=2), reference.BlockConfig(eps=1e-5))
    (one, _), (other, _) = (machine.encode(torch.tensor(Draw(seed).ids(1, 6))) for seed in (2, 3))
    ids, cache = torch.tensor(Draw(5).ids(1, 2)), Cache()
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr(machine.decoder.stack.norm, "forward", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt()))
        machine.decoder(ids, cache=cache, memory=other)
    close(machine.decoder(ids, cache=cache, memory=one), machine.decoder(ids, memory=one))


def test_a_cache_keeps_no_more_than_it_has_seen():
    decoder, cache = Decoder.from_params(Draw(1).decoder(heads=2)), Cache()
    decoder(torch.tensor([[3, 1]]), cache=cache)
    decoder(torch.tensor([[4]]), cache=cache)
    assert cache.layers[2].key.shape == (1, 2, 3, 2) and repr(cache) == "Cache of 3 tokens"
    roomy = Cache(max_len=8)
    decoder(torch.tensor([[3, 1]]), cache=roomy)
    before = roomy.layers[1].key.data_ptr()
    with torch.no_grad():
        decoder(torch.tensor([[4]]), cache=roomy)
    assert roomy.layers[1].key.data_ptr() == before and repr(roomy) == "Cache of 3 tokens, allocated for 8"


def test_refusals():
    decoder = Decoder.from_params(Draw(1).decoder(positions=4))
    with pytest.raises(ValueError, match="5 tokens and 4 positions"):
        in_steps(decoder, torch.tensor([[1, 2, 3, 4, 5]]), [3, 2], Cache())
    with pytest.raises(ValueError, match="4 tokens and a cache of max_len=3"):
        in_steps(decoder, torch.tensor([[1, 2, 3, 4]]), [2, 2], Cache(max_len=3))
    with pytest.raises(ValueError, match="max_len=0 holds no token"):
        Cache(max_len=0)
    with pytest.raises(ValueError, match="a note and a cache"):
        decoder(torch.tensor([[1]]), note=lambda name, value: value, cache=Cache())


def test_a_refused_call_leaves_the_cache_as_it_was():
    decoder, cache = Decoder.from_params(Draw(1).decoder(positions=8), padding=True), Cache(max_len=3)
    ids = torch.tensor([[1, 2, 3]])
    with torch.no_grad():
        decoder(ids[:, :2], cache=cache)
        with pytest.raises(ValueError):
            decoder(ids, cache=cache)
        close(decoder(ids[:, 2:], cache=cache), decoder(ids)[:, 2:])
    assert np.all(cache.padding_mask.numpy())


@pytest.mark.parametrize("can_inspect", [True, False])
@pytest.mark.parametrize("bundle, config", list(decoders()))
def test_padding_inside_a_text_counts_for_no_position_with_a_cache_and_without(bundle, config, can_inspect, monkeypatch):
    if not can_inspect:  # as on a GPU
        monkeypatch.setattr("pencil.model.masks.can_inspect", lambda mask: False)
        monkeypatch.setattr("pencil.model.transformers.can_inspect", lambda mask: False)
    decoder, ids = Decoder.from_params(bundle, config, padding=True), torch.tensor([[1, 2, 0, 0, 3], [4, 1, 5, 0, 0]])
    plain = decoder(ids)
    close(in_steps(decoder, ids, [2, 1, 2], Cache()), plain)
    close(plain[0, -1], decoder(torch.tensor([1, 2, 3]))[-1])
    close(plain[1, :3], decoder(torch.tensor([4, 1, 5])))


def test_padding_inside_a_text_is_refused_where_the_reference_would_count_it():
    bundle, ids = Draw(3).decoder(heads=2), [1, 2, 0, 0, 3]
    for run in (
        lambda: Decoder.from_params(bundle, padding=True)(torch.tensor(ids), note={}.setdefault),
        lambda: reference.decoder(ids, bundle, padding=True),
    ):
        with pytest.raises(ValueError, match=r"a token stands after padding.*put the padding .* at the end.*or leave padding=True out"):
            run()
    trace = Trace()
    reference.decoder(ids, trace.given_each("params", bundle), note=trace)
    assert "with a cache" in verify(trace, Decoder.from_params(bundle), ids=ids).runs
