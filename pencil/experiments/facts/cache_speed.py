"""The time per generated token with a KV cache and without, by the length of the text and by the number of key-value heads."""

from dataclasses import replace
from time import perf_counter

import numpy as np
import torch

from pencil.experiments.records import as_recorded
from pencil.model.cache import Cache
from pencil.model.config import Config
from pencil.model.module import seeded
from pencil.model.transformers import Decoder

LENGTHS, LONGEST, HEADS, KEPT = (64, 512, 4096, 32768), 4096, 16, (16, 4, 1)  # LONGEST: the limit without a cache; KEPT: key-value heads
SIZES = Config.llama(512, n_heads=HEADS, n_layers=4, vocab_size=256, tie_embeddings=True)
STEPS, ROUNDS = 15, 2  # tokens to generate at each length: with a cache, without


def build_model(n_kv_heads, sizes=SIZES, seed=0):  # -> Decoder, in eval mode
    """A decoder of Llama's blocks with random weights."""
    with seeded(seed):
        return Decoder(replace(sizes, n_kv_heads=n_kv_heads)).eval()


class Generation:
    """Greedy generation after a prompt of `length` tokens, with a preallocated cache.

    The prompt's keys and values are random numbers: the time of a step depends on their number, not on their values.
    """

    def __init__(self, model, length, steps):
        self.model, self.length, self.cache, self.new = model, length, Cache(length + steps), torch.tensor([[1]])
        for number, block in enumerate(model.stack.blocks, 1):
            layer, attention = self.cache.layer(number), block.attention
            layer.key = torch.randn(1, attention.n_kv_heads, self.cache.max_len, attention.d_k)
            layer.value = torch.randn(1, attention.n_kv_heads, self.cache.max_len, attention.d_v)
        self.cache.length, self.cache.batch = length, self.new.shape[:-1]

    def step(self):
        """Generate one token."""
        self.new = self.model(self.new, cache=self.cache)[:, -1:].argmax(-1)

    def cached_numbers(self):  # -> int
        """How many numbers the cache holds of the prompt."""
        return sum(rows[..., : self.length, :].numel() for layer in self.cache.layers.values() for rows in (layer.key, layer.value))


def _milliseconds(function):
    start = perf_counter()
    function()
    return (perf_counter() - start) * 1e3


def _in_turns(functions, rounds):  # -> median milliseconds of each; interleaved, so that other load on the machine affects all alike
    return [float(x) for x in np.median([[_milliseconds(function) for function in functions] for _ in range(rounds)], 0)]


@torch.no_grad()
def measure(seed=0, threads=1, lengths=LENGTHS, longest=LONGEST, kept_heads=KEPT, sizes=SIZES, steps=STEPS, rounds=ROUNDS):  # -> JSON-able
    """The median milliseconds per token, by length: without a cache, and with one for each number of key-value heads; and the cache's size."""
    torch.set_num_threads(threads)
    models = [build_model(n_kv_heads, sizes, seed) for n_kv_heads in kept_heads]
    with seeded(seed):
        texts = [Generation(model, length, steps) for model in models for length in lengths]
        whole = [torch.randint(1, sizes.vocab_size, (1, length)) for length in lengths if length <= longest]
    with_cache = _in_turns([text.step for text in texts], steps)
    without = _in_turns([lambda ids=ids: models[0](ids)[:, -1:].argmax(-1) for ids in whole], rounds)
    by_heads = {"with": as_recorded(with_cache), "numbers_kept": [text.cached_numbers() for text in texts]}
    by_heads = {name: [row[k : k + len(lengths)] for k in range(0, len(row), len(lengths))] for name, row in by_heads.items()}
    shape = {"width": sizes.d_model, "heads": sizes.n_heads, "blocks": sizes.n_layers, "steps": steps, "rounds": rounds}
    return {"lengths": list(lengths), "kept_heads": list(kept_heads), **shape, "without": as_recorded(without)} | by_heads
