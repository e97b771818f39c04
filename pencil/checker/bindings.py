"""Check the digits of a binding against the value of its reference: {v}`0.953 <nolan.weights[ended]>`."""

import numpy as np

from pencil.checker.arithmetic import NotArithmetic, Number, evaluate
from pencil.checker.digits import DIGIT, FRACTIONS
from pencil.checker.equations import RELATIONS, as_decimal
from pencil.checker.words import is_counted, value_of
from pencil.rounding import MINUS, is_whole, places_for, settle, show
from pencil.trace.operations import TRACKS


def objection(shown, reference, values, declared):  # -> str, or None if the binding is right
    """Why these digits are wrong for this reference.

    - `shown`: the digits
    - `reference`: the text of the reference
    - `values`: an object with a method `find`, such as a Library
    - `declared`: {name: text}, the declarations of the page
    """
    if not DIGIT.search(shown) and not is_counted(shown):
        return "the binding holds no digit; write the words without it"
    if reference.startswith("page."):
        return _objection_to_declared(shown, reference.removeprefix("page."), declared)
    try:
        bound = values.find(reference)
        if form := bound.reference.format:
            return None if _shows(shown, bound, form) else describe(bound, shown, form)
        right = [track for track in TRACKS if _shows(shown, bound, track)]
    except KeyError as unknown:
        return unknown.args[0]
    name, track = reference.removeprefix("paper ").removeprefix("exact ").strip(), bound.reference.track
    if track and len(right) == 2:
        return f"both tracks show these digits; write <{name}>"
    if (not track and len(right) == 2) or track in right:
        return None
    if right:
        return f"{describe(bound)}: write <{right[0]} {name}>"
    return describe(bound, shown)


def _objection_to_declared(shown, name, declared):
    if name not in declared:
        return f"page.{name} is not declared in the front matter; it declares {', '.join(declared) or 'nothing'}"
    if _bare(shown) != _bare(declared[name]):
        return f"page.{name} is declared as {declared[name]}"
    return None


def describe(bound, shown="", form=""):
    """The true value in words: in the format `form`, or on both tracks if they differ."""
    if _is_sum(shown):
        sums = sorted({text for track in ([form] if form else TRACKS) for text in bound.sums(track)}, key=len)
        return f"{bound.reference.name} stands for {' or '.join(sums) or 'a value with no sum behind it'}"
    if form:
        return f"{bound.reference.name} is {_written(bound.numbers(form))} in {form}"
    paper, exact = _written(bound.paper), _written(bound.exact)
    return f"{bound.reference.name} is {paper}" + (f" on paper, {exact} exactly" if paper != exact else "")


def _written(value):
    if np.ndim(value):
        return f"[{', '.join(map(_written, value))}]"
    return show(float(value), whole=is_whole(float(value)))


def _is_sum(shown):
    return any(sign in shown for sign in RELATIONS)


def _bare(text):
    return "".join(text.split()).replace("-", MINUS)


def _shows(shown, bound, track):
    """Whether the text shows the value on the track, or in the format."""
    if _is_sum(shown):
        return _bare(shown) in map(_bare, bound.sums(track))
    value = bound.numbers(track)
    if is_counted(shown):
        return not np.ndim(value) and value == bound.exact == value_of(shown)
    if shown in FRACTIONS:
        top, bottom = FRACTIONS[shown]
        return all(not np.ndim(x) and np.isfinite(x) and settle(float(x)) == settle(top / bottom) for x in (value, bound.exact))
    try:
        return _reads(evaluate(shown), value, bound.exact, track)
    except NotArithmetic:
        return False


def _reads(shown, value, exact, track):
    """Compare number by number; rows and matrices have to have the same shape."""
    if isinstance(shown, Number):
        if np.ndim(value) or shown.written is None or shown.is_minus_zero:
            return False
        return _is_written(shown, float(value), float(exact), track) and not _hides(shown, float(value))
    same = np.ndim(value) and len(shown) == len(value)
    return bool(same) and all(_reads(s, v, e, track) for s, v, e in zip(shown, value, exact, strict=True))


def _is_written(shown, value, exact, track):
    """Whether a written number is the value, rounded half up to its number of decimals.

    On paper it may not have more decimals than the rule writes. A number without decimals is right only for a whole value. A
    percentage has two more decimals than it shows.
    """
    written = shown.written
    if not (np.isfinite(value) and written.is_finite()):
        return written == value  # a masked score is −∞; NaN equals nothing
    places, rule = max(0, -written.as_tuple().exponent), places_for(settle(value))
    if not places and written == settle(value):
        return written == settle(exact)
    if (not places and rule) or (places > rule and track == "paper"):
        return False
    return written.compare_total(as_decimal(show(value, places, None))) == 0


def _hides(shown, value):
    """Whether rounding hides a difference: something shown as nothing (0.0 for 0.047), or almost all as all (100 % for 0.9996)."""
    if not np.isfinite(value) or shown.written == settle(value):
        return False
    places = max(0, -shown.written.as_tuple().exponent)
    whole_percent = shown.percent and places <= 2 and abs(shown.written) == 1
    return whole_percent or (shown.written.is_zero() and places < places_for(settle(value)))
