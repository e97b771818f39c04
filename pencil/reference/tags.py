"""Three tags from one stick: what a word asks, what it is matched against, what it hands over."""

from dataclasses import dataclass

from pencil.reference.attention import attention
from pencil.reference.checks import check_fit, check_numbers, check_rows
from pencil.reference.linear import linear
from pencil.reference.softmax import softmax as paper_softmax
from pencil.trace.notes import exact


@dataclass(frozen=True)
class Grids:
    """The learned grids of one head; each a stack of weight-rows (numbers out, numbers in)."""

    query: object  # (d_k, d_model)
    key: object  # (d_k, d_model)
    value: object  # (d_v, d_model)
    query_bias: object = None  # (d_k,)
    key_bias: object = None  # (d_k,)
    value_bias: object = None  # (d_v,)


def tags(x, grids, note=exact, memory=None):  # (T, d_model) -> (T, d_k) (S, d_k) (S, d_v)
    """Push every word through the same three grids: a row of the grid times the stick gives one number of the tag.

    With a `memory` (S, d_memory), another text's rows, its words are asked: keys and values are made of them.
    Source: Vaswani et al. 2017, 3.2.2. Raises ValueError for a grid that does not read the stick's width.
    """
    asked = x if memory is None else memory
    check_numbers(x=x, query_grid=grids.query, key_grid=grids.key, value_grid=grids.value)
    check_rows(x=x)
    if memory is not None:
        check_numbers(memory=memory)
        check_rows(memory=memory)
    for name, rows in (("query", x), ("key", asked), ("value", asked)):
        check_fit("a stick", rows.shape[-1], f"the {name} grid", getattr(grids, name))
    return (
        note("query", linear(x, grids.query, grids.query_bias)),
        note("key", linear(asked, grids.key, grids.key_bias)),
        note("value", linear(asked, grids.value, grids.value_bias)),
    )


def self_attention(x, grids, note=exact, mask=None, softmax=paper_softmax, positions=None):  # (T, d_model) -> (T, d_v)
    """Attention in which every word of one text is both the asker and the answerer (Vaswani et al. 2017, 3.2.3).

    `positions` is a `Rotary` or an `Alibi`, where the seats are told inside attention. Raises ValueError
    as `tags` and `attention` do.
    """
    query, key, value = tags(x, grids, note)
    if positions is None:
        return attention(query, key, value, note, mask, softmax)
    query, key = positions.turn(query, key, note)
    return attention(query, key, value, note, mask, softmax, positions.lean)


def cross_attention(x, memory, grids, note=exact, mask=None, softmax=paper_softmax):  # (T, d) (S, d_memory) -> (T, d_v)
    """Attention in which the words of one text ask and the rows of another answer (Vaswani et al. 2017, 3.2.3).

    Raises ValueError as `tags` and `attention` do.
    """
    return attention(*tags(x, grids, note, memory), note, mask, softmax)
