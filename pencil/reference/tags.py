"""Three tags from one stick: what a word asks, what it is matched against, what it hands over."""

from dataclasses import dataclass

from pencil.reference.attention import attention
from pencil.reference.checks import check_fit, check_numbers, check_rows
from pencil.reference.softmax import softmax as paper_softmax
from pencil.trace.notes import exact


@dataclass(frozen=True)
class Grids:
    """The learned grids of one head; each a stack of weight-rows (numbers out, numbers in)."""

    query: object  # (d_k, d_model)
    key: object  # (d_k, d_model)
    value: object  # (d_v, d_model)


def tags(x, grids, note=exact):  # (T, d_model) -> (T, d_k) (T, d_k) (T, d_v)
    """Push every word through the same three grids: a row of the grid times the stick gives one number of the tag.

    Source: Vaswani et al. 2017, 3.2.2. Raises ValueError for a grid that does not read the stick's width.
    """
    check_numbers(x=x, query_grid=grids.query, key_grid=grids.key, value_grid=grids.value)
    check_rows(x=x)
    for name in ("query", "key", "value"):
        check_fit("a stick", x.shape[-1], f"the {name} grid", getattr(grids, name))
    return (
        note("query", x @ grids.query.T),
        note("key", x @ grids.key.T),
        note("value", x @ grids.value.T),
    )


def self_attention(x, grids, note=exact, mask=None, softmax=paper_softmax):  # (T, d_model) -> (T, d_v)
    """Attention in which every word of one text is both the asker and the answerer (Vaswani et al. 2017, 3.2.3).

    Raises ValueError as `tags` and `attention` do.
    """
    return attention(*tags(x, grids, note), note, mask, softmax)
