"""Blocks in a line: what one gives, the next takes."""

from pencil.reference.block import Recipe, block
from pencil.reference.layer_norm import layer_norm
from pencil.trace.notes import exact, under


def stack(x, blocks, note=exact, mask=None, recipe=Recipe(), norm=None, memory=None, memory_mask=None):  # (T, d) -> (T, d)
    """Run the blocks one after the other, and a last LayerNorm where there is one (GPT-2 has it: Radford et al. 2019; Post-LN needs none).

    Names are filed as block1.…, block2.…, norm.… . Raises ValueError when there is no block, and as `block` does.
    """
    if not blocks:
        raise ValueError("no blocks: give the stack at least one Block(...)")
    for i, grids in enumerate(blocks, start=1):
        x = block(x, grids, under(note, f"block{i}"), mask, recipe, memory, memory_mask)
    return x if norm is None else layer_norm(x, under(note, "norm"), recipe.eps, norm)
