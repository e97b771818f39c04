"""LSTMLab: an LSTM on a review made of the words of chapter 04."""

import numpy as np

from pencil.examples import LSTM_PARAMS, LSTM_VECTORS, RNN_UNITS
from pencil.examples.words import BOOK_WORDS
from pencil.reference import lstm
from pencil.trace import Trace
from pencil.widgets.lab import Lab, Part, Variant, one_step
from pencil.widgets.rnn_lab import LABELS, review, words_choice
from pencil.worked import Worked

VECTORS = LSTM_VECTORS | {"film": [0, 0]}
BEGIN = ("not", "film", "good", "very")
VOTES = {"forget_gate": "Keep: the votes", "input_gate": "Admit: the votes", "output_gate": "Show: the votes", "cell": "The belt"}


class LSTMLab(Lab):
    """Inputs: three or four words, their vectors, and all weights. Shows the gates, cell states and hidden states of every step."""

    def __init__(self):
        super().__init__([_variant(count) for count in (3, len(BEGIN))], [words_choice(3, len(BEGIN))])


def _variant(count):
    trace = Trace()
    vectors, chosen = review(trace, tuple(VECTORS), BEGIN[:count], np.array(list(VECTORS.values()), float))
    params = trace.given_each("params", LSTM_PARAMS, units=RNN_UNITS)
    lstm(vectors, params, note=trace)
    for name in VOTES:
        trace(f"all_{name}", np.stack([trace.names[f"step{step}.{name}"] for step in range(1, count + 1)]))
    parts = (
        *chosen,
        *(Part("heat", f"all_{name}", f"{says}, word by word", row=name == "forget_gate") for name, says in VOTES.items()),
        Part("heat", "hidden_states", "The memory after each word"),
        Part(
            "lines",
            " ".join(f"step{step}.{name}" for step in range(1, count + 1) for name in ("cell", "hidden")),
            "The belt, and the memory",
            by="row",
        ),
        *(Part("given", name, _called(name).replace(".", ": ").capitalize()) for name in trace.names if name.startswith("params.")),
    )
    return Variant(Worked(trace, {name: _called(name) for name in trace.names}), one_step("A review", *parts))


def _called(name):  # step2.forget_gate.preactivation -> keep.sum; params.forget_gate.bias -> keep.nudge
    parts = [LABELS.get(part, BOOK_WORDS.get(part, part)) for part in name.removeprefix("all_").split(".") if not part.startswith(("step", "params"))]
    return ".".join(parts)
