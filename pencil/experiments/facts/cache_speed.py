"""What a cache saves: the time of one more word with and without it, by the length of the text, and by how many heads keep a key and a value."""

from dataclasses import replace
from time import perf_counter

import numpy as np
import torch

from pencil.experiments.records import as_recorded
from pencil.model.cache import Cache
from pencil.model.config import LLAMA, Config
from pencil.model.module import seeded
from pencil.model.transformers import Decoder

LENGTHS, HEADS, KEPT = (64, 256, 1024, 4096), 16, (16, 4, 1)
SIZES = Config(512, n_heads=HEADS, n_layers=4, vocab_size=256, bias=False, norm_bias=False, gated=True)
STEPS, ROUNDS = 24, 2  # words with a cache, and without, behind each length


def writer(kept, sizes=SIZES, seed=0):
    """A decoder of Llama's blocks with random weights, of whose heads so many keep a key and a value."""
    with seeded(seed):
        return Decoder(replace(sizes, n_kv_heads=kept), LLAMA, padding=False).eval()


class Writing:
    """A text that was read at once and is gone on with word by word, from a cache that is allocated once."""

    def __init__(self, model, ids, steps):
        self.model, self.length, self.cache = model, ids.shape[-1], Cache(ids.shape[-1] + steps)
        self.new = model(ids, cache=self.cache)[:, -1:].argmax(-1)

    def step(self):
        """One more word."""
        self.new = self.model(self.new, cache=self.cache)[:, -1:].argmax(-1)

    def kept(self):
        """How many numbers are kept of the text."""
        return sum(rows[..., : self.length, :].numel() for layer in self.cache.layers.values() for rows in (layer.key, layer.value))


def _milliseconds(function):
    start = perf_counter()
    function()
    return (perf_counter() - start) * 1e3


def _in_turns(functions, rounds):  # -> the median milliseconds of each; other load on the computer falls on all alike
    return [float(x) for x in np.median([[_milliseconds(function) for function in functions] for _ in range(rounds)], 0)]


@torch.no_grad()
def measure(seed=0, threads=1, lengths=LENGTHS, kept_heads=KEPT, sizes=SIZES, steps=STEPS, rounds=ROUNDS):  # -> JSON-able
    """The median milliseconds of one more word, by length: without a cache, and with one for each count of kept heads; and the numbers kept."""
    torch.set_num_threads(threads)
    models, draw = [writer(kept, sizes, seed) for kept in kept_heads], np.random.default_rng(seed)
    without, with_cache, numbers = [], [], []
    for length in lengths:
        ids = torch.from_numpy(draw.integers(1, sizes.vocab_size, (1, length)))
        texts = [Writing(model, ids, steps) for model in models]
        with_cache.append(_in_turns([text.step for text in texts], steps))
        numbers.append([text.kept() for text in texts])
        without += _in_turns([lambda ids=ids: models[0](ids)[:, -1:].argmax(-1)], rounds)
    shape = {"width": sizes.d_model, "heads": sizes.n_heads, "blocks": sizes.n_layers, "steps": steps, "rounds": rounds}
    times = {"without": as_recorded(without), "with": as_recorded(np.transpose(with_cache))}
    return {"lengths": list(lengths), "kept_heads": list(kept_heads), **shape, **times, "numbers_kept": np.transpose(numbers).tolist()}
