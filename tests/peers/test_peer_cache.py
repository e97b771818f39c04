"""The cache against `transformers`: its DynamicCache, its sliding window, and its paged attention, by its slots and whole.

Its rotary tables are made in float32 whatever they are given, so logits agree within 1e-5; what is only carried about agrees bit for bit.
"""

import numpy as np
import pytest
import torch
from pairs import SEEDS, SINGLE
from pairs_cache import SHAPES, writers
from transformers import ContinuousBatchingConfig, DynamicCache, GenerationConfig
from transformers.cache_utils import DynamicSlidingWindowLayer
from transformers.generation.continuous_batching.cache_allocators import FullAttentionCacheAllocator, SlidingAttentionCacheAllocator

from pencil.model import Cache, PagedCache, RingCache
from pencil.model.cache import RingLayerCache
from pencil.reference import page_slots, ring_slots, write_slots

pytestmark = pytest.mark.slow
every = pytest.mark.parametrize
WORDS = 7


def ids(seed):
    return torch.from_numpy(np.random.default_rng(seed).integers(1, 11, (2, WORDS)))


@torch.no_grad()
def both_in_steps(theirs, ours, cache, seed, parts):
    """The logits of both, handed the same parts of a text, and their cache."""
    kept = DynamicCache(config=theirs.config)
    pieces = ids(seed).split(parts, 1)
    peer = torch.cat([theirs(piece, past_key_values=kept, use_cache=True).logits for piece in pieces], 1)
    return peer, torch.cat([ours(piece, cache=cache) for piece in pieces], 1), kept


def close(ours, theirs):
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=SINGLE, atol=SINGLE)


def neighbours(keys):  # the library pairs halves, we pair neighbours
    return keys.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)


@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
@every("parts", [[1] * WORDS, [4, 1, 1, 1], [WORDS]], ids=str)
def test_a_cache_that_grows_is_their_dynamic_cache(seed, shape, parts):
    theirs, ours = writers("llama", seed, shape)
    cache = Cache()
    peer, mine, kept = both_in_steps(theirs, ours, cache, seed, parts)
    close(mine, peer)
    for number, layer in enumerate(kept.layers, 1):
        close(cache.layer(number).key, neighbours(layer.keys))
        close(cache.layer(number).value, layer.values)


@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
@every("window", [2, 3, 9])  # with a window of 1 theirs keeps all rows: its slice [-window + 1:] is then [0:]
def test_a_ring_is_their_sliding_window(seed, shape, window):
    theirs, ours = writers("mistral", seed, shape, sliding_window=window)
    cache = RingCache(window)
    peer, mine, kept = both_in_steps(theirs, ours, cache, seed, [1] * WORDS)
    close(mine, peer)
    assert all(isinstance(layer, DynamicSlidingWindowLayer) for layer in kept.layers)
    last = range(max(0, WORDS - window + 1), WORDS)  # they keep one word less: the one that comes is put behind them
    close(cache.layer(1).value[..., ring_slots(last, window=window), :], kept.layers[0].values)


@every("seed", SEEDS)
@every("table", [[3, 0, 5, 1], [0, 1, 2, 3]], ids=str)
def test_pages_write_what_their_dynamic_cache_writes(seed, table):
    theirs, ours = writers("llama", seed, SHAPES[1])
    peer, mine, _ = both_in_steps(theirs, ours, PagedCache(table, 2), seed, [4, 1, 1, 1])
    close(mine, peer)


def allocator(kind, table, size, window=None):
    """One of their allocators, whose pages are the blocks of a table: without the memory that they would hand out."""
    made = object.__new__(kind)
    made.tokens_per_page = made.block_physical_stride = size
    made.block_table, made.sliding_window, made.sentinel_index = {"text": list(table)}, window, -1
    return made


