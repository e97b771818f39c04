"""A writer: each word sees itself and what came before, and each row says which token may come next (GPT: Radford et al. 2018)."""

from dataclasses import dataclass

from pencil.reference.block import Recipe
from pencil.reference.checks import check_fit, check_numbers, check_rows
from pencil.reference.encoder import enter
from pencil.reference.layer_norm import Norm
from pencil.reference.masks import causal_mask, key_mask
from pencil.reference.stack import stack
from pencil.trace.notes import exact


@dataclass(frozen=True)
class Decoder:
    """Every learned number of a writer. Without an `output` grid the table serves for it: one row a token, in and out."""

    table: object  # (rows, d_model)
    blocks: tuple  # of Block; with cross grids where it translates
    seats: object = None  # (max_len, d_model)
    norm: Norm | None = None
    output: object = None  # (rows, d_model)


def decoder(ids, machine, note=exact, recipe=Recipe(), memory=None, memory_mask=None):  # (..., T) -> (..., T, rows)
    """One score for each token of the table, after every word: the greater, the likelier it comes next.

    Source: GPT-2 (Radford et al. 2019); with a `memory`, Vaswani et al. 2017, 3.1. Raises ValueError as its parts do.
    """
    x = enter(ids, machine, note)
    mask, real = causal_mask(x.shape[-2]), key_mask(ids)
    mask = mask if real is None else mask & real
    x = stack(x, machine.blocks, note, mask, recipe, machine.norm, memory, memory_mask)
    return unembed(x, machine, note)


def unembed(x, machine, note=exact):  # (..., T, d_model) -> (..., T, rows)
    """Each row against the stick of every token: one score a token.

    Source: tied weights, Press and Wolf 2017. Raises ValueError for an output grid that does not read the row's width.
    """
    grid = machine.table if machine.output is None else machine.output
    check_numbers(x=x, output=grid)
    check_rows(x=x)
    check_fit("a row", x.shape[-1], "the output grid", grid)
    return note("logits", x @ grid.T)
