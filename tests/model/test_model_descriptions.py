"""Random descriptions: the reference, the noted model, the fast path and every cache give the same logits, and the same gradients."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from model_draws import close, configs

from pencil import reference as ref
from pencil.model import Cache, Config, Decoder, Encoder, EncoderDecoder, PagedCache
from pencil.model.verification import UNNAMED
from pencil.params import flatten, map_arrays

CACHED = (lambda n: Cache(), lambda n: Cache(n + 1))


def filled(params, seed):
    rng = np.random.default_rng(seed)
    return map_arrays(params, lambda _, array: rng.normal(size=np.shape(array)) / np.sqrt(np.shape(array)[-1]))


def texts(config, seed, lengths, padding):  # -> (texts, longest) ids, with padding (id 0) after each text
    rng = np.random.default_rng(seed)
    ids = rng.integers(int(padding), config.vocab_size, (len(lengths), max(lengths)))
    return np.where(np.arange(max(lengths)) < np.array(lengths)[:, None], ids, 0) if padding else ids


def told(value):
    return lambda name, seen: value.setdefault(name, seen)


@given(configs(), st.integers(0, 10**6), st.lists(st.integers(1, 6), min_size=1, max_size=3), st.booleans())
def test_a_decoder_in_every_way_to_run_it(config, seed, lengths, padding):
    params, ids = filled(config.decoder_params(), seed), texts(config, seed, lengths, padding)
    model = Decoder.from_params(params, config, padding=padding)
    wanted = np.stack([ref.decoder(text, params, config=config, padding=padding) for text in ids])
    real = ids > 0 if padding else np.full(ids.shape, True)
    fast, named = model(torch.tensor(ids)), {}
    noted = model(torch.tensor(ids), note=told(named))
    for got in (fast, noted):
        close(got[torch.tensor(real)], wanted[real])
    one = {}
    ref.decoder(ids[0], params, config=config, padding=padding, note=told(one))
    if real[0].all():
        for name in (name for name in one if name.rpartition(".")[-1] not in UNNAMED):
            got = named[name]
            close(got[0] if got.dim() > np.ndim(one[name]) else got, one[name], name=name)  # tables of positions have no batch
    gradients = [torch.autograd.grad(out[torch.tensor(real)].square().sum(), list(model.parameters()), allow_unused=True) for out in (fast, noted)]
    for name, here, there in zip(dict(model.named_parameters()), *gradients, strict=True):
        assert (here is None) == (there is None), name
        if here is not None:
            close(here, there, 1e-8, name)


@given(configs(), st.integers(0, 10**6), st.lists(st.integers(1, 5), min_size=2, max_size=3), st.integers(1, 3), st.sampled_from([0, 1]))
def test_a_cache_in_chunks_and_then_token_by_token(config, seed, chunks, batch, kind):
    params, length = filled(config.decoder_params(), seed), min(sum(chunks), 12)
    ids = torch.tensor(texts(config, seed, [length] * batch, False))
    model, cuts = Decoder.from_params(params, config).eval(), [*np.cumsum(chunks[:-1]), *range(sum(chunks[:-1]) + 1, length + 1)]
    parts = [part for part in np.split(np.arange(length), [cut for cut in cuts if cut < length]) if len(part)]
    caches = [CACHED[kind](length), *([PagedCache([3, 0, 2, 1], 3)] if batch == 1 else [])]
    with torch.no_grad():
        whole = model(ids)
        for cache in caches:
            close(torch.cat([model(ids[:, part], cache=cache) for part in parts], 1), whole)


@given(configs(), st.integers(0, 10**6), st.lists(st.integers(1, 6), min_size=1, max_size=3), st.integers(1, 3))
def test_texts_of_unequal_lengths_in_one_cache(config, seed, lengths, new):
    """Padding comes between a text and its next tokens; each goes on as it would alone."""
    model, longest = Decoder.from_params(filled(config.decoder_params(), seed), config).eval(), max(lengths)
    ids, later = (torch.tensor(texts(config, seed + k, [count] * len(lengths), False)) for k, count in enumerate((longest, new)))
    real, cache = torch.arange(longest) < torch.tensor(lengths)[:, None], Cache()
    with torch.no_grad():
        model(ids, padding_mask=real, cache=cache)
        steps = [model(later[:, k : k + 1], padding_mask=torch.ones(len(lengths), 1, dtype=torch.bool), cache=cache) for k in range(new)]
        for i, length in enumerate(lengths):
            close(torch.cat(steps, 1)[i], model(torch.cat([ids[i, :length], later[i]]))[length:])


@given(
    configs(decoder=False), st.integers(0, 10**6), st.lists(st.integers(1, 6), min_size=1, max_size=3), st.sampled_from([None, 1, 3]), st.booleans()
)
def test_an_encoder_with_token_types_and_normalized_embeddings(config, seed, lengths, n_token_types, embedding_norm):
    config = replace(config, n_token_types=n_token_types, embedding_norm=embedding_norm)
    params, ids = filled(config.encoder_params(), seed), texts(config, seed, lengths, True)
    types = None if n_token_types is None else np.random.default_rng(seed).integers(0, n_token_types, ids.shape)
    model = Encoder.from_params(params, config)
    assert set(model.arrays()) == set(flatten(params))
    named, noted = {}, {}
    wanted = ref.encoder(ids, params, config=config, token_type_ids=types, note=told(noted))
    asked = {} if types is None else {"token_type_ids": torch.tensor(types)}
    for note in (None, told(named)):
        close(model(torch.tensor(ids), **asked, note=note)[torch.tensor(ids > 0)], wanted[ids > 0])
    for name in {"typed", "x", "embedding_norm.normalized"} & noted.keys():
        close(named[name], noted[name], name=name)
    assert ("typed" in noted) == (types is not None) and ("embedding_norm.normalized" in noted) == embedding_norm
    if types is not None:  # by default all tokens are of the first type
        close(ref.encoder(ids, params, config=config), ref.encoder(ids, params, config=config, token_type_ids=0 * types))


def test_token_type_ids_without_token_types_are_refused():
    config = Config(4, vocab_size=5)
    params = filled(config.encoder_params(), 0)
    with pytest.raises(ValueError, match="token_type_ids, and the encoder has no token"):
        ref.encoder(np.array([1, 2]), params, config=config, token_type_ids=np.array([0, 1]))
    with pytest.raises(ValueError, match="token_type_ids, and the encoder has no token"):
        Encoder.from_params(params, config)(torch.tensor([1, 2]), token_type_ids=torch.tensor([0, 1]))


@given(configs(decoder=False), configs(), st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 5))
def test_an_encoder_and_a_decoder_that_reads_it(reader, writer, seed, source, target):
    reader, writer = replace(reader, vocab_size=9), replace(writer, vocab_size=9, d_memory=reader.d_model)
    encoder, decoder = filled(reader.encoder_params(), seed), filled(writer.decoder_params(cross=True), seed + 1)
    source, target = (texts(reader, seed + k, [length], False)[0] for k, length in enumerate((source, target)))
    rows = ref.encoder(source, encoder, config=reader, padding=False)
    logits = ref.decoder(target, decoder, config=writer, memory=rows)
    encoder, decoder = Encoder.from_params(encoder, reader, padding=False), Decoder.from_params(decoder, writer, cross=True)
    close(encoder(torch.tensor(source)), rows)
    for note in (None, told({})):
        close(decoder(torch.tensor(target), memory=encoder(torch.tensor(source)), note=note), logits)
    made = EncoderDecoder((reader, replace(writer, d_memory=None)), padding=False)
    assert made(torch.tensor(source), torch.tensor(target)).shape == (len(target), 9)
