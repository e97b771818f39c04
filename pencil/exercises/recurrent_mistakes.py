"""Mistakes in a step of an RNN or an LSTM: its sums, the gates, the cell state and the hidden state."""

import numpy as np

from pencil.exercises.mistake import Mistake, unread, without_bias
from pencil.trace.operations import TraceError


def _from_what_was_shown(at):  # the cell state, made from the hidden state of the step before
    step = at("cell").args[0]
    if step.op != "add" or step.args[0].op != "multiply":
        raise TraceError("the first step")
    kept, before = step.args[0].args
    shown = before.trace.names[before.name.removesuffix("cell") + "hidden"]
    return kept * shown + step.args[1]


RECURRENT = (
    Mistake("no_bias", "from_input", without_bias("from_input"), "You forgot the bias. Add it to the sum of the products."),
    Mistake(
        "sigmoid_for_tanh",
        "hidden",
        lambda at: 1 / (1 + np.exp(-at("preactivation"))),
        "You took sigmoid. The hidden state comes from tanh, which gives a number between minus one and one.",
    ),
    Mistake(
        "as_it_was",
        "from_hidden",
        unread("from_hidden"),
        "You took the old hidden state as it was. Dot each row of its weight matrix with it first.",
    ),
    Mistake("not_crushed", "hidden", lambda at: at("preactivation") * 1, "This is the sum as it is. Take tanh of it."),
    *(
        mistake
        for gate in ("forget_gate", "input_gate", "output_gate")
        for mistake in (
            Mistake(
                "sign_of_power",
                gate,
                lambda at, gate=gate: 1 / (1 + np.exp(at(f"{gate}.preactivation"))),
                "You raised e to the number. The sigmoid raises e to minus the number.",
            ),
            Mistake(
                "tanh_for_sigmoid",
                gate,
                lambda at, gate=gate: np.tanh(at(f"{gate}.preactivation")),
                "You took tanh. A gate comes from sigmoid, which gives a number between zero and one.",
            ),
        )
    ),
    Mistake(
        "sigmoid_for_tanh",
        "candidate",
        lambda at: 1 / (1 + np.exp(-at("candidate.preactivation"))),
        "You took sigmoid. The candidate is no gate: it comes from tanh, which gives a number between minus one and one.",
    ),
    Mistake(
        "not_crushed",
        "candidate",
        lambda at: at("candidate.preactivation") * 1,
        "You left the candidate's sum as it is. Take tanh of it.",
        far=True,
    ),
    Mistake(
        "no_input_gate",
        "cell",
        lambda at: at("cell") - at("input_gate") * at("candidate") + at("candidate"),
        "You added the whole candidate to the cell state. Multiply it by the input gate first.",
    ),
    Mistake(
        "from_what_was_shown",
        "cell",
        _from_what_was_shown,
        "You went on from the hidden state. The new cell state is made from the old cell state.",
        far=True,
    ),
    Mistake("no_tanh", "hidden", lambda at: at("output_gate") * at("cell"), "You took the cell state as it is. Take tanh of it first."),
    Mistake(
        "crushed_last",
        "hidden",
        lambda at: np.tanh(at("output_gate") * at("cell")),
        "You multiplied first. Take tanh of the cell state, then multiply by the output gate.",
        far=True,
    ),
    Mistake("no_output_gate", "hidden", lambda at: at("cell_tanh") * 1, "This is tanh of the cell state. Multiply it by the output gate."),
)
