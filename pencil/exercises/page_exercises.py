"""What a built page needs to mark its YOUR TURNs: where each right answer and each wrong one stands among the values of its runs.

The mistakes become values of the page's own runs, so they follow a number that a reader has changed.
"""

import re
from itertools import groupby

import numpy as np

from pencil.exercises.known import place_of_value
from pencil.exercises.nearby import named_args
from pencil.exercises.questions import exercise_in
from pencil.publish.exercises import exercises_in
from pencil.rounding import PLACES
from pencil.worked import Worked
from pencil.worked.labels import label_of

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
    return [page_question(question, library) for question in exercises_in(text) if question.answer or question.choices]


def page_question(question, library):  # ExerciseSource, Library -> dict, JSON-able
    """One question of a page. Raises as `page_questions`."""
    return _helped(_choice(question) if question.choices else _numbers(question, library), question)


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
    elsewhere = _is_elsewhere(found, library)
    exercise = exercise_in(question, library, carried=library.own)
    answer = place_of(found, library)
    more = {
        "counts": _is_count([found, *(library.find(reference) for reference, _ in question.wrong)]),
        "written": in_fractions(found) if question.lines == "fractions" else [],
        "track": "exact" if question.lines == "exact" else "",
    }
    data = {"key": question.key, "answer": answer} | known_of(exercise, answer) | {name: told for name, told in more.items() if told}
    return data | ({} if elsewhere or not found.worked else {"shown": found.local, "hints": hints_of(found)})


def known_of(exercise, answer):  # Exercise, place of its answer -> {mistakes, far, ...}
    """What a page needs of an exercise to mark it: each known mistake, and where its numbers stand, or the values in which it is made."""
    mistakes = [(known.entry, beside(known.place or known.numbers.as_data(), answer)) for known in exercise.mistakes]
    far = [(known.entry, known.names, known.step, known.distance) for known in exercise.far if "name" in answer]
    options = {name: told for name, told in exercise.options.items() if told and (name, told) != ("places", PLACES)}
    return {"mistakes": mistakes} | ({"far": far} if far else {}) | options


def in_fractions(found):  # Found -> the worked lines; a page cannot write these by itself
    """The lines of an answer in fractions, for the numbers of the chapter."""
    worked = found.worked["paper"]
    return Worked(worked.trace, worked.labels, run=worked.run, track="fractions").lines(found.local)


def _is_count(all_of_them):  # [Found] -> bool: does neither the answer nor a mistake of the box need a minus, a space, or a fraction?
    numbers = [np.ravel(found.exact) for found in all_of_them]
    return len(numbers[0]) == 1 and not numbers[0][0] % 1 and all(row.min() >= 0 for row in numbers)


def said_once(questions):  # what page_questions gave, or a sheet's asks -> (the same, their mistakes with a number; the mistakes)
    """What is said of a mistake stands once on a page; each of the questions has its number.

    Mistakes in a row that are made further up in the same value stand together: [[3, 5, 8], names, step, distance].
    """
    sides = [(question, side) for question in questions for side in ("mistakes", "far") if side in question]
    entries = list(dict.fromkeys(tuple(entry.items()) for question, side in sides for entry, *_ in question[side]))
    number = {entry: k for k, entry in enumerate(entries)}
    numbered = [
        question
        | {side: [[number[tuple(entry.items())], *made] for entry, *made in question[side]] for side in ("mistakes", "far") if side in question}
        for question in questions
    ]
    return [question | ({"far": _together(question["far"])} if "far" in question else {}) for question in numbered], list(map(dict, entries))


def _together(far):  # [[k, names, step, distance]] -> [[[k, ...], names, step, distance]]
    return [[[k for k, *_ in alike], *made] for made, alike in groupby(far, key=lambda mistake: mistake[1:])]


def beside(place, answer):  # two places -> the name alone, where a value stands as the answer does
    """Short: most wrong answers are read off at the same places, in the same run."""
    return place["name"] if "name" in place and place | {"name": ""} == answer | {"name": ""} else place


def place_of(found, library):  # -> {run, name, at}: numbers of a run; {paper, exact}: those that no run of this page makes
    """Where the page finds a published value."""
    if found.worked and not _is_elsewhere(found, library):
        return place_of_value(found.worked["paper"].trace.find(found.local), found.worked["paper"].run)
    return {track: [float(x) for x in np.ravel(getattr(found, track))] for track in ("paper", "exact")}


def _is_elsewhere(found, library):  # in another chapter, whose runs this page does not carry
    return bool(found.reference.chapter) and found.reference.chapter != library.own


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
    parts = dict.fromkeys(_called(worked.label(name), name) for name in (arg.name for arg in named_args(step)))
    return " ".join([VERBS.get(step.op, ""), f"You need: {_listed(list(parts))}." if parts else "It was given: look for it above."]).strip()


def _called(label, name):  # a name that the page has no word of its own for goes without its scope
    return label.rpartition(".")[2] if label == label_of(name) else label


def _listed(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
