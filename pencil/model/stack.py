"""Blocks in a line: what one gives, the next takes."""

import torch
from torch import nn

from pencil.bundles import flatten
from pencil.model.block import Block
from pencil.model.config import GPT2, Config
from pencil.model.layer_norm import LayerNorm
from pencil.model.part import Part, within


class Stack(Part):
    """The blocks one after the other, and a last LayerNorm where there is one (GPT-2 has it, Post-LN needs none).

    `sizes` is a Config or a list of Block bundles, `norm` then a Norm or None. The grids that write into the stream
    start smaller, by 1/√(how many there are), so that the stream does not swell (GPT-2: Radford et al. 2019, 2.3).
    Raises ValueError when there is no block.
    """

    def __init__(self, sizes, recipe=GPT2, dropout=0.0, norm=None, cross=False):
        super().__init__()
        if isinstance(sizes, Config):
            norm = sizes.norm() if recipe.norm_first else None
            sizes = [sizes.block(cross)] * sizes.n_blocks
        if not sizes:
            raise ValueError("no blocks: give the stack at least one Block(...)")
        self.blocks = nn.ModuleList(Block(grids, recipe, dropout) for grids in sizes)
        self.norm = None if norm is None else LayerNorm(norm, recipe, self.blocks[0].attention.d_model)
        self._begin()

    @staticmethod
    def flatten(bundle, norm=None, **options):  # list of Block bundles -> {name: array}
        """The arrays as block1.…, block2.…, norm.…"""
        parts = {f"block{i}": grids for i, grids in enumerate(bundle, start=1)} | ({} if norm is None else {"norm": norm})
        return {f"{name}.{inner}": array for name, part in parts.items() for inner, array in flatten(part).items()}

    def forward(self, x, mask=None, note=None, memory=None, memory_mask=None, causal=False, cache=None):  # (..., T, d) -> (..., T, d)
        """The rows, after all blocks; filed as block1.…, norm.… . With a cache x are the rows that come next.

        Raises ValueError for a cache together with a note or without causal, for more words than the cache has room for, and
        for another memory than that of the cache: the same tensor is meant, not one with the same numbers.
        """
        sight, start = None, 0
        if cache is not None:
            if note is not None:
                raise ValueError("a note and a cache: the values of earlier words are not worked again and have no names; leave one out")
            if not causal:
                raise ValueError("a cache and causal=False: earlier words are not worked again, so they cannot see later ones; set causal=True")
            cache.begin(x.shape[-2], memory)
            start = cache.length
        if note is None:
            sight = self.blocks[0].attention.sight(x, mask, causal, start=start)
        for i, block in enumerate(self.blocks, start=1):
            kept = None if cache is None else cache.block(i)
            x = block(x, mask, within(note, f"block{i}"), memory, memory_mask, causal, kept, sight)
        x = x if self.norm is None else self.norm(x, within(note, "norm"))
        if cache is not None:
            cache.length = start + x.shape[-2]  # last, so that a call that breaks off leaves it as it was
        return x

    @torch.no_grad()
    def _begin(self):
        writers = [grid for b in self.blocks for grid in (b.attention.output, b.cross and b.cross.output, b.feed_forward.narrow) if grid is not None]
        for grid in writers:
            grid.weight *= len(writers) ** -0.5

    def arrays(self):
        """block1.…, norm.…"""
        found = {f"block{i}.{name}": view for i, block in enumerate(self.blocks, start=1) for name, view in block.arrays().items()}
        return found | ({} if self.norm is None else {f"norm.{name}": view for name, view in self.norm.arrays().items()})
