"""LSTMLab: an LSTM on a review made of the words of chapter 04."""

import numpy as np

from pencil.examples import LSTM_PARAMS, LSTM_VECTORS, RNN_UNITS
from pencil.reference import lstm
from pencil.trace import Trace
from pencil.widgets.lab import Lab, Part, Variant, one_step
from pencil.widgets.rnn_lab import WORDS, review, without_steps, words_choice
from pencil.worked import Worked
from pencil.worked.labels import label_of

VECTORS = LSTM_VECTORS | {"film": [0, 0]}
BEGIN = ("not", "film", "good", "very")
OWN = WORDS | {"hidden": "hidden state", "cell": "cell state"}
HEATS = {"forget_gate": "Forget gate", "input_gate": "Input gate", "output_gate": "Output gate", "cell": "Cell state"}


class LSTMLab(Lab):
    """Inputs: three or four words, their vectors, and all weights. Shows the gates, cell states and hidden states of every step."""

    def __init__(self):
        super().__init__([_variant(count) for count in (3, len(BEGIN))], [words_choice(3, len(BEGIN))])


def _variant(count):
    trace = Trace()
    vectors, chosen = review(trace, tuple(VECTORS), BEGIN[:count], np.array(list(VECTORS.values()), float))
    params = trace.given_each("params", LSTM_PARAMS, units=RNN_UNITS)
    lstm(vectors, params, note=trace)
    for name in HEATS:
        trace(f"all_{name}", np.stack([trace.names[f"step{step}.{name}"] for step in range(1, count + 1)]))
    parts = (
        *chosen,
        *(Part("heat", f"all_{name}", f"{says}, word by word", row=name == "forget_gate") for name, says in HEATS.items()),
        Part("heat", "hidden_states", "The hidden state after each word"),
        Part(
            "lines",
            " ".join(f"step{step}.{name}" for step in range(1, count + 1) for name in ("cell", "hidden")),
            "The cell state, and the hidden state",
            by="row",
        ),
        *(Part("given", name, _given(name)) for name in trace.names if name.startswith("params.")),
    )
    labels = without_steps(trace, OWN) | {f"all_{name}": says.lower() for name, says in HEATS.items()}
    return Variant(Worked(trace, labels), one_step("A review", *parts))


def _given(name):  # params.forget_gate.bias -> Forget gate: b
    gate, part = label_of(name).split(".")
    return f"{gate.capitalize()}: {part}"
