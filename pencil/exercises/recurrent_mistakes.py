"""Mistakes in a step of a walker: what is read, what is recalled, the votes, the belt and what is shown."""

import numpy as np

from pencil.exercises.mistake import Mistake, unread, without_bias
from pencil.trace.operations import TraceError


def _from_what_was_shown(at):  # the belt of the step before, with what that step showed in its place
    step = at("cell").args[0]
    if step.op != "add" or step.args[0].op != "multiply":
        raise TraceError("the first step")
    kept, before = step.args[0].args
    shown = before.trace.names[before.name.removesuffix("cell") + "hidden"]
    return kept * shown + step.args[1]


RECURRENT = (
    Mistake("no_bias", "from_input", without_bias("from_input"), "You forgot the nudge. Add it to what is read."),
    Mistake(
        "sigmoid_for_tanh",
        "hidden",
        lambda at: 1 / (1 + np.exp(-at("preactivation"))),
        "You took sigmoid. The memory goes through tanh, to between minus one and one.",
    ),
    Mistake(
        "as_it_was",
        "from_hidden",
        unread("from_hidden"),
        "You recalled the old memory as it was. The memory grid reads it first, row by row.",
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
                "You raised e to the number. In the sigmoid the power has a minus in front.",
            ),
            Mistake(
                "tanh_for_sigmoid",
                gate,
                lambda at, gate=gate: np.tanh(at(f"{gate}.preactivation")),
                "You took tanh. A vote goes through sigmoid, to between zero and one.",
            ),
        )
    ),
    Mistake(
        "sigmoid_for_tanh",
        "candidate",
        lambda at: 1 / (1 + np.exp(-at("candidate.preactivation"))),
        "You took sigmoid. The candidate is no vote: it goes through tanh, to between minus one and one.",
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
        "You let the whole candidate onto the belt. Multiply it by the admit vote.",
    ),
    Mistake(
        "from_what_was_shown",
        "cell",
        _from_what_was_shown,
        "You went on from what the memory showed. The belt goes on from the belt.",
        far=True,
    ),
    Mistake("no_tanh", "hidden", lambda at: at("output_gate") * at("cell"), "You showed the belt as it is. Take tanh of it first."),
    Mistake(
        "crushed_last",
        "hidden",
        lambda at: np.tanh(at("output_gate") * at("cell")),
        "You multiplied first. Crush the belt, then multiply by the show vote.",
        far=True,
    ),
    Mistake("no_output_gate", "hidden", lambda at: at("cell_tanh") * 1, "This is the belt, crushed. Multiply it by the show vote."),
)
