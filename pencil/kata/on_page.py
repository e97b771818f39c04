"""What a built page needs to mark its YOUR TURNs: where each right answer and each wrong one stands among the values of its runs.

The wrong turns become values of the page's own runs, so they follow a number that a reader has changed.
"""

import re

import numpy as np

from pencil.kata.marking import wrong_values
from pencil.prose.turns import turns_in
from pencil.trace.names import positions

FEWEST = 2  # hints before the worked answer
LINES = None  # stands for the worked lines, which the page writes itself
EQUALS = re.compile("[=≈]")  # a line with one alone has nothing but its result

VERBS = {  # what is done to make a value, said without its numbers
    "matmul": "Multiply number by number, and add.",
    "add": "Add.",
    "subtract": "Take away.",
    "multiply": "Multiply.",
    "divide": "Divide.",
    "exp": "Raise e to the power of it.",
    "log": "Take the natural logarithm.",
    "sqrt": "Take the root.",
    "tanh": "Take tanh of it.",
    "sum": "Add up.",
    "mean": "Add up, and divide by how many there are.",
    "max": "Take the greatest.",
    "maximum": "Take the greater of two.",
    "where": "See what is covered, and what is not.",
    "gather": "Copy the right ones.",
    "take": "Walk to the right row, and copy it.",
}


def page_turns(text, library):  # source of a page, Library -> list of dict, JSON-able
    """The questions of a page that can be answered, in their order.

    Raises KeyError where a reference names nothing, and ValueError for a question with fewer than two hints.
    """
    return [_helped(_choice(turn) if turn.choices else _numbers(turn, library), turn) for turn in turns_in(text) if turn.answer or turn.choices]


def _helped(data, turn):  # the box's own hints come first; where there are enough, nothing comes behind them
    hints = [*turn.hints, *(data.get("hints", []) if len(turn.hints) < FEWEST else [])]
    if len(hints) < FEWEST:
        raise ValueError(
            f"your-turn {turn.key} has {len(hints)} of {FEWEST} hints; its values give no more: write :hint: and :hint-2:, a sentence each"
        )
    return data | {"hints": hints}


def _choice(turn):
    return {"key": turn.key, "choices": list(turn.choices), "right": turn.right, "wrong": dict(turn.wrong)}


def _numbers(turn, library):
    found = library.find(turn.answer)
    wrong = [[f"own-{k}", place_of(library.find(reference), library), says] for k, (reference, says) in enumerate(turn.wrong, 1)]
    known = {} if _is_elsewhere(found, library) else wrong_values(found)
    wrong += [[key, _place(found, value), says] for key, (value, says) in known.items()]
    data = {"key": turn.key, "answer": place_of(found, library), "wrong": wrong}
    return data | ({} if "name" not in data["answer"] else {"shown": found.local, "hints": hints_of(found)})


def place_of(found, library):  # -> {run, name, at}: numbers of a run; {paper, exact}: those that no run of this page makes
    """Where the page finds a published value."""
    if found.worked and not _is_elsewhere(found, library):
        return _place(found, found.worked["paper"].trace.find(found.local))
    return {track: [float(x) for x in np.ravel(getattr(found, track))] for track in ("paper", "exact")}


def _is_elsewhere(found, library):  # in another chapter, whose runs this page does not carry
    return bool(found.reference.chapter) and found.reference.chapter != library.own


def _place(found, value):
    return place_of_value(value, found.worked["paper"].run)


def place_of_value(value, run):  # Value, str -> {run, name, at}
    """Where the numbers of a value stand, for a page that has its run."""
    at = [int(np.ravel_multi_index(place, value.array.shape)) if place else 0 for place in positions(value)]
    return {"run": run, "name": value.array.name, "at": at}


def hints_of(found):  # Found -> list
    """What the trace tells of an answer before it tells the answer: the move, and the worked lines with their results covered (LINES)."""
    lines = found.worked["paper"].lines(found.local)
    return [made_of(found)] + ([LINES] if any(len(EQUALS.findall(line)) > 1 for line in lines) else [])


def made_of(found):  # -> str
    """The first hint: the move, and the named values that it is made of."""
    worked = found.worked["paper"]
    array = worked.trace.find(found.local).array
    step = array.args[0] if array.op == "note" else array
    while step.op in ("gather", "where") and not step.args[-1].name:  # what was moved or chosen was worked out before
        step = step.args[-1]
    parts = dict.fromkeys(worked.labels.get(name, name.rpartition(".")[2]) for name in _named(step))
    return " ".join([VERBS.get(step.op, ""), f"You need: {_listed(list(parts))}." if parts else "It was given: look for it above."]).strip()


def _named(step):  # the named values right behind a step, in the order in which it takes them
    if step.op == "given":
        return
    for arg in step.args:
        if arg.name:
            yield arg.name
        else:
            yield from _named(arg)


def _listed(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
