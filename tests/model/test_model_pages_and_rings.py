"""Paged and ring caches in torch: against a decoder without a cache, a sliding window mask, and the reference."""

import numpy as np
import pytest
import torch

from pencil import reference
from pencil.model import Cache, Config, Decoder, MultiHeadAttention, PagedCache, RingCache, Stack, causal_mask, key_mask
from pencil.model.cache import LayerCache
from pencil.reference import page_slots, ring_slots, write_slots

LLAMA = Config.llama(12, 6, n_kv_heads=2, d_k=4, n_layers=2, vocab_size=9, tie_embeddings=True)
ALIBI = Config(12, 6, n_kv_heads=2, d_k=4, n_layers=2, position_encoding=reference.Alibi())
IDS = torch.tensor([[1, 3, 2, 5, 4, 7]])


def writer():
    torch.manual_seed(0)
    return Decoder(LLAMA).double().eval()


def written(model, cache, parts):
    with torch.no_grad():
        return torch.cat([model(part, cache=cache) for part in IDS.split(parts, 1)], 1)


@pytest.mark.parametrize("table", [[3, 0, 5], [0, 1, 2], [2, 1, 0]], ids=str)
@pytest.mark.parametrize("parts", [[1] * 6, [3, 1, 2], [6]], ids=str)
def test_shuffled_pages_give_the_same_bits(table, parts):
    model = writer()
    assert torch.equal(written(model, PagedCache(table, 2, n_blocks=6), parts), written(model, Cache(), parts))


def test_the_pool_is_that_of_the_reference():
    cache = PagedCache([3, 0, 5], 2)
    written(writer(), cache, [4, 2])
    pool, slots = cache.layer(1).key[0, 0], page_slots(range(6), [3, 0, 5], block_size=2)
    grown = Cache()
    written(writer(), grown, [4, 2])
    wanted = write_slots(grown.layer(1).key[0, 0].numpy(), slots, n_slots=12)
    assert np.array_equal(pool[slots].numpy(), wanted[slots]) and cache.max_len == 6


@pytest.mark.parametrize("window", [1, 2, 3, 6, 9])
def test_a_ring_is_as_a_window(window):
    torch.manual_seed(0)
    stack, x = Stack(LLAMA).double().eval(), torch.randn(2, 6, 12, dtype=torch.double)
    cache = RingCache(window)
    with torch.no_grad():
        ring = torch.cat([stack(row, causal=True, cache=cache) for row in x.split(1, 1)], 1)
        wanted = stack(x, mask=causal_mask(6, window=window))
    torch.testing.assert_close(ring, wanted, rtol=0, atol=1e-12)
    assert cache.layer(1).key.shape == (2, 2, window, 4)


@pytest.mark.parametrize("window", [1, 2, 3, 6])
@pytest.mark.parametrize("config", [LLAMA, ALIBI], ids=["rotary", "alibi"])
def test_a_ring_of_padded_texts_is_as_a_window(window, config):
    """Of a mask, and of ALiBi's biases, it takes the columns of the rows that it still has."""
    torch.manual_seed(0)
    stack, x = Stack(config).double().eval(), torch.randn(2, 6, 12).double()
    is_token, cache = torch.tensor([[True] * 6, [True, True, True, False, False, True]]), RingCache(window)
    with torch.no_grad():
        parts = [stack(x[:, t : t + 1], mask=key_mask(is_token[:, : t + 1]), causal=True, cache=cache) for t in range(6)]
        wanted = stack(x, mask=causal_mask(6, window=window) & key_mask(is_token))
    torch.testing.assert_close(torch.cat(parts, 1)[is_token], wanted[is_token], rtol=0, atol=1e-12)


