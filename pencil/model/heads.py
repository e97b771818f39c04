"""Several heads at once: one grid makes the tags of them all, attention runs them side by side, the glue is projected back."""

import torch

from pencil.model.attention import attention
from pencil.model.config import GPT2, Config
from pencil.model.masks import both, causal_mask, check_mask
from pencil.model.part import Part, check_still, grid, grid_arrays, say
from pencil.model.positions import positions_of, rotate
from pencil.model.sight import sight
from pencil.reference.checks import check_fit
from pencil.trace.notes import under

TAGS = ("query", "key", "value")


class MultiHeadAttention(Part):
    """Every head on the same words, glued and pushed through the output grid (Vaswani et al. 2017, 3.2.2).

    `sizes` is a Config or an Attention bundle. With `cross` it asks another text, the `memory`. Raises ValueError
    for heads of different widths and for biases on some tags only: all heads are worked at once.
    """

    def __init__(self, sizes, recipe=GPT2, dropout=0.0, cross=False):
        super().__init__()
        grids = sizes.attention(cross) if isinstance(sizes, Config) else sizes
        bias = _check_heads(grids)
        head, self.n_heads, self.dropout = grids.heads[0], len(grids.heads), dropout
        (self.d_k, self.d_model), (self.d_v, reads) = head.query.shape, head.value.shape
        self.widths = [self.n_heads * width for width in (self.d_k, self.d_k, self.d_v)]
        self.apart = cross or reads != self.d_model  # asker and answerer read different rows
        if self.apart:
            self.query = grid(self.widths[0], self.d_model, bias)
            self.key_value = grid(sum(self.widths[1:]), reads, bias)
        else:
            self.tags = grid(sum(self.widths), self.d_model, bias)
        self.output = grid(*grids.output.shape, grids.output_bias is not None)
        self.positions = None if self.apart else positions_of(recipe, self.n_heads, self.d_k)

    def forward(self, x, mask=None, note=None, memory=None, causal=False, kept=None, sight=None):  # (…, T, d) (…, T, S) -> (…, T, d)
        """What every word gathers. `causal` hides what comes later; `kept` and `sight` are a stack's own.

        Raises ValueError for rows of another width, for a missing memory, for a mask of numbers and, with a
        note, for a row that is masked whole.
        """
        self.check(x)
        if memory is None and self.apart:
            raise ValueError("grids that ask another text, and no memory; hand it the other text's rows")
        if note is not None:
            return self._noted(x, mask, note, memory, causal)
        if sight is None:
            sight = self.sight(x, mask, causal, memory)
        query, key, value = self._tags(x, memory, kept)
        if sight.turn is not None:
            query, key = rotate(query, *sight.turn), rotate(key, *sight.turn)
        if kept is not None and memory is None:
            key, value = kept.extend(key, value, sight.start)
        mixed = attention(query, key, value, sight.mask, causal=sight.causal, dropout=self.dropout if self.training else 0.0)
        return self.output(mixed.transpose(-3, -2).flatten(-2))

    def sight(self, x, mask=None, causal=False, memory=None, start=0):  # -> Sight
        """What this layer has to know of masks and positions; one of several like it may do for all."""
        return sight(x, mask, causal, self.positions if memory is None else None, start)

    def _tags(self, x, memory, kept=None):  # -> (..., H, T, d_k) (..., H, S, d_k) (..., H, S, d_v)
        if memory is None:
            query, key, value = self.tags(x).split(self.widths, -1)
            return self._split(query, self.d_k), self._split(key, self.d_k), self._split(value, self.d_v)
        ask, answer = self._grids()
        query = self._split(ask(x), self.d_k)
        if kept is not None and kept.asked is not None:  # the other text is read once
            return query, *kept.asked
        key, value = answer(memory).split(self.widths[1:], -1)
        answers = self._split(key, self.d_k), self._split(value, self.d_v)
        if kept is not None:
            kept.asked = answers
        return query, *answers

    def _grids(self):  # -> the asker's grid and the answerer's
        if self.apart:
            return self.query, self.key_value
        asks, answers = slice(self.widths[0]), slice(self.widths[0], None)
        return (lambda rows: _part(rows, self.tags, asks)), (lambda rows: _part(rows, self.tags, answers))

    def _split(self, rows, width):  # (..., T, H·width) -> (..., H, T, width)
        return rows.view(*rows.shape[:-1], self.n_heads, width).transpose(-3, -2)

    def _noted(self, x, mask, note, memory, causal):
        check_still(self, note)
        check_mask(mask)
        if causal:
            mask = both(mask, causal_mask(x.shape[-2], device=x.device))
        tags, mixed = self._tags(x, memory), []
        for h in range(self.n_heads):
            filed = note if self.n_heads == 1 else under(note, f"head{h + 1}")
            query, key, value = (filed(name, rows.select(-3, h)) for name, rows in zip(TAGS, tags, strict=True))
            lean = None
            if self.positions is not None and memory is None:
                (query, key), lean = self.positions.turn(query, key, filed, h), self.positions.lean_of(h)
            mixed.append(attention(query, key, value, mask, filed, lean))
        glued = mixed[0] if self.n_heads == 1 else note("glued", torch.cat(mixed, -1))
        return say(note, "projected", self.output(glued))

    def check(self, x):
        """Refuse rows of another width, and a single row."""
        if x.shape[-1] != self.d_model or x.dim() < 2:
            raise ValueError(f"x has the shape {tuple(x.shape)}; the query grid reads rows of {self.d_model}: (..., words, {self.d_model})")

    def arrays(self):
        """head1.query, … , output, and their biases: each a part of the one grid."""
        return self._of_heads("weight", "") | self._of_heads("bias", "_bias") | grid_arrays(self.output, "output")

    def _of_heads(self, what, ending):
        fused = [self.query, self.key_value] if self.apart else [self.tags]
        if getattr(fused[0], what) is None:
            return {}
        parts = [part for made, widths in zip(fused, self._widths(), strict=True) for part in getattr(made, what).split(widths)]
        heads = {name: part.unflatten(0, (self.n_heads, -1)) for name, part in zip(TAGS, parts, strict=True)}
        return {f"head{h + 1}.{name}{ending}": part[h] for h in range(self.n_heads) for name, part in heads.items()}

    def _widths(self):
        return [self.widths[:1], self.widths[1:]] if self.apart else [self.widths]


