"""LSTMLab: an LSTM on a review made of the words of chapter 04."""

import numpy as np

from pencil import drawings
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
GATES = ("forget_gate", "input_gate", "output_gate", "candidate")


class LSTMLab(Lab):
    """Inputs: three or four words, their vectors, and all weights. Shows the last step as a picture, and the states after each word."""

    def __init__(self):
        counts = (3, len(BEGIN))
        runs = [_run(count) for count in counts]
        drawn = {
            f"step{count}": drawings.lstm(run, count, "The last word is read", rows="embedding") for count, run in zip(counts, runs, strict=True)
        }
        super().__init__([_variant(run, count) for run, count in zip(runs, counts, strict=True)], [words_choice(*counts)], drawings=drawn)


def _run(count):  # -> Worked
    trace = Trace()
    vectors, _ = review(trace, tuple(VECTORS), BEGIN[:count], np.array(list(VECTORS.values()), float))
    lstm(vectors, trace.given_each("params", LSTM_PARAMS, units=RNN_UNITS), note=trace)
    trace("all_cell", np.stack([trace.names[f"step{step}.cell"] for step in range(1, count + 1)]))
    return Worked(trace, without_steps(trace, OWN | {"all_cell": "cell state", "cell_tanh": "tanh of cell"}))


def _variant(run, count):
    givens = [name for name, array in run.trace.names.items() if array.op == "given" and name not in ("ids", "table")]
    parts = (
        Part("given", "ids", "Your review", words=tuple(VECTORS)),
        Part("given", "table", "The vectors of the words"),
        *(Part("given", name, _given(name)) for name in sorted(givens, key=lambda name: GATES.index(name.split(".")[1]))),
        Part("drawing", f"step{count}"),
        Part("heat", "all_cell", "The cell state after each word", row=True),
        Part("heat", "hidden_states", "The hidden state after each word"),
    )
    return Variant(run, one_step("A review", *parts))


def _given(name):  # params.forget_gate.bias -> Forget gate: b
    gate, part = label_of(name).split(".")
    return f"{gate.capitalize()}: {part}"
