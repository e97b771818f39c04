"""The transformer block (Vaswani et al. 2017, 3.1).

`Block` is attention, then the feed-forward network or the experts in its place, each added to the residual stream. `Stack` is blocks one
after the other.
"""

from functools import partial

import torch
from torch import nn

from pencil.model.attending import MultiHeadAttention
from pencil.model.config import Config
from pencil.model.delta_net import GatedDeltaNet
from pencil.model.experts import Experts, limited
from pencil.model.functional import norm_of, normalized
from pencil.model.latent import LatentAttention
from pencil.model.module import Module, check_eval, check_fit, config_of, dropout, named
from pencil.model.networks import FeedForward
from pencil.model.streams import HyperConnection
from pencil.note import scoped
from pencil.params import flatten
from pencil.reference.blocks import check_sublayers
from pencil.reference.delta_net import GatedDeltaNetParams
from pencil.reference.experts import ExpertsParams
from pencil.reference.latent import LatentAttentionParams

ATTENTIONS = {LatentAttentionParams: LatentAttention, GatedDeltaNetParams: GatedDeltaNet}  # other params are those of MultiHeadAttention


class Block(Module):
    """Self-attention, then (with `cross`) cross-attention to another text, then the feed-forward network.

    Args:
        sizes: a Config, or BlockParams, of which the shapes are used.
        config: a BlockConfig (pre- or post-norm, which norm, eps, activation, position encoding); only beside params, where None is BlockConfig().
        dropout: the dropout probability in training, of the attention weights and of what each sublayer adds.
        cross: whether a block of a Config has cross-attention; BlockParams say so themselves.

    Raises ValueError for weights that do not return to the width of the row, and unless there is one norm for each sublayer.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, cross=False):
        super().__init__()
        config = config_of(sizes, config)
        params = sizes.block_params(cross) if isinstance(sizes, Config) else sizes
        check_sublayers(params, config)
        self.norm_first, self.dropout = config.norm_first, dropout
        self.attention = ATTENTIONS.get(type(params.attention), MultiHeadAttention)(params.attention, config, dropout=dropout)
        width = self.attention.d_model
        mixed = isinstance(params.feed_forward, ExpertsParams)
        check_fit("the row", width, *(("the router", params.feed_forward.router) if mixed else ("the up projection", params.feed_forward.up)))
        self.feed_forward = (Experts if mixed else FeedForward)(params.feed_forward, config)
        for i in (1, 2, 3):  # the sublayers, of which there may be two
            norm, sandwich, between = ((*each, None, None, None)[i - 1] for each in (params.norms, params.sandwich_norms, params.hyper_connections))
            setattr(self, f"norm{i}", norm_of(norm, config, width))
            setattr(self, f"sandwich_norm{i}", norm_of(sandwich, config, width))
            setattr(self, f"hyper_connection{i}", None if between is None else HyperConnection(between, config))
        self.n_streams = len(params.hyper_connections[0].read) if params.hyper_connections else None
        self.cross = None if params.cross is None else MultiHeadAttention(params.cross, config, dropout=dropout, cross=True)

    def forward(  # (…, T, d) -> (…, T, d)
        self, x, *, mask=None, padding_mask=None, memory=None, memory_mask=None, causal=False, layer_cache=None, attn_context=None, note=None
    ):
        """The rows after the block. Names and errors are those of `pencil.reference.block`.

        Args:
            x: (…, T, d) rows; with hyper-connections a row is the token's streams, side by side.
            mask: (…, T, T) bool, True where a position may attend.
            padding_mask: (…, T) bool, False for padding, which linear attention passes by, and to which experts with a capacity give no place;
                other attention does not use it.
            memory: (…, S, d_memory) rows of the other text, for a block with cross-attention.
            memory_mask: (…, T, S) bool, True where a position may attend to the memory.
            causal: whether a position sees none behind itself.
            layer_cache: this block's LayerCache, from a stack.
            attn_context: the AttentionContext that a stack has computed for all its blocks.
            note: a function of (name, value).
        """
        self.attention.check(x if self.n_streams is None else x[..., : x.shape[-1] // self.n_streams])
        self._check(memory, note)
        padding = {"padding_mask": padding_mask}
        own = padding if isinstance(self.attention, GatedDeltaNet) else {}
        attend = partial(self.attention, **own, mask=mask, causal=causal, layer_cache=layer_cache, attn_context=attn_context, note=note)
        x = self._residual("residual", x, 1, attend, note)
        if memory is not None:
            cross = partial(self.cross, mask=memory_mask, memory=memory, layer_cache=layer_cache, note=scoped(note, "cross"))
            x = self._residual("cross.residual", x, 2, cross, note)
        own = padding if isinstance(self.feed_forward, Experts) else {}
        return self._residual("out", x, 2 if memory is None else 3, partial(self.feed_forward, **own, note=note), note)

    def _residual(self, name, x, number, sublayer, note):  # x + sublayer(x), with the norm of that number before or after
        norm, sandwich, between = (getattr(self, f"{kind}{number}") for kind in ("norm", "sandwich_norm", "hyper_connection"))
        norm_note, sandwich_note = scoped(note, f"norm{number}"), scoped(note, f"sandwich_norm{number}")

        def written(x):
            out = sublayer(norm(x, note=norm_note) if self.norm_first else x)
            return dropout(normalized(sandwich, out, sandwich_note), self.dropout, self.training)

        if between is not None:
            streams = x.unflatten(-1, (self.n_streams, -1))
            return named(note, name, between.connect(streams, written, note=scoped(note, f"hyper_connection{number}")).flatten(-2))
        written = written(x)
        if self.norm_first:
            return named(note, name, x + written)
        last = name == "out"  # the last norm's output is the block's, and the sum before it has a name of its own
        added = named(note, "mlp_residual" if last else name, x + written)
        rows = norm(added, note=norm_note)
        return named(note, name, rows) if last else rows

    def _check(self, memory, note):
        check_eval(self, note)
        if memory is not None and self.cross is None:
            raise ValueError("a memory, and the block has no cross-attention; give it cross=AttentionParams(...) or leave the memory out")
        if memory is None and self.cross is not None:
            raise ValueError("the block has cross-attention and no memory; pass the other text's rows as memory")


class Stack(Module):
    """Blocks one after the other, then a last norm if there is one (GPT-2 has it, Post-LN needs none).

    The new weights of the projections that write into the residual stream are scaled by 1/√(their number), so that the stream
    does not grow with depth (GPT-2: Radford et al. 2019, 2.3).

    Args:
        sizes: a Config, or a list of BlockParams, of which the shapes are used.
        config: a BlockConfig (pre- or post-norm, which norm, eps, activation, position encoding); only beside params, where None is BlockConfig().
        dropout: the dropout probability in training, in each block.
        norm: LayerNormParams of the last norm, or None; for a Config there is one if `config` is pre-norm.
        cross: whether the blocks of a Config have cross-attention.

    Raises ValueError when there is no block.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, norm=None, cross=False):
        super().__init__()
        config = config_of(sizes, config)
        if isinstance(sizes, Config):
            norm = sizes.norm_params() if config.norm_first else None
            sizes = sizes.stack_params(cross)
        if not sizes:
            raise ValueError("no blocks: give the stack at least one BlockParams(...)")
        self.blocks = nn.ModuleList(Block(params, config.of_layer(i), dropout=dropout) for i, params in enumerate(sizes, start=1))
        self.norm = norm_of(norm, config, self.blocks[0].attention.d_model)
        self.limited = limited(self)
        self._scale_residual_projections()

    @staticmethod
    def flatten(params, norm=None, **options):  # list of BlockParams -> {name: array}
        """The arrays as block1.…, block2.…, norm.…"""
        parts = {f"block{i}": block for i, block in enumerate(params, start=1)} | ({} if norm is None else {"norm": norm})
        return {f"{name}.{inner}": array for name, part in parts.items() for inner, array in flatten(part).items()}

    def forward(  # (…, T, d) -> (…, T, d)
        self, x, *, mask=None, padding_mask=None, memory=None, memory_mask=None, causal=False, cache=None, positions=None, note=None
    ):
        """The rows after all blocks; names have block1., …, norm. in front.

        Args:
            x: (…, T, d) rows; with a cache only the new ones.
            mask: (…, T, S) bool, True where a position may attend; S includes what the cache holds. `padding_mask` is as in `Block.forward`.
            memory: (…, M, d_memory) rows of the other text, for blocks with cross-attention.
            memory_mask: (…, T, M) bool, True where a position may attend to the memory.
            causal: whether a position sees none behind itself.
            cache: a Cache that holds the keys and values of the earlier rows.
            positions: (…, S) integers, the position of each row so far in its own text, where the texts of a batch differ;
                0, 1, 2, … if None. Only a position encoding inside attention (Rotary, Alibi) uses them.
            note: a function of (name, value); not together with a cache.

        Raises ValueError for a cache together with a note, without causal or with a Routing's capacity, for more tokens than the
        cache's max_len, and for another memory than that of the cache: it has to be the same tensor, not an equal one.
        """
        start = 0 if cache is None else cache.length
        if cache is not None:
            self._check_cache(causal, note)
            cache.begin(x.shape[-2], memory, x.shape[:-2])
        contexts = (
            [None] * len(self.blocks) if note is not None else self._contexts(x, cache, mask=mask, causal=causal, start=start, positions=positions)
        )
        shared = {"mask": mask, "padding_mask": padding_mask, "memory": memory, "memory_mask": memory_mask, "causal": causal}
        if n_streams := self.blocks[0].n_streams:  # each begins as x
            x = named(note, "streams", x.repeat(*[1] * (x.dim() - 1), n_streams))
        for i, (block, attn_context) in enumerate(zip(self.blocks, contexts, strict=True), start=1):
            layer_cache = None if cache is None else cache.layer(i)
            x = block(x, **shared, attn_context=attn_context, layer_cache=layer_cache, note=scoped(note, f"block{i}"))
        if n_streams:
            x = named(note, "streams_sum", x.unflatten(-1, (n_streams, -1)).sum(-2))
        x = x if self.norm is None else self.norm(x, note=scoped(note, "norm"))
        if cache is not None:
            cache.length = start + x.shape[-2]  # last, so that a call that raises an error leaves it as it was
        return x

    def _check_cache(self, causal, note):
        if note is not None:
            raise ValueError("a note and a cache: the values of earlier tokens are not computed again and have no names; leave one out")
        if not causal:
            raise ValueError("a cache and causal=False: earlier tokens are not computed again, so they cannot see later ones; set causal=True")
        if self.limited:
            raise ValueError("a cache and experts with a capacity: who finds room depends on the whole text; give the Routing no capacity")

    def _contexts(self, x, cache, **options):  # -> the AttentionContext of each block; blocks of one window and position encoding share it
        made, contexts = {}, []
        for attention in (block.attention for block in self.blocks):
            kind = type(attention), attention.window, attention.position_encoding is None
            if kind not in made:
                context = attention.attention_context(x, **options)
                made[kind] = context if cache is None else context._replace(mask=cache.columns(context.mask))
            contexts.append(made[kind])
        return contexts

    @torch.no_grad()
    def _scale_residual_projections(self):
        sublayers = [[attention.output.weight] for b in self.blocks for attention in (b.attention, b.cross) if attention is not None]
        sublayers += [b.feed_forward.residual_weights() for b in self.blocks]
        for weight in (weight for weights in sublayers for weight in weights):
            weight *= len(sublayers) ** -0.5

    def arrays(self):
        """block1.…, norm.…"""
        views = {f"block{i}.{name}": view for i, block in enumerate(self.blocks, start=1) for name, view in block.arrays().items()}
        return views | ({} if self.norm is None else {f"norm.{name}": view for name, view in self.norm.arrays().items()})
