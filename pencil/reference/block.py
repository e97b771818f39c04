"""One transformer block: attention gathers, the worker thinks, and each is added to the stream."""

from collections.abc import Callable
from dataclasses import dataclass

from pencil.reference.feed_forward import FeedForward, feed_forward, relu
from pencil.reference.heads import Attention, multi_head_attention
from pencil.reference.layer_norm import Norm, layer_norm
from pencil.reference.softmax import softmax as paper_softmax
from pencil.trace.notes import exact, under


@dataclass(frozen=True)
class Block:
    """Every learned number of a block: a norm for each of its moves, in their order."""

    attention: Attention
    feed_forward: FeedForward
    norms: tuple = (Norm(), Norm())
    cross: Attention | None = None  # a block that also asks another text; it has three norms


@dataclass(frozen=True)
class Recipe:
    """How a block is put together: what is chosen, not learned."""

    norm_first: bool = True  # Pre-LN: tame, move, add (GPT-2). False is Post-LN: move, add, tame (2017, BERT)
    eps: float = 0.0  # under the root of LayerNorm
    bend: Callable = relu
    softmax: Callable = paper_softmax
    positions: object = None  # Rotary or Alibi


def block(x, grids, note=exact, mask=None, recipe=Recipe(), memory=None, memory_mask=None):  # (T, d) -> (T, d)
    """Attention, then (with a `memory`) attention over another text, then the worker.

    Source: Vaswani et al. 2017, 3.1; norm first: GPT-2 (Radford et al. 2019; Xiong et al. 2020). Raises ValueError
    for grids that do not lead back to the width of x, for a memory without cross grids and the other way
    round, for another count of norms than of moves, and as its parts do.
    """
    _check_moves(grids, memory)

    def look(rows):
        return multi_head_attention(rows, grids.attention, note, mask, recipe.softmax, positions=recipe.positions)

    def ask(rows):
        return multi_head_attention(rows, grids.cross, under(note, "cross"), memory_mask, recipe.softmax, memory)

    def think(rows):
        return feed_forward(rows, grids.feed_forward, note, recipe.bend)

    moves = {"stream": look, "cross.stream": ask, "out": think} if memory is not None else {"stream": look, "out": think}
    for (name, move), (i, norm) in zip(moves.items(), enumerate(grids.norms, start=1), strict=True):
        x = _add(x, move, lambda rows, i=i, norm=norm: layer_norm(rows, under(note, f"norm{i}"), recipe.eps, norm), name, note, recipe.norm_first)
    return x


def _add(x, move, tame, name, note, norm_first):
    if norm_first:
        return note(name, x + move(tame(x)))
    total = note("thought" if name == "out" else name, x + move(x))
    return note("out", tame(total)) if name == "out" else tame(total)


def _check_moves(grids, memory):
    if memory is not None and grids.cross is None:
        raise ValueError("a memory, and no grids to ask it with; give the block cross=Attention(...) or leave the memory out")
    if memory is None and grids.cross is not None:
        raise ValueError("the block has cross grids and nothing to ask; hand it the other text's rows as memory")
    moves = 2 if memory is None else 3
    if len(grids.norms) != moves:
        raise ValueError(f"{len(grids.norms)} norms for {moves} moves; give the block one norm a move")
