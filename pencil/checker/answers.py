"""The questions of a page: their right answer is none of the mistakes, one of the choices, and what the worked answer shows."""

import re
from contextlib import suppress
from itertools import pairwise

import numpy as np

from pencil.checker.numerals import arithmetic_text, pieces
from pencil.checker.words import NUMBER_WORD, value_of

_SIGNED = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?(?: ?%)?")


def untrue_answers(page, values):  # Page, values -> (line, what is written, reason)
    """What a page's questions say against themselves."""
    for directive, after in pairwise([*page.directives, None]):
        options = directive.options
        if directive.name != "your-turn":
            continue
        if "choices" in options:
            yield from _unknown_choices(directive)
        elif "answer" in options:
            yield from _untrue_answer(page, directive, after, values)


def _unknown_choices(directive):
    options = directive.options
    choices = [word.strip() for word in options["choices"].split("|")]
    if options.get("right") not in choices:
        yield directive.line, f":right: {options.get('right')}", f"is none of the choices: write one of {', '.join(choices)}"
    for name, shown in options.items():
        word = shown.partition("|")[0].strip()
        if name.startswith("wrong") and (word not in choices or word == options.get("right")):
            yield (
                directive.line,
                f":{name}: {word}",
                f"is none of the wrong choices: write one of {', '.join(c for c in choices if c != options.get('right'))}",
            )


def _untrue_answer(page, directive, after, values):
    try:
        right = values.find(directive.options["answer"])
        wrong = {
            name: values.find(shown.partition("|")[0].strip())
            for name, shown in directive.options.items()
            if name.startswith("wrong") and "|" in shown
        }
    except KeyError:  # `verdict` says so of its block
        return
    for name, found in wrong.items():
        if np.array_equal(found.paper, right.paper):
            yield directive.line, f":{name}:", f"is the answer, {directive.options['answer']}: name the value that its mistake gives, or take it out"
    if after is not None and after.name == "worked-answer" and after.line < directive.last:
        shown = _shown(page, after, values)
        if not any(all(_is_shown(x, shown) for x in np.ravel(numbers)) for numbers in (right.paper, right.exact)):
            yield after.line, "{worked-answer}", f"does not show the answer, {directive.options['answer']}: bind it there, or mend :answer:"


def _shown(page, directive, values):  # -> (numbers with their decimals, exact numbers) in a worked answer
    written, bound = [], []
    for block in page.blocks:
        if directive.line <= block.line < directive.last and block.kind != "marker":
            text = arithmetic_text(block)
            written += [(float(n.strip("% ").replace("−", "-").replace(",", "")) / (100 if "%" in n else 1), n) for n in _SIGNED.findall(text)]
            written += [(float(value_of(word[0])), word[0]) for word in NUMBER_WORD.finditer(text)]
            for piece in pieces(block):
                if piece.kind == "binding" and not piece.reference.startswith("page."):
                    with suppress(KeyError):  # `verdict` says so of its block
                        found = values.find(piece.reference)
                        bound += [*np.ravel(found.paper), *np.ravel(found.exact)]
    return written, bound


def _is_shown(x, shown):  # a zero may be said as nothing
    written, bound = shown
    return x == 0 or x in bound or any(abs(x - number) <= 0.5 * 10.0 ** -_places(text) + 1e-9 for number, text in written)


def _places(text):  # "95.3 %" -> 3
    digits = text.strip("% ")
    return len(digits.partition(".")[2]) + (2 if "%" in text else 0) if digits[-1:].isdigit() else 0