@every("size", [1, 2, 3, 16])
@every("seed", range(4))
def test_a_page_has_the_slots_of_their_paged_attention(size, seed):
    table = np.random.default_rng(seed).permutation(9)[:5].tolist()
    theirs = allocator(FullAttentionCacheAllocator, table, size)
    for length in range(1, 5 * size + 1):
        assert theirs.get_read_indices("text", length - 1, 1) == page_slots(range(length), table, block_size=size).tolist()
        assert theirs.get_write_indices("text", length - 1, 1) == page_slots([length - 1], table, block_size=size).tolist()


def test_position_four_lies_where_theirs_lies():
    assert allocator(FullAttentionCacheAllocator, [3, 0, 5], 2).get_write_indices("text", 4, 1) == [10]


@every("window", [1, 2, 3, 5])
def test_a_ring_has_the_slots_of_their_sliding_allocator(window):
    theirs = allocator(SlidingAttentionCacheAllocator, [0], window, window)
    for position in range(12):
        assert theirs.get_write_indices("text", position, 1) == ring_slots([position], window=window).tolist()


@every("size", [2, 3])
def test_their_pool_reads_back_the_same_bits(size):
    table, rows = [3, 0, 5, 2], torch.randn(2, 8, 4)
    theirs, pool = allocator(FullAttentionCacheAllocator, table, size), [torch.zeros(6 * size, 1, 4) for _ in range(2)]
    theirs._kv_token_views = {0: pool}
    ours = [np.zeros((0, 4))] * 2
    for position in range(8):
        new = [part[position : position + 1, None] for part in rows]
        indices = [torch.tensor(get("text", position, 1)) for get in (theirs.get_read_indices, theirs.get_write_indices)]
        back = theirs.update(*new, 0, *indices)
        slots = page_slots(range(position + 1), table, block_size=size)
        stores = [write_slots(part[: position + 1].numpy(), slots, n_slots=6 * size) for part in rows]
        ours = [store[slots] for store in stores]
        assert all(np.array_equal(mine, their[:, 0].numpy()) for mine, their in zip(ours, back, strict=True))
        assert all(np.array_equal(store, held[:, 0].numpy()) for store, held in zip(stores, pool, strict=True))


def test_what_a_ring_holds_is_what_theirs_holds_and_the_new_word():
    ring, theirs = RingLayerCache(3), DynamicSlidingWindowLayer(3)
    for position, row in enumerate(torch.randn(6, 1, 1, 1, 2)):
        mine, _ = ring.extend(row, row, position)
        seen, _ = theirs.update(row, row)
        wanted = seen[0, 0, -3:]
        slots = ring_slots(range(max(0, position - 2), position + 1), window=3)
        assert torch.equal(mine[0, 0, slots], wanted)


@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
def test_their_whole_paged_cache_writes_what_ours_writes(seed, shape):
    """`generate_batch`, with its scheduler, its allocators and a PagedAttentionCache, for three texts in one batch: words and log chances."""
    theirs, ours = writers("llama", seed, shape)
    texts, count = [[3, 1, 4, 1, 5], [9, 2], [6, 5, 3]], 6
    settings = GenerationConfig(max_new_tokens=count, do_sample=False, eos_token_id=-1, pad_token_id=0)
    pages = ContinuousBatchingConfig(page_size=4, num_blocks=16, max_batch_tokens=32, return_logprobs=True)
    found = theirs.generate_batch(texts, generation_config=settings, continuous_batching_config=pages)
    assert len(found) == len(texts)
    for text, theirs_wrote in zip(texts, found.values(), strict=True):
        assert theirs_wrote.prompt_ids == text
        words, log_probs = written_in_pages(ours, text, PagedCache([3, 0, 5, 1], 4), count)
        assert theirs_wrote.generated_tokens == words
        np.testing.assert_allclose(theirs_wrote.logprobs, log_probs, rtol=SINGLE, atol=SINGLE)


@torch.no_grad()
def written_in_pages(ours, text, cache, count):
    """The likeliest next word, `count` times, and the logarithm of its chance."""
    new, words, log_probs = text, [], []
    for _ in range(count):
        logits = ours(torch.tensor([new]), cache=cache)[0, -1].log_softmax(-1)
        new = [int(logits.argmax())]
        words += new
        log_probs.append(float(logits.max()))
    return words, log_probs
