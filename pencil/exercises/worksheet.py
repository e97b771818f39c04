"""Worksheet: generated inputs, questions, and worked solutions. In a built page it is generated for any topic and seed."""

from html import escape

import numpy as np

from pencil.checker.values import TRACKS, PublishedValue, Reference
from pencil.exercises.generation import generate
from pencil.exercises.known import exercise_of, place_of_value
from pencil.exercises.page_exercises import hints_of, known_of, said_once
from pencil.exercises.topics import TOPICS
from pencil.worked import Worked, export

TEMPLATE = 7  # a seed with which every known mistake is possible


class Worksheet:
    """The worksheet of a topic and a seed; the same on every machine and in the page.

    `givens` and `asks` are the numbers that it starts from and those to be worked out, in their order; `key(reference)` are
    the worked lines of one of them.
    """

    def __init__(self, topic, seed):
        self.name, self.seed, self.trace = topic, seed, generate(topic, seed)
        self.topic = TOPICS[topic]
        self.asks = self.topic.asks
        self.worked = Worked(self.trace, {name: label for name, label in self.topic.labels.items() if name in self.trace.names})

    def found(self, reference):
        """The value that is asked for, as the marking takes it."""
        value = self.trace.find(reference)
        return PublishedValue(Reference.parse(reference), value.exact, value.paper, {track: self.worked for track in TRACKS}, reference)

    @property
    def givens(self):
        """Every given matrix: its name in the sheet's words, those of its rows (none of a single row), and its digits row by row."""
        return [self._given(name) for name in self.topic.givens]

    def _given(self, name):
        value = self.trace.find(name)
        digits, shape = [number.text for number in self.worked.numbers(name)], np.shape(value.exact)
        width = shape[-1] if shape else 1
        rows = [digits[k : k + width] for k in range(0, len(digits), width)]
        words = (value.words[0] or [f"row {r}" for r in range(1, len(rows) + 1)]) if len(shape) > 1 else []  # as the key calls them
        return self.worked.label(name), list(words), rows

    def label(self, reference):
        """The label of the value that is asked for: nolan.query."""
        return self.worked.labelled(reference) or reference

    def blanks(self, reference):
        """The label of an answer, on paper behind those of what is written down on the way and not asked for: of a share exp and its sum."""
        word, _, name = reference.partition(".")
        steps = [f"{word}.{step}" for step in ("exp", "exp_sum")] if name == "weights" else []
        return [self.label(one) for one in (*steps, reference) if one == reference or one not in self.asks]

    def count(self, reference):
        """How many numbers the answer has."""
        return int(np.size(self.trace.find(reference).exact))

    def key(self, reference):
        """The worked lines of an answer."""
        return self.worked.lines(reference)

    def exercise(self, reference, far=True):
        """The answer and its known mistakes, as `mark` takes them; without `far` those of its own step alone."""
        return exercise_of(self.found(reference), far=far, bends=False)

    def __repr__(self):
        lines = [f"{self.topic.title}, seed {self.seed}. {self.topic.opening}"]
        for called, words, rows in self.givens:
            heads = words or [""] * len(rows)
            lines += [f"{called}:", *(f"  {word:<6} [{', '.join(row)}]" for word, row in zip(heads, rows, strict=True))]
        return "\n".join([*lines, *self.topic.rules, *(f"{self.label(ask)} = ____" for ask in self.asks)])

    def _repr_html_(self):
        return (
            f'<div class="pencil-sheet" data-topic="{self.name}" data-seed="{self.seed}">'
            f"<p><strong>{escape(self.topic.title)}</strong>, seed {self.seed}. {escape(self.topic.opening)}</p>\n"
            f"{givens_html(self)}\n{rules_html(self)}<ol>{''.join(f'<li>{escape(self.label(ask))} = ____</li>' for ask in self.asks)}</ol></div>"
        )


def page_data(topic):  # str -> dict, JSON-able
    """The data with which the page generates, marks and writes any worksheet of a topic. The known mistakes are values of the
    program of the seed TEMPLATE, for which all of them are possible.
    """
    sheet = Worksheet(topic, TEMPLATE)
    givens = {name: {"size": int(np.prod(given.shape)), "how": given.how} for name, given in sheet.topic.givens.items()}
    asks, mistakes = said_once([_ask(sheet, reference) for reference in sheet.asks])
    about = {"topic": topic, "title": sheet.topic.title, "opening": sheet.topic.opening, "rules": sheet.topic.rules, "mistakes": mistakes}
    return about | {"givens": givens, "asks": asks, "run": export(sheet.worked)}


def _ask(sheet, reference):
    found, answer = sheet.found(reference), place_of_value(sheet.trace.find(reference), "")
    exercise = exercise_of(found, bends=False, carried="", harmless=True)
    return {
        "key": reference,
        "label": sheet.label(reference),
        "blanks": sheet.blanks(reference),
        "shown": reference,
        "answer": answer,
        "hints": hints_of(found),
    } | known_of(exercise, answer)


def givens_html(sheet):  # Sheet -> str
    """The given matrices as tables."""
    return f'<div class="pencil-givens">{"".join(_table(*given) for given in sheet.givens)}</div>'


def rules_html(sheet):  # Sheet -> str
    """The rules of the computation, one per line."""
    return f'<div class="pencil-rules">{"".join(f"<p>{escape(rule)}</p>" for rule in sheet.topic.rules)}</div>'


def _table(called, words, rows):
    heads = [f'<th scope="row">{escape(word)}</th>' for word in words] or [""] * len(rows)
    body = "".join(f"<tr>{head}{''.join(f'<td>{x}</td>' for x in row)}</tr>" for head, row in zip(heads, rows, strict=True))
    return f'<table class="pencil-given-grid"><caption>{escape(called)}</caption><tbody>{body}</tbody></table>'
