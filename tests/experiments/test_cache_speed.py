"""The measurement of chapter 17 and its record."""

from dataclasses import replace

import numpy as np
import torch

from pencil.experiments.facts import cache_speed
from pencil.experiments.records import read

SMALL = replace(cache_speed.SIZES, d_model=32, n_layers=2)


def test_what_is_timed_reads_the_whole_cache():
    model = cache_speed.build_model(4, SMALL)
    with torch.no_grad():
        text = cache_speed.Generation(model, 5, 2)
        text.step()
        first, again = text.new.clone(), cache_speed.Generation(model, 5, 2)
        for layer, other in zip(again.cache.layers.values(), text.cache.layers.values(), strict=True):
            layer.key[..., :5, :], layer.value[..., :5, :] = other.key[..., :5, :], other.value[..., :5, :]
        logits = model(torch.tensor([[1]]), cache=again.cache)
        assert torch.equal(logits.argmax(-1), first)
        moved = cache_speed.Generation(model, 5, 2)
        assert not torch.equal(model(torch.tensor([[1]]), cache=moved.cache), logits)
    assert text.cache.length == 6 and text.cached_numbers() == 2 * 2 * 4 * 2 * 5  # keys and values, blocks, kept heads, their width, words


def test_a_measurement_has_a_time_for_each_length_and_each_count_of_kept_heads():
    found = cache_speed.measure(lengths=(4, 8), longest=4, sizes=SMALL, steps=2, rounds=1)
    assert np.shape(found["with"]) == np.shape(found["numbers_kept"]) == (3, 2) and len(found["without"]) == 1
    assert found["numbers_kept"][0] == [4 * count for count in found["numbers_kept"][1]] == [16 * count for count in found["numbers_kept"][2]]


def test_the_record_is_of_this_measurement():
    recorded = read("cache_speed")
    assert (tuple(recorded["lengths"]), tuple(recorded["kept_heads"])) == (cache_speed.LENGTHS, cache_speed.KEPT)
    assert (recorded["width"], recorded["steps"]) == (cache_speed.SIZES.d_model, cache_speed.STEPS)


def test_the_record_says_what_the_chapter_says():
    recorded = read("cache_speed")
    without, with_cache = np.array(recorded["without"]), np.array(recorded["with"])
    assert (with_cache[0, : len(without)] < without).all() and without[-1] / without[-2] > 8  # more than in proportion to the length
    assert with_cache[0, -1] > 2 * with_cache[0, 0]  # with a cache a word is not free of the text's length either
    assert (with_cache[:, -1] == np.sort(with_cache[:, -1])[::-1]).all()  # on a long text, fewer kept heads are faster
