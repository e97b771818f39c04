"""A checkpoint's tensors as sources of our arrays: what a layout consists of, and how an array is taken from a tensor."""

from typing import NamedTuple

import torch

from pencil.model.config import Config


class Source(NamedTuple):
    """One of their tensors: its shape, and how to extract our arrays from it."""

    shape: tuple
    parts: dict  # {our flat name: function of the tensor}


class Layout(NamedTuple):
    """The contents of a config.json in our terms."""

    config: Config
    sources: dict  # {their name without a prefix: Source}
    prefix: str  # optional prefix of their names
    unused: tuple  # suffixes of tensors that are not parameters
    encoder: bool = False  # whether the model is an encoder, not a decoder

    def zeros(self):  # -> EncoderParams or DecoderParams
        """The parameters of the model, all zeros."""
        return self.config.encoder_params() if self.encoder else self.config.decoder_params()


def norm(theirs, ours, width, bias=True, take=None):  # -> {their name: Source}, as with the others
    """A norm of that width: its gain, which `take` makes of their weight (None is as it is), and its bias."""
    ends = {"weight": "gain"} | ({"bias": "bias"} if bias else {})
    return {f"{theirs}.{end}": Source((width,), {f"{ours}.{name}": take or unchanged}) for end, name in ends.items()}


def conv1d(theirs, ours, d_in, d_out):
    """A linear layer of GPT-2, whose weight is (in, out), with its bias."""
    return {f"{theirs}.weight": Source((d_in, d_out), {ours: torch.t}), f"{theirs}.bias": Source((d_out,), {f"{ours}_bias": unchanged})}


def linear(theirs, ours, d_in, d_out, bias):
    """A linear layer, with or without a bias."""
    weight = {f"{theirs}.weight": Source((d_out, d_in), {ours: unchanged})}
    return weight | ({f"{theirs}.bias": Source((d_out,), {f"{ours}_bias": unchanged})} if bias else {})


def unchanged(tensor):
    """The tensor as it is."""
    return tensor


def plus_one(tensor):
    """The gain of a norm whose weight is its distance from 1 (Gemma); half precision becomes float32, in which 1 + weight is exact enough."""
    return 1 + (tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor)


def rows(tensor, start, width):
    """The rows of one head."""
    return tensor[start : start + width]


def columns(tensor, start, width):
    """The columns of one head, as rows."""
    return tensor[:, start : start + width].T


def neighbours(tensor, start, width):
    """The rows of one head, its two halves interleaved: rows i and i + width/2 become neighbours."""
    return torch.stack([tensor[start : start + width // 2], tensor[start + width // 2 : start + width]], 1).flatten(0, 1)
