"""Pairs of programs that should give the same results, in plain NumPy that can be traced."""

import numpy as np

from pencil.note import scoped


def naive(scores, values, note):  # (T, S), (S, d) -> (T, d)
    """Softmax over whole rows, then the mix."""
    raised = note("raised", np.exp(scores - scores.max(-1, keepdims=True)))
    return note("mixed", raised @ values / note("total", raised.sum(-1, keepdims=True)))


def tiled(scores, values, note, *, block):
    """The same, a block of columns at a time, with what is known so far kept up to date (Milakov & Gimelshein 2018)."""
    greatest = total = mix = None
    for number, start in enumerate(range(0, scores.shape[-1], block), 1):
        part, said = scores[:, start : start + block], scoped(note, f"block{number}")
        top = part.max(-1, keepdims=True)
        now = said("max", top if greatest is None else np.maximum(greatest, top))
        raised = said("raised", np.exp(part - now))
        here, mixed = raised.sum(-1, keepdims=True), raised @ values[start : start + block]
        if greatest is not None:
            factor = said("factor", np.exp(greatest - now))
            here, mixed = factor * total + here, factor * mix + mixed
        greatest, total, mix = now, said("total", here), said("mix", mixed)
    return note("acc", mix / total)


def whole(query, key, value, note):  # (T, d), (T, d), (T, d) -> (T, d)
    """Linear attention of all words at once, each over those before it: no power of e, so fractions throughout."""
    scores = np.where(np.tri(len(query), dtype=bool), note("scores", query @ key.T), 0)
    return note("mixed", scores @ value)


def cached(query, key, value, note):
    """The same, word by word, from keys and values that are kept."""
    kept_keys, kept_values, rows = key[:1], value[:1], []
    for t in range(len(query)):
        if t:
            kept_keys, kept_values = (np.concatenate([kept, x[t : t + 1]]) for kept, x in ((kept_keys, key), (kept_values, value)))
        rows.append(query[t : t + 1] @ kept_keys.T @ kept_values)
    return note("acc", np.concatenate(rows))


def adapted(x, weight, down, up, note):  # (T, d), (o, d), (r, d), (o, r) -> (T, o)
    """LoRA: the frozen weights, and a detour of low rank beside them (Hu et al. 2021)."""
    return note("mixed", x @ weight.T + x @ down.T @ up.T / 2)


def merged(x, weight, down, up, note):
    """The detour added to the weights once and for all."""
    return note("acc", x @ note("merged", weight + up @ down / 2).T)


def long(query, latent, up_key, up_value, note):  # (T, d), (S, r), (d, r), (e, r) -> (T, e)
    """Attention whose keys and values are made from one short row a word, its latent (MLA, DeepSeek-AI 2024)."""
    keys, values = latent @ up_key.T, latent @ up_value.T
    scores = note("scores", query @ keys.T)
    raised = note("raised", np.exp(scores - scores.max(-1, keepdims=True)))
    return note("mixed", raised @ values / raised.sum(-1, keepdims=True))


def absorbed(query, latent, up_key, up_value, note):
    """The same with the latents alone: the query takes up the grid of the keys, and the grid of the values comes behind the mix."""
    scores = note("scores", (query @ up_key) @ latent.T)
    raised = note("raised", np.exp(scores - scores.max(-1, keepdims=True)))
    return note("acc", (raised @ latent / raised.sum(-1, keepdims=True)) @ up_value.T)
