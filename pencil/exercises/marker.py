"""The one program that marks answers is the page's (web/exercises/grading.js). Python runs it in an embedded engine, QuickJS."""

import json
import threading

import numpy as np

from pencil.exercises.exercise import Choice, Mark
from pencil.web import MARKER

MISSING = "To mark an answer Python runs the page's own marker, and needs QuickJS for it: pip install quickjs-ng"
_engines = threading.local()  # each thread has an engine of its own: none may be entered from another


def mark(exercise, answer):  # Exercise or Choice, str or numbers -> Mark
    """Read an answer and say what it is. What cannot be read gets a sentence that says what to type.

    Raises ModuleNotFoundError, whose message names the remedy, without the engine; and ValueError where the right answer is not finite.
    """
    if isinstance(exercise, Choice):
        return _mark("choose", exercise.as_data(), str(answer))
    if not exercise.right.is_finite:
        raise ValueError("The right answer of this exercise is not finite, as in 1/0 or 0/0; no answer to it can be marked.")
    try:
        given = answer if isinstance(answer, str) else _numbers(answer)
    except ValueError as wrong:
        return Mark("wrong", str(wrong), read=False)
    return _mark("grade", exercise.as_data(), given)


def meanings(exercise, numbers):  # Exercise, [float] -> [key]
    """The keys of the mistakes of its own step that come to these numbers, and "right" where they are right."""
    return call("meanings", exercise.as_data(), numbers)


def read(answer, count):  # str, number -> what `readings` of web/exercises/answers.js says of it
    """How an answer is read where so many numbers are wanted: {ways: [[{value, places, figures}]]} or {problem}."""
    return call("readings", answer, count)


def call(name, *arguments):
    """Call a function of the marker with JSON-able arguments."""
    return json.loads(_engine()(name, json.dumps(arguments, allow_nan=False)))


def _mark(name, *arguments):
    told = call(name, *arguments)
    return Mark(told["verdict"], told["message"], told["kind"], told["wrong"], told["read"], tuple(x["value"] for x in told.get("typed", ())))


def _engine():
    if not hasattr(_engines, "call"):
        try:
            import quickjs
        except ModuleNotFoundError as missing:
            raise ModuleNotFoundError(MISSING, name=missing.name) from None
        _engines.context = quickjs.Context()
        _engines.context.eval(MARKER.read_text(encoding="utf-8"))
        _engines.call = _engines.context.get("pencilMarker")
    return _engines.call


def _numbers(answer):  # -> [float]. Raises ValueError, which says what to give
    try:
        numbers = np.asarray(answer, float).ravel().tolist()
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{answer!r} holds something that is no number; give numbers, such as 2.5 or [2, 8].") from None
    if not numbers:
        raise ValueError("There is nothing here yet. Type a number, such as 0.5 or −2.")
    if not np.isfinite(numbers).all():
        raise ValueError("An answer is made of finite numbers.")
    return numbers
