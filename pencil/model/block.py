"""One transformer block: attention gathers, the worker thinks, and each is added to the stream."""

from pencil.model.config import GPT2, Config
from pencil.model.feed_forward import FeedForward
from pencil.model.heads import MultiHeadAttention
from pencil.model.layer_norm import LayerNorm
from pencil.model.part import Part, check_still, drop, say, within
from pencil.reference.checks import check_fit


class Block(Part):
    """Attention, then (with `cross`) attention over another text, then the worker (Vaswani et al. 2017, 3.1).

    `sizes` is a Config or a Block bundle. The recipe says the order of norm and move. Raises ValueError for grids
    that do not lead back to the width of the row, and for another count of norms than of moves.
    """

    def __init__(self, sizes, recipe=GPT2, dropout=0.0, cross=False):
        super().__init__()
        grids = sizes.block(cross) if isinstance(sizes, Config) else sizes
        moves = 2 if grids.cross is None else 3
        if len(grids.norms) != moves:
            raise ValueError(f"{len(grids.norms)} norms for {moves} moves; give the block one norm a move")
        self.norm_first, self.dropout = recipe.norm_first, dropout
        self.attention = MultiHeadAttention(grids.attention, recipe, dropout)
        width = self.attention.d_model
        check_fit("the row", width, "the widening grid", grids.feed_forward.widen)
        self.feed_forward = FeedForward(grids.feed_forward, recipe)
        self.norm1, self.norm2 = (LayerNorm(norm, recipe, width) for norm in grids.norms[:2])
        self.norm3 = LayerNorm(grids.norms[2], recipe, width) if moves == 3 else None
        self.cross = MultiHeadAttention(grids.cross, recipe, dropout, cross=True) if moves == 3 else None

    def forward(self, x, mask=None, note=None, memory=None, memory_mask=None, causal=False, kept=None, sight=None):  # (..., T, d) -> (..., T, d)
        """The rows, one block later. Names and errors are those of `pencil.reference.block`."""
        self.attention.check(x)
        self._check(memory, note)
        x = self._add("stream", x, 1, note, lambda rows: self.attention(rows, mask, note, None, causal, kept, sight))
        if memory is not None:
            x = self._add("cross.stream", x, 2, note, lambda rows: self.cross(rows, memory_mask, within(note, "cross"), memory, kept=kept))
        return self._add("out", x, 2 if memory is None else 3, note, lambda rows: self.feed_forward(rows, note))

    def _add(self, name, x, number, note, move):
        norm, filed = (self.norm1, self.norm2, self.norm3)[number - 1], within(note, f"norm{number}")
        if self.norm_first:
            return say(note, name, x + drop(move(norm(x, filed)), self.dropout, self.training))
        last = name == "out"
        tamed = norm(say(note, "thought" if last else name, x + drop(move(x), self.dropout, self.training)), filed)
        return say(note, name, tamed) if last else tamed

    def _check(self, memory, note):
        check_still(self, note)
        if memory is not None and self.cross is None:
            raise ValueError("a memory, and no grids to ask it with; give the block cross=Attention(...) or leave the memory out")
        if memory is None and self.cross is not None:
            raise ValueError("the block has cross grids and nothing to ask; hand it the other text's rows as memory")
