"""Greedy generation with and without a KV cache, and prefill, against peers."""

from contextlib import nullcontext
from functools import partial

import torch
import torch.nn.functional as F

from parts.contenders import nanogpt, products, row, tidy, writers
from pencil.model import Cache


@torch.inference_mode()
def write(begin, first, count):
    """Greedy generation of `count` tokens."""
    step, ids = begin(), [first]
    for _ in range(count):
        ids.append(step(ids)[:, -1:].argmax(-1))
    return torch.cat(ids, 1)


def without_cache(model):
    """A step function that recomputes the whole text for each token."""
    return lambda: lambda ids: model(torch.cat(ids, 1))


def with_cache(model, room=None):
    """A step function with our cache, which grows, or is preallocated for `room` tokens."""

    def begin():
        cache = Cache(room)
        return lambda ids: model(ids[-1], cache=cache)

    return begin


def with_their_cache(call, config, room=None):
    """A step function with transformers' cache, which grows, or is preallocated."""

    def begin():
        from transformers import DynamicCache, StaticCache

        cache = DynamicCache(config=config) if room is None else StaticCache(config=config, max_cache_len=room)
        return lambda ids: call(ids[-1], past_key_values=cache, use_cache=True).logits

    return begin


def generate(peer, first, count):
    """transformers' `generate`, greedy, with its cache."""
    return peer.generate(first, max_new_tokens=count, do_sample=False, use_cache=True, pad_token_id=0, attention_mask=torch.ones_like(first))


def writing_rows(setting, called="", grows=True):
    """Generate a text of full length with a preallocated cache, with a growing one, and without."""
    ours, peer = writers(setting)
    first, words = setting.ids(1, 1), setting.length - 1
    least, runs = products(setting, ours, 1, times=words), {"ours without a cache": partial(write, without_cache(ours.eval()), first, words)}
    nano = nanogpt(setting, ours).eval()
    runs["nanoGPT's generate"] = partial(nano.generate, first, words)
    if peer is not None:
        runs["transformers' with its cache"] = partial(write, with_their_cache(peer.eval(), peer.config), first, words)
        runs["transformers' generate"] = partial(generate, peer, first, words)
    for way, room in (({"a cache that grows": None} if grows else {}) | {"a cache laid out": setting.length}).items():
        for name, theirs in runs.items():
            yield row(
                setting, f"{called}{words} words, {way}", name, [partial(write, with_cache(ours, room), first, words), theirs], least, words=words
            )
    tidy(setting)


def reading_rows(setting):
    """Prefill of a cache: against transformers, and against the bare matrix products and torch's attention."""
    ours, peer = writers(setting)
    ids, words = setting.ids(1, setting.length - 1), setting.length - 1
    least = products(setting, ours, words)
    query, key, value = (setting.draw(1, setting.heads, words, setting.width // setting.heads) for _ in range(3))

    def bare():
        least()
        for _ in range(setting.blocks):
            F.scaled_dot_product_attention(query, key, value, is_causal=True)

    runs = {"torch's products and attention alone": bare}
    if peer is not None:
        begin = with_their_cache(peer.eval(), peer.config)
        runs["transformers' with its cache"] = partial(read, begin, ids)
    for name, theirs in runs.items():
        yield row(setting, f"{words} words read at once", name, [partial(read, with_cache(ours.eval()), ids), theirs], least, words=words)
    tidy(setting)


@torch.inference_mode()
def read(begin, ids):
    """Prefill, and the most probable next id."""
    return begin()([ids])[:, -1:].argmax(-1)


def frozen(setting):
    """A context manager that enables inductor's freezing on a CPU: weights become constants with an optimized layout, its own kernels
    are tuned against the library's, and a C++ wrapper calls them."""
    if setting.device == "cuda":
        return nullcontext()
    return torch._inductor.config.patch(freezing=True, max_autotune=True, cpp_wrapper=True, autotune_num_choices_displayed=0)


def compiled_writing_rows(setting, called=""):
    """The same with a preallocated cache, and the step compiled with frozen weights into two graphs."""
    ours, peer = writers(setting)
    if peer is None:
        return
    first, words = setting.ids(1, 1), setting.length - 1
    quick, theirs = (torch.compile(module.eval(), fullgraph=module is ours) for module in (ours, peer))
    runs = {
        "transformers' with its cache": partial(write, with_their_cache(peer, peer.config), first, words),
        "transformers' generate": partial(generate, peer, first, words),
        "transformers' laid out, compiled": partial(write, with_their_cache(theirs, peer.config, setting.length), first, words),
    }
    least = products(setting, ours, 1, times=words)
    for name, run in runs.items():
        what, both = f"{called}{words} words, laid out, compiled", [partial(write, with_cache(quick, setting.length), first, words), run]
        with frozen(setting):
            measured = row(setting, what, name, both, least, words=words, compiled=True)
        yield measured
    tidy(setting)
