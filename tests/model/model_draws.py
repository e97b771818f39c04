"""Random parameters and random descriptions of a model, and all options of a block."""

from itertools import product

import numpy as np
import torch
from hypothesis import strategies as st

from pencil import reference as ref
from pencil.model import Config

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
POSITIONS = {"none": None, "rotary": ref.Rotary(), "alibi": ref.Alibi()}


def recipes():
    """(id, Recipe) for every order of the norm, bend and way to tell positions."""
    bends = (ref.relu, ref.gelu, ref.gelu_erf)
    for norm_first, activation, (name, positions) in product((True, False), bends, POSITIONS.items()):
        eps = 1e-5 if norm_first else 0.0
        yield (
            f"{'pre' if norm_first else 'post'}-{activation.__name__}-{name}",
            ref.BlockConfig(norm_first=norm_first, eps=eps, activation=activation, softmax=ref.stable_softmax, position_encoding=positions),
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


ACTIVATIONS = (ref.relu, ref.gelu, ref.gelu_erf, ref.silu)
SCALED = ref.Rotary(base=100.0, scaling=ref.Llama3Scaling(original_max_len=8))
STRETCHED = ref.Rotary(scaling=ref.LinearScaling(2.0))
YARN = ref.Rotary(base=100.0, scaling=ref.YarnScaling(4.0, 8))
ENCODINGS = (None, ref.Rotary(), ref.Rotary(base=50.0), SCALED, STRETCHED, YARN, ref.Alibi())


@st.composite
def configs(draw, decoder=True):
    """A description in which every choice may be any, as far as they go together; those that only a decoder has are left out without `decoder`."""
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731
    inside, near, normed = pick(*ENCODINGS), pick(None, *ENCODINGS), pick(ref.layer_norm, ref.rms_norm)
    window, n_layers = pick(None, None, 1, 2, 4), pick(1, 2, 3)
    near = None if window is None else near
    rotary = isinstance(inside, ref.Rotary) or isinstance(near, ref.Rotary)
    n_kv_heads, mixed = pick(None, 1, 2), pick(False, False, True)
    n_heads = (n_kv_heads or 1) * pick(1, 2, 3)
    latent = pick(False, False, True)
    if latent:
        short = dict(latent_dim=pick(1, 2, 5), query_latent_dim=pick(None, 1, 3), rope_dim=pick(2, 4))
        short["rope_dim"] = short["rope_dim"] if rotary else pick(None, 1, 2)
        kinds = short | dict(qkv_bias=pick(None, False))
    else:
        flags = {name: pick(True, False) for name in ("qk_norm", "sinks", "gated_attention")}
        kinds = flags | dict(n_kv_heads=n_kv_heads, qkv_bias=pick(None, True, False))
    routing = ref.Routing(pick(1, 2, 3), pick(ref.softmax, ref.sigmoid), normalize=pick(True, False))
    norm_first, streams = pick(True, False), pick(None, None, 1, 2, 4)
    layers = st.sets(st.integers(1, n_layers)).map(lambda numbers: tuple(sorted(numbers)))
    kinds |= dict(window=window, window_position_encoding=near, window_layers=None if window is None else pick(None, draw(layers)))
    linear = draw(layers) if decoder and pick(True, False) else ()
    if linear := tuple(number for number in linear if number not in (kinds["window_layers"] or ())):
        key_heads = pick(None, 1, 2)
        heads = pick(None, 1, 3) if key_heads is None else key_heads * pick(1, 2)
        kinds |= dict(linear_layers=linear, linear_heads=heads, linear_key_heads=key_heads)
        kinds |= dict(linear_d_k=pick(None, 1, 3), linear_d_v=pick(None, 1, 4), linear_conv_size=pick(None, 1, 2, 5))
    return Config(
        draw(st.integers(1, 7)),
        n_heads,
        d_k=pick(2, 4) if rotary else pick(1, 2, 3),
        d_v=pick(None, 1, 2, 5),
        d_ff=pick(None, 1, 3),
        n_layers=n_layers,
        vocab_size=draw(st.integers(2, 9)),
        max_len=pick(None, 12),
        sinusoidal=False,
        bias=pick(True, False),
        affine=pick(True, False),
        norm_bias=normed is ref.layer_norm and pick(True, False),
        gated=pick(True, False),
        tie_embeddings=pick(True, False),
        n_experts=3 if mixed else None,
        norm_first=norm_first,
        eps=pick(1e-6, 1e-2),
        activation=pick(*ACTIVATIONS),
        softmax=ref.stable_softmax,
        norm=normed,
        position_encoding=inside,
        sandwich_norm=pick(True, False),
        n_streams=streams if norm_first else None,
        sinkhorn_iterations=pick(1, 3, 20),
        score_width=pick(None, 3, 0.5),
        scale_embeddings=pick(True, False),
        layers_without_positions=pick((), draw(layers)),
        feed_forward=routing if mixed else ref.feed_forward,
        **kinds,
    )
