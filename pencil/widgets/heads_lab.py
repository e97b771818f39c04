"""HeadsLab: multi-head attention."""

import numpy as np

from pencil.examples import HEADS_VECTORS, HEADS_WORDS, TWO_HEADS
from pencil.reference import AttentionParams, QKVParams, multi_head_attention
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked
from pencil.worked.labels import label_of

PROJECTIONS = {"query": "W_Q", "key": "W_K", "value": "W_V"}


class HeadsLab(Lab):
    """Inputs: rows, the weights of every head, and the output projection. Shows attention weights, the concatenation and the output.

    The choice is between several heads and a single one with the same parameters, that is with their weights stacked.
    """

    def __init__(self, words=HEADS_WORDS, rows=HEADS_VECTORS, attention=TWO_HEADS):
        heads = len(attention.heads)
        count = ("one", "two", "three", "four")[heads - 1] if heads <= 4 else str(heads)
        configurations = attention, AttentionParams((_stacked(attention.heads),), attention.output)
        super().__init__([_variant(words, rows, params) for params in configurations], [Choice("Heads", (count, "one with the same weights"))])


def _stacked(heads):
    return QKVParams(*(np.vstack([getattr(head, name) for head in heads]) for name in PROJECTIONS))


def _variant(words, rows, attention):
    trace = Trace()
    multi_head_attention(trace.given("embedding", rows, words=words), trace.given_each("params", attention), note=trace)
    several = len(attention.heads) > 1
    heads = {f"head{k}": f"Head {k}: " if several else "" for k in range(1, len(attention.heads) + 1)}
    scopes = {head: f"{head}." if several else "" for head in heads}
    matrices = [
        Part("given", f"params.{head}.{name}", _said(said, f"the {name} matrix, {symbol}"))
        for head, said in heads.items()
        for name, symbol in PROJECTIONS.items()
    ]
    maps = [Part("heat", f"{scopes[head]}weights", _said(said, "the shares of each word"), row=head == "head1") for head, said in heads.items()]
    contexts = [Part("lines", f"{scopes[head]}context", _said(said, "the contexts"), by="row") for head, said in heads.items()]
    concat = [Part("lines", "concat", "The concatenation", by="row")] if several else []
    output = Part("given", "params.output", "The output projection, W_O"), Part("lines", "attn_out", "The attention output", by="row")
    labels = {} if several else {name: label_of(name.replace("head1.", "")) for name in trace.names}  # a single head has no number
    shown = Part("given", "embedding", "The embeddings"), *matrices, *maps, *contexts, *concat, *output
    return Variant(Worked(trace, labels), one_step("Heads", *shown))


def _said(whose, what):
    return whose + what if whose else what[0].upper() + what[1:]
