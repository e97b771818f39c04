"""The options of a your-turn box, parsed for the render tool, the built pages and the exercises.

:answer: REFERENCE                the right answer: a number, a row or a matrix that the chapter publishes
:choices: set | multiset | list   or a choice among words,
:right: multiset                  and which of them is right
:wrong: REFERENCE | sentence      a mistake that only this box expects, and what to say to a reader who made it;
:wrong-2: WORD | sentence         in a choice, the wrong word stands in front. Up to :wrong-12:
:places: 2                        the number of decimals that suffices, if the worked answer has fewer than three
:unit: percent                    the answer counts per cent: a % behind it changes nothing
:lines: fractions                 the worked lines are written in fractions, or `exact`, as the chapter writes them
:from: REFERENCE | REFERENCE      the values that the question starts from where it stands without its page
:alone: yes                       the question says all of them itself, in words where not in digits; `no`: it is asked on its page only
:hint: sentence                   a hint beside those that are derived from the chapter's run. Up to :hint-12:
"""

import re
from dataclasses import dataclass, replace

from pencil.checker.numerals import BINDING
from pencil.checker.page import read_page

WRONGS, HINTS = ((name, *(f"{name}-{k}" for k in range(2, 13))) for name in ("wrong", "hint"))
OPTIONS = ("answer", "places", "unit", "lines", "choices", "right", "from", "alone", *WRONGS, *HINTS)
BAR = re.compile(r"\s*\|\s*")


@dataclass(frozen=True)
class ExerciseSource:
    """The parsed options of a box.

    Args:
        key: the name of the box, unique in its chapter
        answer: the reference of the right answer, or "" for a choice
        choices: the words to choose from, or ()
        right: the right one of the choices, or ""
        wrong: pairs of a reference (in a choice, a word) and the sentence that answers it
        hints: sentences
        places: how many decimals are enough, or None for three
        percent: whether the answer counts per cent
        lines: the track of its worked lines
        text: what the box asks
        given: the references of the numbers that the question itself names
        start: the references of the values that it starts from where it stands without its page
        alone: "yes" if it says all of them itself, "no" if it is asked on its page only, or "" if they follow from the run of its answer
    """

    key: str
    answer: str = ""
    choices: tuple = ()
    right: str = ""
    wrong: tuple = ()
    hints: tuple = ()
    places: int | None = None
    percent: bool = False
    lines: str = "paper"
    text: str = ""
    given: tuple = ()
    start: tuple = ()
    alone: str = ""


def is_option(name):
    """Whether a your-turn box has an option of this name."""
    return name in OPTIONS


def parse_exercise(key, options):  # str, {name: text} -> ExerciseSource
    """Read the options of one box. Raises ValueError, whose message says what to write instead."""
    for name, text in options.items():
        if not is_option(name) or not text:
            raise ValueError(
                f"has :{name}:; it takes :answer: REFERENCE, or :choices: this | that with :right: that, "
                "and :wrong: REFERENCE | sentence and :hint: sentence"
            )
    choices = tuple(word for word in BAR.split(options.get("choices", "")) if word)
    right, helped = options.get("right", ""), (_wrong(options), _hints(options))
    alone = {"start": tuple(filter(None, BAR.split(options.get("from", "")))), "alone": _alone(options)}
    exercise = ExerciseSource(key, options.get("answer", ""), choices, right, *helped, _places(options), _percent(options), _lines(options), **alone)
    if bool(choices) != bool(exercise.right) or (choices and exercise.answer):
        raise ValueError("takes :choices: together with :right:, and then no :answer:")
    if choices and (len(set(choices)) != len(choices) or len(choices) < 2 or exercise.right not in choices):
        raise ValueError(f"has :right: {exercise.right}; it must be one of two or more different :choices:, here {', '.join(choices)}")
    if (exercise.wrong or exercise.hints) and not (exercise.answer or choices):
        raise ValueError(f"has :{'wrong' if exercise.wrong else 'hint'}: and nothing that is right; add :answer: or :choices:")
    for word, _ in exercise.wrong:
        if choices and (word not in choices or word == exercise.right):
            raise ValueError(f"has :wrong: {word}; it must be one of the other choices, here {', '.join(c for c in choices if c != exercise.right)}")
    return exercise


def _wrong(options):
    pairs = []
    for name in (name for name in WRONGS if name in options):
        parts = BAR.split(options[name], maxsplit=1)
        if len(parts) < 2 or not all(parts) or not _is_sentence(parts[1]):
            raise ValueError(f"has :{name}: {options[name]}; write REFERENCE | what to say to who made this mistake, a sentence, plain")
        pairs.append(tuple(parts))
    return tuple(pairs)


def _hints(options):
    hints = {name: options[name] for name in HINTS if name in options}
    for name, said in hints.items():
        if not _is_sentence(said):
            raise ValueError(f"has :{name}: {said}; write a step of help, a sentence, plain")
    return tuple(hints.values())


def _is_sentence(said):  # the page does not parse Markdown in it
    return said.endswith((".", "?")) and not {"*", "`"} & set(said)


def _places(options):
    if "places" not in options:
        return None
    if options["places"] not in ("1", "2") or "answer" not in options:
        raise ValueError(f"has :places: {options['places']}; write 1 or 2, the decimals that the worked answer has, beside an :answer:")
    return int(options["places"])


def _percent(options):
    if "unit" in options and (options["unit"] != "percent" or "answer" not in options):
        raise ValueError(f"has :unit: {options['unit']}; write percent, beside an :answer: that counts per cent, or leave it out")
    return "unit" in options


def _lines(options):
    if "lines" in options and (options["lines"] not in ("exact", "fractions") or "answer" not in options):
        raise ValueError(f"has :lines: {options['lines']}; write exact or fractions, beside an :answer:, or leave it out")
    return options.get("lines", "paper")


def _alone(options):
    if options.get("alone", "yes") not in ("yes", "no") or {"alone", "from"} <= set(options):
        raise ValueError(f"has :alone: {options['alone']}; write yes or no, without a :from:, or leave it out")
    return options.get("alone", "")


def exercises_in(text):  # str -> list of ExerciseSource
    """The your-turn boxes of a page, in their order."""
    boxes, lines = read_page(text).directives, text.splitlines()
    answers = [box.line for box in boxes if box.name == "worked-answer"]
    asked = []
    for box in (box for box in boxes if box.name == "your-turn"):
        end = min((line for line in answers if line > box.line), default=box.line)
        question = "\n".join(line for line in lines[box.line : end] if not line.startswith(":"))
        given = tuple(dict.fromkeys(found["reference"] for found in BINDING.finditer(question)))
        asked.append(replace(parse_exercise(box.argument, box.options), text=question, given=given))
    return asked
