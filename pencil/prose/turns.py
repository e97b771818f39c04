"""What a YOUR TURN asks for: the options of its box, read in one place for the render tool, the book's pages and the kata.

:answer: REFERENCE                a number, a row or a grid that the chapter publishes
:choices: set | multiset | list   or a choice among words,
:right: multiset                  and which of them is right
:wrong: REFERENCE | sentence      a mistake of this box alone, and what to say to who made it; for a choice
:wrong-2: WORD | sentence         the word stands in front. As many as are needed, counted on
:hint: sentence                   a step of help that the values do not give by themselves; :hint-2: the next
"""

import re
from dataclasses import dataclass

from pencil.prose.page import CLOSE, DIRECTIVE, FENCE, OPTION

WRONGS, HINTS = ((name, *(f"{name}-{k}" for k in range(2, 10))) for name in ("wrong", "hint"))
OPTIONS = ("answer", "choices", "right", *WRONGS, *HINTS)
BAR = re.compile(r"\s*\|\s*")


@dataclass(frozen=True)
class Turn:
    """One box. `answer` is a reference or "", `choices` are words or (); `wrong` are pairs (reference or word, sentence), `hints` sentences."""

    key: str
    answer: str = ""
    choices: tuple = ()
    right: str = ""
    wrong: tuple = ()
    hints: tuple = ()


def is_option(name):
    """Is there an option of this name?"""
    return name in OPTIONS


def turn_of(key, options):  # str, {name: text} -> Turn
    """The turn of a box's options. Raises ValueError, whose message says what to write."""
    for name, text in options.items():
        if not is_option(name) or not text:
            raise ValueError(
                f"has :{name}:; it takes :answer: REFERENCE, or :choices: this | that with :right: that, "
                "and :wrong: REFERENCE | sentence and :hint: sentence"
            )
    choices = tuple(word for word in BAR.split(options.get("choices", "")) if word)
    turn = Turn(key, options.get("answer", ""), choices, options.get("right", ""), _wrong(options), _hints(options))
    if bool(choices) != bool(turn.right) or (choices and turn.answer):
        raise ValueError("takes :choices: together with :right:, and then no :answer:")
    if choices and (len(set(choices)) != len(choices) or len(choices) < 2 or turn.right not in choices):
        raise ValueError(f"has :right: {turn.right}; it must be one of two or more different :choices:, here {', '.join(choices)}")
    if (turn.wrong or turn.hints) and not (turn.answer or choices):
        raise ValueError(f"has :{'wrong' if turn.wrong else 'hint'}: and nothing that is right; add :answer: or :choices:")
    for word, _ in turn.wrong:
        if choices and (word not in choices or word == turn.right):
            raise ValueError(f"has :wrong: {word}; it must be one of the other choices, here {', '.join(c for c in choices if c != turn.right)}")
    return turn


def _wrong(options):
    pairs = []
    for name in (name for name in WRONGS if name in options):
        parts = BAR.split(options[name], maxsplit=1)
        if len(parts) < 2 or not all(parts) or not parts[1].endswith((".", "?")):
            raise ValueError(f"has :{name}: {options[name]}; write REFERENCE | what to say to who made this mistake, a sentence")
        pairs.append(tuple(parts))
    return tuple(pairs)


def _hints(options):
    hints = {name: options[name] for name in HINTS if name in options}
    for name, said in hints.items():
        if not said.endswith((".", "?")):
            raise ValueError(f"has :{name}: {said}; write a step of help, a sentence")
    return tuple(hints.values())


def turns_in(text):  # str -> list of Turn
    """Every YOUR TURN of a page, in its order."""
    found, fence, lines = [], "", text.split("\n")
    for at, line in enumerate(lines):
        if fence:
            fence = "" if line.strip().startswith(fence) and not line.strip().strip(fence[0]) else fence
        elif match := FENCE.match(line):
            fence = match["fence"]
        elif (match := DIRECTIVE.match(line)) and match["name"] == "your-turn" and not CLOSE.match(line):
            found.append(turn_of(match["argument"].strip(), options_at(lines, at + 1)))
    return found


def options_at(lines, at):  # list of str, int -> {name: text}
    """The options that stand from a line on."""
    options = {}
    while at < len(lines) and (option := OPTION.match(lines[at])):
        options[option["key"]] = option["value"].strip()
        at += 1
    return options