def test_a_ring_as_long_as_the_texts_is_a_cache_also_of_padded_ones():
    torch.manual_seed(0)
    model, ids = Decoder(LLAMA, padding=True).double().eval(), torch.tensor([[1, 3, 2, 5, 4], [6, 2, 0, 0, 3]])
    rows = []
    for cache in (Cache(), RingCache(5)):
        with torch.no_grad():
            rows.append(torch.cat([model(part, cache=cache) for part in ids.split(1, 1)], 1))
    torch.testing.assert_close(*rows, rtol=0, atol=1e-12)
    with torch.no_grad():
        assert model(torch.tensor([[2], [4]]), cache=cache).isfinite().all() and cache.length == 6


@pytest.mark.parametrize("tokens, kept", [(3, 0), (3, 1), (4, 3), (6, 5), (4, 2), (6, 3), (6, 0)])
def test_a_ring_is_cropped_only_as_far_as_nothing_is_lost(tokens, kept):
    torch.manual_seed(0)
    stack, x, cache = Stack(LLAMA).double().eval(), torch.randn(1, 6, 12, dtype=torch.double), RingCache(3)
    with torch.no_grad():
        for row in x[:, :tokens].split(1, 1):
            stack(row, causal=True, cache=cache)
        if tokens > 3 and kept < tokens - 1:
            with pytest.raises(ValueError, match=rf"crop\({kept}\) of a ring of 3 slots that has taken {tokens} tokens: it has overwritten"):
                cache.crop(kept)
            return
        cache.crop(kept)
        other = x.roll(1, 1)[:, :1]  # another token than before
        found = stack(other, causal=True, cache=cache)
        wanted = stack(torch.cat([x[:, :kept], other], 1), mask=causal_mask(kept + 1, window=3))[:, -1:]
    torch.testing.assert_close(found, wanted, rtol=0, atol=1e-12)


def test_a_ring_overwrites_the_word_that_leaves():
    ring, grown = RingCache(3).layer(1), LayerCache(None)
    rows = torch.arange(1.0, 7)[:, None].expand(6, 2)[:, None]
    for position, row in enumerate(rows):
        held, _ = ring.extend(row, row, position)
        grown.extend(row, row, position)
        slots = ring_slots(range(position + 1), window=3)
        assert np.array_equal(held.numpy(), write_slots(grown.key.numpy(), slots, n_slots=3)[: min(position + 1, 3)])
    assert held[:, 0].tolist() == [4, 5, 6] and ring_slots([5], window=3).tolist() == [2]


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"table=\[3, 3\] of a pool of 4 blocks; name each of them once at most, from 0 to 3"):
        PagedCache([3, 3], 2)
    with pytest.raises(ValueError, match=r"table=\[6\] of a pool of 6"):
        PagedCache([6], 2, n_blocks=6)
    for table, size in (([], 2), ([0], 0), ([0, 1], -1)):
        with pytest.raises(ValueError, match=rf"block_size={size} holds no token; give it at least one block"):
            PagedCache(table, size)
    with pytest.raises(ValueError, match="raise it"):
        written(writer(), PagedCache([1, 0], 2), [3, 3])
    with pytest.raises(ValueError, match="window=0 leaves no token"):
        RingCache(0)
    with pytest.raises(ValueError, match="2 tokens at once and a ring of 3 slots; hand them in one by one"):
        written(writer(), RingCache(3), [2, 4])


def test_one_head_has_the_rows_of_the_reference():
    rng = np.random.default_rng(0)
    params = reference.AttentionParams((reference.QKVParams(*rng.normal(size=(3, 4, 4))),), np.eye(4))
    head, layer_cache, x, past = MultiHeadAttention.from_params(params), LayerCache(None), rng.normal(size=(5, 4)), None
    for position in range(5):
        row, past = reference.cached_attention(x[position : position + 1], params.heads[0], past=past)
        context = head.attention_context(torch.tensor(x[position : position + 1]), causal=True, start=position)
        ours = head(torch.tensor(x[position : position + 1]), layer_cache=layer_cache, attn_context=context)
        np.testing.assert_allclose(ours.detach().numpy(), row, atol=1e-12)
        np.testing.assert_allclose(layer_cache.key[0].detach().numpy(), past.key, atol=1e-12)
