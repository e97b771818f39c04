"""What a built page needs to mark its YOUR TURNs: where each right answer and each wrong one stands among the values of its runs.

The mistakes become values of the page's own runs, so they follow a number that a reader has changed.
"""

import re

import numpy as np

from pencil.examples.words import book_name
from pencil.exercises.given_numbers import note_made_of_given
from pencil.exercises.marking import OWN, given_in, note_wrong_values, rows_of, shares_in
from pencil.exercises.nearby import GIVEN, in_other_runs, named_args
from pencil.exercises.questions import runs_beside
from pencil.exercises.upstream import travelled
from pencil.publish.exercises import exercises_in
from pencil.trace.names import positions
from pencil.worked import Worked

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
    "power": "Raise to the power.",
    "absolute": "Leave out the minus.",
    "rint": "Round to the nearest whole number.",
    "sum": "Add up.",
    "cumsum": "Add up, one after the other, and write each sum on the way.",
    "mean": "Add up, and divide by how many there are.",
    "max": "Take the greatest.",
    "maximum": "Take the greater of two.",
    "where": "See what is covered, and what is not.",
    "gather": "Copy the right ones.",
    "take": "Walk to the right row, and copy it.",
}


def page_questions(text, library):  # source of a page, Library -> list of dict, JSON-able
    """The questions of a page that can be answered, in their order. Their mistakes are noted in the library's runs.

    Raises KeyError where a reference names nothing, and ValueError for a question with fewer than two hints.
    """
    return [
        _helped(_choice(question) if question.choices else _numbers(question, library), question)
        for question in exercises_in(text)
        if question.answer or question.choices
    ]


def _helped(data, question):  # the box's own hints come first; where there are enough, nothing comes behind them
    hints = [*question.hints, *(data.get("hints", []) if len(question.hints) < FEWEST else [])]
    if len(hints) < FEWEST:
        raise ValueError(
            f"your-turn {question.key} has {len(hints)} of {FEWEST} hints; its values give no more: write :hint: and :hint-2:, a sentence each"
        )
    return data | {"hints": hints}


def _choice(question):
    return {"key": question.key, "choices": list(question.choices), "right": question.right, "wrong": dict(question.wrong)}


def _numbers(question, library):
    found = library.find(question.answer)
    wrong = [[f"{OWN}{k}", place_of(library.find(reference), library), message] for k, (reference, message) in enumerate(question.wrong, 1)]
    known = {} if _is_elsewhere(found, library) else note_wrong_values(found)
    wrong += [[key, _place(found, value), message] for key, (value, message) in known.items()]
    named = [library.find(reference) for reference in question.given]
    given = given_in(named, found)
    wrong += [[key, place_of(other, library), GIVEN] for key, other in given.items()]
    made = {} if _is_elsewhere(found, library) else note_made_of_given(found, named)
    wrong += [[key, place_of(other, library), message] for key, (other, message) in made.items()]
    others = in_other_runs(found, runs_beside(question, library))
    wrong += [[key, place_of_value(value, worked.run), message] for key, (value, worked, message) in others.items()]
    answer = place_of(found, library)
    data = {"key": question.key, "answer": answer, "wrong": [[key, beside(place, answer), message] for key, place, message in wrong]}
    up = [] if _is_elsewhere(found, library) else upstream_of(found, given=named)
    more = {
        "counts": _is_count([found, *(library.find(reference) for reference, _ in question.wrong)]),
        "rows": rows_of(found),
        "places": question.places,
        "percent": question.percent,
        "shares": shares_in(found),
        "upstream": up,
        "written": in_fractions(found) if question.lines == "fractions" else [],
        "track": "exact" if question.lines == "exact" else "",
    }
    data |= {name: told for name, told in more.items() if told}
    return data | ({} if "name" not in data["answer"] else {"shown": found.local, "hints": hints_of(found)})


def in_fractions(found):  # Found -> the worked lines; a page cannot write these by itself
    """The lines of an answer in fractions, for the numbers of the chapter."""
    worked = found.worked["paper"]
    return Worked(worked.trace, worked.labels, run=worked.run, track="fractions").lines(found.local)


def _is_count(all_of_them):  # [Found] -> bool: does neither the answer nor a mistake of the box need a minus, a space, or a fraction?
    numbers = [np.ravel(found.exact) for found in all_of_them]
    return len(numbers[0]) == 1 and not numbers[0][0] % 1 and all(row.min() >= 0 for row in numbers)


def upstream_of(found, bends=True, given=()):  # Found -> [[key, names of the values, what the page calls the first or None, what to say]]
    """The mistakes that can be made before an answer, in one value or in several, whose names then stand side by side.

    They are noted in its run, so that the page can work out what comes of them.
    """
    return [[made.key, made.names, made.label, made.message] for made in travelled(found, bends, given)]


def said_once(questions):  # what page_questions gave, or a sheet's asks -> (the same, their mistakes further up with a number; what to say)
    """What is said of the mistakes that are made before an answer stands once on a page; each of them has the number of its message."""
    messages = list(dict.fromkeys(said for question in questions for *_, said in question.get("upstream", ())))
    number = {said: k for k, said in enumerate(messages)}
    numbered = [
        question | {"upstream": [[*made, number[said]] for *made, said in question["upstream"]]} if "upstream" in question else question
        for question in questions
    ]
    return numbered, messages


def beside(place, answer):  # two places -> the name alone, where a value stands as the answer does
    """Short: most wrong answers are read off at the same places, in the same run."""
    return place["name"] if "name" in place and place | {"name": ""} == answer | {"name": ""} else place


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
    parts = dict.fromkeys(_called(worked.labels.get(name, name), name) for name in (arg.name for arg in named_args(step)))
    return " ".join([VERBS.get(step.op, ""), f"You need: {_listed(list(parts))}." if parts else "It was given: look for it above."]).strip()


def _called(label, name):  # a name that the page has no word of its own for goes without its scope
    return label.rpartition(".")[2] if label in (name, book_name(name)) else label


def _listed(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