def _part(rows, made, where):  # some rows of a grid at work
    return torch.nn.functional.linear(rows, made.weight[where], None if made.bias is None else made.bias[where])


def _check_heads(grids):  # -> whether the tags have biases
    if not grids.heads:
        raise ValueError("no heads: give at least one Grids(query, key, value)")
    first = grids.heads[0]
    for h, head in enumerate(grids.heads, start=1):
        for name in TAGS:
            ours, theirs = getattr(head, name).shape, getattr(first, name).shape
            if ours != theirs:
                raise ValueError(
                    f"head{h}.{name} is {tuple(ours)} and head1.{name} {tuple(theirs)}; torch works all heads at once: give them one shape"
                )
            if (getattr(head, f"{name}_bias") is None) != (first.query_bias is None):
                raise ValueError(
                    f"head{h}.{name}_bias and head1.query_bias: one is there and one is not; give the tags all a bias (of zeros) or none"
                )
    if first.query.shape[0] != first.key.shape[0]:
        raise ValueError(f"a query is {first.query.shape[0]} wide and a key {first.key.shape[0]}; a dot product needs one width for both")
    if first.key.shape[1] != first.value.shape[1]:
        raise ValueError(f"the key grid reads {first.key.shape[1]} numbers and the value grid {first.value.shape[1]}; they read the same rows")
    glue = len(grids.heads) * first.value.shape[0]
    check_fit("the glue of the heads", glue, "the output grid", grids.output, out=first.query.shape[1])
    return first.query_bias is not None
