"""LSTMLab: the cell of an LSTM at each word of a review made of the words of chapter 04."""

import numpy as np

from pencil import drawings
from pencil.examples import LSTM_PARAMS, LSTM_VECTORS, RNN_UNITS
from pencil.reference import LSTMParams, RNNParams, lstm
from pencil.trace import Trace
from pencil.widgets.lab import Lab, Part, Step, Variant
from pencil.widgets.rnn_lab import WORDS, review, without_steps
from pencil.worked import Worked

VECTORS = LSTM_VECTORS | {"film": [0, 0]}
BEGIN = ("not", "film", "good", "very")
OWN = WORDS | {"hidden": "hidden state", "cell": "cell state"}
COLUMNS = ("x₁", "x₂", "h₁", "h₂", "b")  # of the word, of the hidden state before, and the bias


class LSTMLab(Lab):
    """Inputs: four words, their vectors, and the weights of each gate. Shows the cell at each word, a step for each."""

    def __init__(self):
        trace = Trace()
        vectors, chosen = review(trace, tuple(VECTORS), BEGIN, np.array(list(VECTORS.values()), float))
        gates = {name: trace.given(f"params.{name}", _joined(gate), RNN_UNITS, COLUMNS) for name, gate in vars(LSTM_PARAMS).items()}
        lstm(vectors, LSTMParams(**{name: _parted(gate) for name, gate in gates.items()}), note=trace)
        places = trace.find("embedding").words[0]
        trace("all_cell", np.stack([trace.names[f"step{k}.cell"] for k in range(1, len(places) + 1)]))
        worked = Worked(trace, without_steps(trace, OWN | {"all_cell": OWN["cell"]}))
        given = (*chosen, *(Part("given", f"params.{name}", _called(name)) for name in gates))
        after = Part("heat", "all_cell", "The cell state after each word")
        steps = [Step(f"The {place} word", (*given, Part("drawing", place), after)) for place in places]
        drawn = {place: drawings.lstm(worked, k, f"The cell at the {place} word", "embedding") for k, place in enumerate(places, 1)}
        super().__init__([Variant(worked, tuple(steps))], drawings=drawn)


def _joined(gate):  # RNNParams -> (d_h, d + d_h + 1): a row for each number of the gate
    return np.column_stack([gate.weight_ih, gate.weight_hh, gate.bias])


def _parted(joined):
    return RNNParams(joined[:, :2], joined[:, 2:4], joined[:, 4])


def _called(name):  # forget_gate -> Forget gate
    return name.replace("_", " ").capitalize()
