"""The transformer block: attention and an MLP, each with a residual connection and a norm; and a stack of blocks."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.attending import AttentionParams, multi_head_attention
from pencil.reference.contracts import check_number, check_size, shapes
from pencil.reference.delta_net import GatedDeltaNetParams, check_left_to_right, gated_delta_net
from pencil.reference.experts import ExpertsParams
from pencil.reference.functional import LayerNormParams, layer_norm, relu, softmax
from pencil.reference.latent import LatentAttentionParams, latent_attention
from pencil.reference.masks import in_window
from pencil.reference.networks import feed_forward
from pencil.reference.positions import check_position_encoding
from pencil.reference.streams import hyper_connection


@dataclass(frozen=True)
class BlockParams:
    """The parameters of a block, with one norm for each of its sublayers, in their order."""

    attention: AttentionParams | LatentAttentionParams | GatedDeltaNetParams
    feed_forward: object  # FeedForwardParams, or ExpertsParams where the config's feed_forward is a Routing
    norms: tuple = (LayerNormParams(), LayerNormParams())
    cross: AttentionParams | None = None  # attention to another text; the block then has three norms
    sandwich_norms: tuple = ()  # norms of what each sublayer writes, before it is added (Ding et al. 2021; Gemma 3), or none
    hyper_connections: tuple = ()  # HyperConnectionParams in the place of each residual connection (Zhu et al. 2024), or none


FUNCTIONS = {  # fields of a BlockConfig that are functions, and which there are
    "activation": "relu, gelu, gelu_erf or silu",
    "softmax": "softmax or stable_softmax",
    "norm": "layer_norm or rms_norm",
    "feed_forward": "feed_forward or a Routing",
}


@dataclass(frozen=True, kw_only=True)
class BlockConfig:
    """How a block is built, apart from its parameters. `pencil.model.Config`, the description of a whole model, is one too."""

    norm_first: bool = True  # Pre-LN: x + sublayer(norm(x)) (GPT-2). False is Post-LN: norm(x + sublayer(x)) (2017, BERT)
    eps: float = 0.0  # added to the variance, or to the mean square, in every norm
    activation: Callable = relu  # gelu (GPT-2), or silu in a gated network (Llama)
    softmax: Callable = softmax
    position_encoding: object = None  # Rotary or Alibi
    norm: Callable = layer_norm  # or rms_norm (Llama)
    feed_forward: Callable = feed_forward  # or a Routing, for a mixture of experts (Mixtral)
    window: int | None = None  # how many tokens each may attend to, itself and those behind (Mistral); None is all. Later ones are the mask's affair
    window_layers: tuple | None = None  # the numbers of the layers that have the window, from 1 (Gemma); None is all
    window_position_encoding: object = None  # that of the layers with the window, where it is another (Gemma 3)
    layers_without_positions: tuple = ()  # the numbers of the layers that leave the position_encoding out (SmolLM3)
    score_width: float | None = None  # the scores are divided by its root (Gemma); None is the width of a key
    scale_embeddings: bool = False  # whether token embeddings are multiplied by √d_model (Vaswani et al. 2017, 3.4; Gemma)
    sinkhorn_iterations: int = 20  # of the mixing matrix of hyper-connections (DeepSeek-V4)

    def __post_init__(self):
        if not isinstance(self.norm_first, bool):
            raise ValueError(f"norm_first={self.norm_first!r}; take True (Pre-LN) or False (Post-LN)")
        if not isinstance(self.scale_embeddings, bool):
            raise ValueError(f"scale_embeddings={self.scale_embeddings!r}; take True or False")
        check_number("eps", self.eps, least=0)
        check_number("score_width", 1 if self.score_width is None else self.score_width, above=0)
        for name, allowed in FUNCTIONS.items():
            if not callable(value := getattr(self, name)):
                raise ValueError(f"{name}={value!r} is a {type(value).__name__}; take {allowed} of pencil.reference")
        for name in ("position_encoding", "window_position_encoding"):
            check_position_encoding(getattr(self, name), name)
        check_size("window", 1 if self.window is None else self.window)
        check_size("sinkhorn_iterations", self.sinkhorn_iterations)
        for name in ("window_layers", "window_position_encoding"):
            if getattr(self, name) is not None and self.window is None:
                raise ValueError(f"{name}={getattr(self, name)} and no window; say how many tokens it has, such as window=4096")
        listed = {
            "window_layers": () if self.window_layers is None else self.window_layers,
            "layers_without_positions": self.layers_without_positions,
        }
        for name, numbers in listed.items():
            check_layers(name, numbers)

    def of_layer(self, number):  # -> BlockConfig
        """How the layer of that number is built, counted from 1: with the window or without, and with which position encoding."""
        if self.window_layers is None and self.window_position_encoding is None and not self.layers_without_positions:
            return self
        near = self.window is not None and (self.window_layers is None or number in self.window_layers)
        encoding = self.position_encoding
        if near and self.window_position_encoding is not None:
            encoding = self.window_position_encoding
        if number in self.layers_without_positions:
            encoding = None
        own = {"window": self.window if near else None, "position_encoding": encoding}
        return replace(self, **own, window_layers=None, window_position_encoding=None, layers_without_positions=())


def check_layers(name, numbers):
    """Raise ValueError unless these are the numbers of layers, in a tuple."""
    if not isinstance(numbers, tuple) or any(type(number) is not int or number < 1 for number in numbers):
        raise ValueError(f"{name}={numbers!r}; give a tuple of the layers' numbers, from 1 on")


@shapes("... T d, memory?: ... S d_memory -> ... T d")
def block(x, params, *, mask=None, padding_mask=None, config=BlockConfig(), memory=None, memory_mask=None, note=no_note):
    """A transformer block: self-attention, cross-attention where there is a `memory`, and the MLP, each with a residual connection and a norm.

    - `x`, `params`: one row for each token, and the parameters of the block; with hyper-connections a row is the token's streams, side by side
    - `mask`: bool, True where a token may attend to another, as in `attention`; None where all may
    - `padding_mask`: (..., T), False for padding, to which experts with a capacity give no place, and which linear attention has at the end alone
    - `config`: a `BlockConfig`: norms (pre or post, which kind, eps), activation, softmax, position encoding, feed-forward network
    - `memory`, `memory_mask`: the rows of another text, for a block with cross-attention, and the mask of that

    Source: Vaswani et al. 2017, 3.1; Pre-LN: GPT-2 (Radford et al. 2019); as Llama has it: Touvron et al. 2023, 2.2. Raises ValueError for a
    memory without cross-attention and the other way round, for another number of norms than of sublayers, for hyper-connections and Post-LN,
    and as its parts do.
    """
    _check_memory(params, memory)
    check_sublayers(params, config)
    normalize = partial(config.norm, eps=config.eps)
    add = partial(_add, params=params, config=config, normalize=normalize, note=note)

    def self_attention(rows):
        if isinstance(params.attention, GatedDeltaNetParams):
            check_left_to_right(mask, padding_mask, rows.shape[-2])
            return gated_delta_net(rows, params.attention, norm=normalize, note=note)
        near = in_window(mask, rows.shape[-2], config.window)
        return _attend(rows, params.attention, config, normalize, mask=near, position_encoding=config.position_encoding, note=note)

    def cross_attention(rows):
        return _attend(rows, params.cross, config, normalize, mask=memory_mask, memory=memory, note=scoped(note, "cross"))

    def mlp(rows):
        padding = {"padding_mask": padding_mask} if isinstance(params.feed_forward, ExpertsParams) else {}
        return config.feed_forward(rows, params.feed_forward, **padding, activation=config.activation, note=note)

    x = add("residual", x, self_attention, 1)
    if memory is not None:
        x = add("cross.residual", x, cross_attention, 2)
    if config.norm_first:
        return add("out", x, mlp, len(params.norms))
    return note("out", add("mlp_residual", x, mlp, len(params.norms)))


def _add(name, rows, sublayer, number, *, params, config, normalize, note):
    """The residual connection of a sublayer, with norm `number` before it or after the sum; or its hyper-connection."""
    norm, norm_note = params.norms[number - 1], scoped(note, f"norm{number}")

    def written(rows):
        out = sublayer(normalize(rows, norm=norm, note=norm_note) if config.norm_first else rows)
        if not params.sandwich_norms:
            return out
        return normalize(out, norm=params.sandwich_norms[number - 1], note=scoped(note, f"sandwich_norm{number}"))

    if params.hyper_connections:
        between = params.hyper_connections[number - 1]
        return note(name, _connected(rows, between, written, config, note=scoped(note, f"hyper_connection{number}")))
    added = note(name, rows + written(rows))
    return added if config.norm_first else normalize(added, norm=norm, note=norm_note)


def _attend(rows, params, config, normalize, **options):
    options["width"] = config.score_width
    if isinstance(params, LatentAttentionParams):
        return latent_attention(rows, params, softmax=config.softmax, norm=normalize, **options)
    return multi_head_attention(rows, params, softmax=config.softmax, qk_norm=normalize, **options)


def _connected(rows, params, sublayer, config, *, note):  # (..., T, n·d) -> (..., T, n·d)
    n = len(params.read)
    streams = rows.reshape(*rows.shape[:-1], n, rows.shape[-1] // n)
    return hyper_connection(streams, params, sublayer, iterations=config.sinkhorn_iterations, eps=config.eps, note=note).reshape(rows.shape)


def _check_memory(params, memory):
    if not isinstance(params, BlockParams):
        raise ValueError(f"params is a {type(params).__name__}; give the block BlockParams")
    if memory is not None and params.cross is None:
        raise ValueError("a memory, and no cross-attention to read it; give the block cross=AttentionParams(...) or leave the memory out")
    if memory is None and params.cross is not None:
        raise ValueError("the block has cross-attention and nothing to attend to; hand it the other text's rows as memory")


def check_sublayers(params, config):
    """Raise ValueError unless a block has one norm for each sublayer; where it has sandwich norms or hyper-connections, one of those too."""
    n_sublayers = 2 if params.cross is None else 3
    if len(params.norms) != n_sublayers:
        raise ValueError(f"{len(params.norms)} norms for {n_sublayers} sublayers; give the block one norm for each")
    for name in ("sandwich_norms", "hyper_connections"):
        if len(getattr(params, name)) not in (0, n_sublayers):
            count, what = len(getattr(params, name)), name.replace("_", " ")
            raise ValueError(f"{count} {what} for {n_sublayers} sublayers; give the block one for each, or none")
    if params.hyper_connections and not config.norm_first:
        raise ValueError("hyper-connections and norm_first=False: they add no sum that Post-LN could normalize; take norm_first=True")


@shapes("... T d, memory?: ... S d_memory -> ... T d")
def stack(x, blocks, *, start=1, mask=None, padding_mask=None, config=BlockConfig(), norm=None, memory=None, memory_mask=None, note=no_note):
    """The blocks one after the other, and a final norm where there is one (Pre-LN has it: GPT-2, Radford et al. 2019; Post-LN needs none).

    - `x`: (..., T, d), one row for each token
    - `blocks`: the BlockParams of each block
    - `start`: the number of the first of them, where the blocks in front of it have been run already
    - `mask`, `padding_mask`, `config`, `memory`, `memory_mask`: as in `block`, for every block; its config is `config.of_layer(start)`, …
    - `norm`: the LayerNormParams of the final norm, or None where there is none

    With hyper-connections each stream begins as `x`, and the streams are summed before the final norm (Zhu et al. 2024, 2.1).
    Values are named block1.…, block2.…, norm.… by these numbers. Raises ValueError when there is no block, for hyper-connections and a start,
    and as `block` does.
    """
    if not blocks:
        raise ValueError("no blocks: give the stack at least one BlockParams(...)")
    if (between := blocks[0].hyper_connections) and start != 1:
        raise ValueError(f"hyper-connections and start={start}: their streams begin at the first block; leave start out")
    options = {"mask": mask, "padding_mask": padding_mask, "memory": memory, "memory_mask": memory_mask}
    n = len(between[0].read) if between else 1
    x = note("streams", np.concatenate([x] * n, axis=-1)) if between else x
    for i, params in enumerate(blocks, start):
        x = block(x, params, **options, config=config.of_layer(i), note=scoped(note, f"block{i}"))
    if between:
        x = note("streams_sum", x.reshape(*x.shape[:-1], n, x.shape[-1] // n).sum(-2))
    return x if norm is None else config.norm(x, norm=norm, eps=config.eps, note=scoped(note, "norm"))
