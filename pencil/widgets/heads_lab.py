"""HeadsLab: several heads look at the same words, each in its own way."""

import numpy as np

from pencil.examples import HEADS_STICKS, HEADS_WORDS, TWO_HEADS
from pencil.reference import Attention, Grids, multi_head_attention
from pencil.trace import Trace
from pencil.widgets.attention_lab import LABELS
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

TAGS = ("query", "key", "value")


class HeadsLab(Lab):
    """Sticks, the grids of every head and the output grid to change; each head's portions, the glue and what is written follow.

    All heads as they are, or one with the same dials: their grids laid one below the other.
    """

    def __init__(self, words=HEADS_WORDS, rows=HEADS_STICKS, attention=TWO_HEADS):
        heads = len(attention.heads)
        count = ("one", "two", "three", "four")[heads - 1] if heads <= 4 else str(heads)
        machines = attention, Attention((_stacked(attention.heads),), attention.output)
        super().__init__([_variant(words, rows, machine) for machine in machines], [Choice("Heads", (count, "one with the same dials"))])


def _stacked(heads):
    return Grids(*(np.vstack([getattr(head, tag) for head in heads]) for tag in TAGS))


def _variant(words, rows, attention):
    trace = Trace()
    multi_head_attention(trace.given("stick", rows, words=words), trace.given_each("grid", attention), trace)
    heads = range(1, len(attention.heads) + 1)
    labels = {name: _called(name) for name in trace.names}
    parts = [Part("given", "stick", "The sticks")]
    for head in heads:
        parts += [Part("given", f"grid.head{head}.{tag}", f"Head {head}: the {LABELS[tag]} grid") for tag in TAGS]
        scope = f"head{head}." if len(heads) > 1 else ""
        parts += [
            Part("heat", f"{scope}weights", f"Head {head}: its portions"),
            Part("lines", f"{scope}mixed", f"Head {head}: what it takes home", by="row"),
        ]
    glue = [Part("lines", "glued", "The glue", by="row")] if len(heads) > 1 else []
    parts += [*glue, Part("given", "grid.output", "The output grid"), Part("lines", "projected", "What is written", by="row")]
    return Variant(Worked(trace, labels), one_step("Heads", *parts))


def _called(name):  # grid.head1.query -> head1.WANT grid
    *scope, last = name.split(".")
    word = "output grid" if last == "output" else LABELS.get(last, last) + " grid" * (scope[:1] == ["grid"])
    return ".".join([*(part for part in scope if part.startswith("head")), word])
