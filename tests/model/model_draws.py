"""Random parameters for the model, and all options of a block."""

from itertools import product

import numpy as np
import torch

from pencil import reference as ref

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
POSITIONS = {"none": None, "rotary": ref.Rotary(), "alibi": ref.Alibi()}


def recipes():
    """(id, Recipe) for every order of the norm, bend and way to tell positions."""
    bends = (ref.relu, ref.gelu, ref.gelu_erf)
    for norm_first, activation, (name, positions) in product((True, False), bends, POSITIONS.items()):
        eps = 1e-5 if norm_first else 0.0
        yield (
            f"{'pre' if norm_first else 'post'}-{activation.__name__}-{name}",
            ref.BlockConfig(norm_first, eps, activation, ref.stable_softmax, positions),
        )


class Draw:
    """Bundles of random arrays from one seed."""

    def __init__(self, seed, bias=True, affine=True):
        self.rng, self.bias, self.affine = np.random.default_rng(seed), bias, affine

    def array(self, *shape):
        return self.rng.normal(size=shape) / np.sqrt(shape[-1])

    def maybe(self, size):
        return self.array(size) if self.bias else None

    def attention(self, d, heads=1, d_k=2, d_v=None, d_memory=None):
        d_v, reads = d_v or d_k, d_memory or d

        def head():
            params = self.array(d_k, d), self.array(d_k, reads), self.array(d_v, reads)
            return ref.QKVParams(*params, self.maybe(d_k), self.maybe(d_k), self.maybe(d_v))

        return ref.AttentionParams(tuple(head() for _ in range(heads)), self.array(d, heads * d_v), self.maybe(d))

    def norm(self, d):
        return ref.LayerNormParams(1 + self.array(d), self.array(d)) if self.affine else ref.LayerNormParams()

    def block(self, d, heads=1, d_k=2, d_v=None, d_ff=None, d_memory=None):
        d_ff = d_ff or 4 * d
        worker = ref.FeedForwardParams(self.array(d_ff, d), self.array(d, d_ff), self.maybe(d_ff), self.maybe(d))
        cross = None if d_memory is None else self.attention(d, heads, d_k, d_v, d_memory)
        norms = tuple(self.norm(d) for _ in range(2 if cross is None else 3))
        return ref.BlockParams(self.attention(d, heads, d_k, d_v), worker, norms, cross)

    def encoder(self, d=4, rows=9, positions=8, blocks=2, norm=True, **sizes):
        made = tuple(self.block(d, **sizes) for _ in range(blocks))
        return ref.EncoderParams(self.array(rows, d), made, self.array(positions, d) if positions else None, self.norm(d) if norm else None)

    def decoder(self, d=4, rows=9, positions=8, blocks=2, norm=True, output=False, **sizes):
        e = self.encoder(d, rows, positions, blocks, norm, **sizes)
        return ref.DecoderParams(e.embedding, e.blocks, e.positions, e.norm, self.array(rows, d) if output else None)

    def encoder_decoder(self, reader=4, writer=4, rows=9, **sizes):
        return ref.EncoderDecoderParams(self.encoder(reader, rows, **sizes), self.decoder(writer, rows, d_memory=reader, **sizes))

    def classifier(self, d=4, rows=9, hidden=3, **sizes):
        head = ref.MLPParams(self.array(hidden, d), self.array(hidden), self.array(1, hidden), self.array(1))
        return ref.ClassifierParams(self.array(rows, d), self.attention(d, **sizes), head)

    def ids(self, *shape, rows=9):
        return self.rng.integers(1, rows, shape)


def padded(ids, *lengths):
    """The ids with padding after the first so many of each text."""
    return np.where(np.arange(ids.shape[-1]) < np.array(lengths)[:, None], ids, 0)


def close(ours, theirs, tolerance=1e-10, name=""):
    ours = ours.detach().double().cpu().numpy() if isinstance(ours, torch.Tensor) else ours
    theirs = theirs.detach().double().cpu().numpy() if isinstance(theirs, torch.Tensor) else theirs
    assert np.shape(ours) == np.shape(theirs), f"{name}: {np.shape(ours)} and {np.shape(theirs)}"
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, err_msg=name)
