"""HeadsLab: multi-head attention."""

import numpy as np

from pencil.examples import HEADS_VECTORS, HEADS_WORDS, TWO_HEADS
from pencil.examples.words import BOOK_WORDS
from pencil.reference import AttentionParams, QKVParams, multi_head_attention
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

PROJECTIONS = ("query", "key", "value")
LABELS = {"weights": "share", "scores": "score", "weighted_values": "part", "output": "W_O"}


class HeadsLab(Lab):
    """Inputs: rows, the weights of every head, and the output projection. Shows attention weights, the concatenation and the output.

    The choice is between several heads and a single one with the same parameters, that is with their weights stacked.
    """

    def __init__(self, words=HEADS_WORDS, rows=HEADS_VECTORS, attention=TWO_HEADS):
        heads = len(attention.heads)
        count = ("one", "two", "three", "four")[heads - 1] if heads <= 4 else str(heads)
        configurations = attention, AttentionParams((_stacked(attention.heads),), attention.output)
        super().__init__([_variant(words, rows, params) for params in configurations], [Choice("Heads", (count, "one with the same dials"))])


def _stacked(heads):
    return QKVParams(*(np.vstack([getattr(head, name) for head in heads]) for name in PROJECTIONS))


def _variant(words, rows, attention):
    trace = Trace()
    multi_head_attention(trace.given("embedding", rows, words=words), trace.given_each("params", attention), note=trace)
    several = len(attention.heads) > 1
    heads = {f"head{k}": f"Head {k}: " if several else "" for k in range(1, len(attention.heads) + 1)}
    scopes = {head: f"{head}." if several else "" for head in heads}
    grids = [Part("given", f"params.{head}.{name}", _said(said, f"the {name} grid")) for head, said in heads.items() for name in PROJECTIONS]
    maps = [Part("heat", f"{scopes[head]}weights", _said(said, "whom each word listens to"), row=head == "head1") for head, said in heads.items()]
    taken = [Part("lines", f"{scopes[head]}context", _said(said, "what it takes home"), by="row") for head, said in heads.items()]
    glue = [Part("lines", "concat", "The glue", by="row")] if several else []
    written = Part("given", "params.output", "The output grid, W_O"), Part("lines", "attn_out", "What is written", by="row")
    labels = {name: _called(name, several) for name in trace.names}
    return Variant(Worked(trace, labels), one_step("Heads", Part("given", "embedding", "The sticks"), *grids, *maps, *taken, *glue, *written))


def _said(whose, what):
    return whose + what if whose else what[0].upper() + what[1:]


def _called(name, several):  # params.head1.query -> "head1.query grid", or "query grid" if there is a single head
    *scope, last = name.split(".")
    word = LABELS.get(last, BOOK_WORDS.get(last, last)) + " grid" * (last in PROJECTIONS and scope[:1] == ["params"])
    return ".".join([*(part for part in scope if part.startswith("head") and several), word])
