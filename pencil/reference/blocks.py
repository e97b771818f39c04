"""The transformer block: attention and an MLP, each with a residual connection and a norm; and a stack of blocks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pencil.note import no_note, scoped
from pencil.reference.attending import AttentionParams, multi_head_attention
from pencil.reference.contracts import check_number, shapes
from pencil.reference.experts import ExpertsParams
from pencil.reference.functional import LayerNormParams, layer_norm, relu, softmax
from pencil.reference.networks import feed_forward
from pencil.reference.positions import check_position_encoding


@dataclass(frozen=True)
class BlockParams:
    """The parameters of a block, with one norm for each of its sublayers, in their order."""

    attention: AttentionParams
    feed_forward: object  # FeedForwardParams, or ExpertsParams where the config's feed_forward is a Routing
    norms: tuple = (LayerNormParams(), LayerNormParams())
    cross: AttentionParams | None = None  # attention to another text; the block then has three norms


@dataclass(frozen=True)
class BlockConfig:
    """How a block is built, apart from its parameters."""

    norm_first: bool = True  # Pre-LN: x + sublayer(norm(x)) (GPT-2). False is Post-LN: norm(x + sublayer(x)) (2017, BERT)
    eps: float = 0.0  # added to the variance, or to the mean square, in every norm
    activation: Callable = relu  # gelu (GPT-2), or silu in a gated network (Llama)
    softmax: Callable = softmax
    position_encoding: object = None  # Rotary or Alibi
    norm: Callable = layer_norm  # or rms_norm (Llama)
    feed_forward: Callable = feed_forward  # or a Routing, for a mixture of experts (Mixtral)

    def __post_init__(self):
        check_number("eps", self.eps, least=0)
        check_position_encoding(self.position_encoding)


@shapes("... T d, memory?: ... S d_memory -> ... T d")
def block(x, params, *, mask=None, padding_mask=None, config=BlockConfig(), memory=None, memory_mask=None, note=no_note):
    """A transformer block: self-attention, cross-attention where there is a `memory`, and the MLP, each with a residual connection and a norm.

    - `x`: (..., T, d), one row for each token
    - `params`: the parameters of the block
    - `mask`: bool, True where a token may attend to another, as in `attention`; None where all may
    - `padding_mask`: (..., T), False for padding, to which experts with a capacity give no place; attention does not use it
    - `config`: a `BlockConfig`: norms (pre or post, which kind, eps), activation, softmax, position encoding, feed-forward network
    - `memory`, `memory_mask`: the rows of another text, for a block with cross-attention, and the mask of that

    Source: Vaswani et al. 2017, 3.1; Pre-LN: GPT-2 (Radford et al. 2019; Xiong et al. 2020); with rms_norm, silu and a gate, and Rotary: Llama
    (Touvron et al. 2023, 2.2). Raises ValueError for sublayers that do not write rows of width d, for a memory without cross-attention
    and the other way round, for another number of norms than of sublayers, and as its parts do.
    """
    _check_sublayers(params, memory)
    normalize = partial(config.norm, eps=config.eps)
    attend = partial(multi_head_attention, softmax=config.softmax, qk_norm=normalize)

    def self_attention(rows):
        return attend(rows, params.attention, mask=mask, position_encoding=config.position_encoding, note=note)

    def cross_attention(rows):
        return attend(rows, params.cross, mask=memory_mask, memory=memory, note=scoped(note, "cross"))

    def mlp(rows):
        padding = {"padding_mask": padding_mask} if isinstance(params.feed_forward, ExpertsParams) else {}
        return config.feed_forward(rows, params.feed_forward, **padding, activation=config.activation, note=note)

    def add(name, rows, sublayer, number):  # the residual connection, with norm `number` in front of the sublayer or behind the sum
        norm, norm_note = params.norms[number - 1], scoped(note, f"norm{number}")
        if config.norm_first:
            return note(name, rows + sublayer(normalize(rows, norm=norm, note=norm_note)))
        return normalize(note(name, rows + sublayer(rows)), norm=norm, note=norm_note)

    x = add("residual", x, self_attention, 1)
    if memory is not None:
        x = add("cross.residual", x, cross_attention, 2)
    if config.norm_first:
        return add("out", x, mlp, len(params.norms))
    return note("out", add("mlp_residual", x, mlp, len(params.norms)))


def _check_sublayers(params, memory):
    if not isinstance(params, BlockParams):
        raise ValueError(f"params is a {type(params).__name__}; give the block BlockParams")
    if memory is not None and params.cross is None:
        raise ValueError("a memory, and no cross-attention to read it; give the block cross=AttentionParams(...) or leave the memory out")
    if memory is None and params.cross is not None:
        raise ValueError("the block has cross-attention and nothing to attend to; hand it the other text's rows as memory")
    n_sublayers = 2 if memory is None else 3
    if len(params.norms) != n_sublayers:
        raise ValueError(f"{len(params.norms)} norms for {n_sublayers} sublayers; give the block one norm for each")


@shapes("... T d, memory?: ... S d_memory -> ... T d")
def stack(x, blocks, *, mask=None, padding_mask=None, config=BlockConfig(), norm=None, memory=None, memory_mask=None, note=no_note):
    """The blocks one after the other, and a final norm where there is one (Pre-LN has it: GPT-2, Radford et al. 2019; Post-LN needs none).

    - `x`: (..., T, d), one row for each token
    - `blocks`: the BlockParams of each block
    - `mask`, `padding_mask`, `config`, `memory`, `memory_mask`: as in `block`, for every block
    - `norm`: the LayerNormParams of the final norm, or None where there is none

    Values are named block1.…, block2.…, norm.… . Raises ValueError when there is no block, and as `block` does.
    """
    if not blocks:
        raise ValueError("no blocks: give the stack at least one BlockParams(...)")
    options = {"mask": mask, "padding_mask": padding_mask, "config": config, "memory": memory, "memory_mask": memory_mask}
    for i, params in enumerate(blocks, start=1):
        x = block(x, params, **options, note=scoped(note, f"block{i}"))
    return x if norm is None else config.norm(x, norm=norm, eps=config.eps, note=scoped(note, "norm"))
