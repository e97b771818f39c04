"""The boxes of a chapter (`:::{your-turn}` and its kind) as HTML, for the notebook.

A notebook viewer knows no MyST directives. So `:::{worked-answer}` becomes `<details>` with its Markdown inside, between blank
lines: JupyterLab, Colab and GitHub fold it, and the built page finds the classes that its style sheet knows.
"""

import re
from dataclasses import dataclass
from html import escape

from markdown_it import MarkdownIt

from pencil.checker.numerals import without_roles
from pencil.checker.page import OPTION
from pencil.publish.exercises import is_option, parse_exercise

FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})\s*(?P<info>[^`]*)\Z")
DIRECTIVE = re.compile(r"\s*(?P<fence>:{3,})\{(?P<name>[\w:-]+)\}[ \t]*(?P<argument>.*)")
CLOSE = re.compile(r"\s*:{3,}\s*$")
HEADING = re.compile(r"(?:[ >*+-]|\d+[.)]\s)*#{1,6}(?:\s|$)")  # in a list or a quotation as well
LONG_BREATH = 60  # words; a longer one-breath summary is set in normal type
KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
TITLE = MarkdownIt("commonmark", {"typographer": True, "html": False}).enable(["smartquotes", "replacements"])


class BadBox(ValueError):
    """An invalid box; the message has the line and says what to do."""

    def __init__(self, line, reason):
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True)
class Kind:
    """A kind of box: its title, its HTML element, and what its argument is ("key", "title" or "" for none)."""

    title: str
    tag: str = "div"
    argument: str = ""


BOXES = {
    "your-turn": Kind("Your turn", argument="key"),
    "worked-answer": Kind("Worked answer", "details"),
    "wrong-turn": Kind("Wrong turn:", "details", argument="title"),
    "with-letters": Kind("Why? The same rules, with letters", "details"),
    "one-breath": Kind("One breath to carry away"),
    "you-will": Kind("You will be able to"),
    "words": Kind("The source of this chapter has words of its own"),
}


def is_long(text):
    """Whether a one-breath summary is too long for large type."""
    return len(text.split()) > LONG_BREATH


@dataclass
class _Open:
    name: str
    line: int
    colons: str
    at: int  # index of its opening element in the lines written so far
    indent: str


class _Boxer:
    """Converts the lines of a source in one pass. `out` has the lines so far, `open` the boxes not yet closed, `fence` an open code fence.

    `words` is what a box of words ends with.
    """

    def __init__(self, words):
        self.out, self.open, self.keys, self.fence, self.words = [], [], {}, "", words

    def read(self, text):
        lines = iter(enumerate(text.split("\n"), 1))
        held = next(lines, None)
        while held:
            (number, line), held = held, next(lines, None)
            if self.fence or (match := FENCE.match(line)):
                self._code(number, line)
            elif match := DIRECTIVE.match(line):
                options = {}
                while held and (option := OPTION.match(held[1])):
                    options[option["key"]] = option["value"].strip()
                    held = next(lines, None)
                self._begin(number, match, options)
            elif CLOSE.match(line):
                self._end(number, line)
            else:
                if self.open and (HEADING.match(line) or line.startswith("+++")):
                    raise BadBox(number, f"this cannot stand in a box; close :::{{{self.open[-1].name}}} of line {self.open[-1].line} before it")
                self.out.append(line)
        if self.open:
            self._unclosed(self.open[-1])
        if self.words and self.words[0] not in self.out:
            raise ValueError("the front matter has source_words: write the box :::{words}, where the switch between the words stands")
        return "\n".join(self.out)

    def _code(self, number, line):
        if self.fence:
            if line.strip().startswith(self.fence) and not line.strip().strip(self.fence[0]):
                self.fence = ""
        else:
            match = FENCE.match(line)
            self.fence = match["fence"]
            if self.open and match["info"].startswith("{code-cell}"):
                raise BadBox(number, f"a code cell cannot stand in a box; close :::{{{self.open[-1].name}}} of line {self.open[-1].line} before it")
        self.out.append(line)

    def _begin(self, number, match, options):
        name, argument = match["name"], match["argument"].strip()
        if name not in BOXES:
            raise BadBox(number, f":::{{{name}}} is no box; there are {', '.join(BOXES)}, and any other directive is written with ```")
        kind = BOXES[name]
        if bool(argument) != bool(kind.argument):
            wants = {"key": "a key, as in :::{your-turn} scores", "title": "the mistake as its title", "": "nothing"}[kind.argument]
            raise BadBox(number, f":::{{{name}}} takes {wants} behind it")
        for option in options:
            if name != "your-turn" or not is_option(option):
                raise BadBox(number, f":::{{{name}}} has :{option}:; only your-turn has options: :answer:, :choices:, :right:, :wrong: and :hint:")
        indent = match[0][: len(match[0]) - len(match[0].lstrip())]
        self._blank()
        self.open.append(_Open(name, number, match["fence"], len(self.out), indent))
        data = self._data(number, argument, options) if kind.argument == "key" else ""
        title = f"<strong>{kind.title}</strong> {self._title(number, argument)}" if kind.argument == "title" else kind.title
        opened = f'{indent}<{kind.tag} class="pencil-box {name}"{data}>'
        if kind.tag == "details":
            self.out.append(f'{opened}<summary class="pencil-box-title">{title}</summary>')
        else:
            self.out += [opened, f'{indent}<p class="pencil-box-title">{title}</p>']
        self.out.append("")

    def _data(self, number, key, options):
        if not KEY.fullmatch(key):
            raise BadBox(number, f"the key {key!r} is not of small letters, digits and single hyphens, as in :::{{your-turn}} two-queries")
        if key in self.keys:
            raise BadBox(number, f"the key {key!r} names the box of line {self.keys[key]} already; give this one its own")
        self.keys[key] = number
        try:
            exercise = parse_exercise(key, options)
        except ValueError as wrong:
            raise BadBox(number, f":::{{your-turn}} {wrong}") from None
        answer = f' data-answer="{escape(exercise.answer)}"' if exercise.answer else ""
        return f' id="your-turn-{key}" data-turn="{key}"{answer}'

    def _title(self, number, text):
        if "$" in text or re.search(r"\{[\w:-]+\}`", text):
            raise BadBox(number, "neither a formula nor a role can stand in a title; move it into the box")
        return TITLE.renderInline(text)

    def _end(self, number, line):
        if not self.open:
            raise BadBox(number, f"{line.strip()} closes nothing; delete it, or open a box above it")
        box = self.open.pop()
        if line.strip() != box.colons:
            if any(line.strip() == outer.colons for outer in self.open):
                self._unclosed(box)
            raise BadBox(number, f"{line.strip()} does not close the box of line {box.line}, which began with {box.colons}; write as many colons")
        content = "\n".join(self.out[box.at + (1 if BOXES[box.name].tag == "details" else 2) :])
        if not content.strip():
            raise BadBox(box.line, f":::{{{box.name}}} is empty; write something into it")
        if box.name == "one-breath" and is_long(without_roles(content)):
            self.out[box.at] = self.out[box.at].replace('one-breath"', 'one-breath long"')
        if box.name == "words":
            if not self.words:
                raise BadBox(box.line, ":::{words} is made from source_words: in the front matter, below pencil, which has none")
            self.out += ["", *self.words]
        self._blank()
        self.out += [f"{box.indent}</{BOXES[box.name].tag}>", ""]

    def _unclosed(self, box):
        raise BadBox(box.line, f":::{{{box.name}}} is not closed; end it with a line {box.colons}")

    def _blank(self):  # in Markdown a blank line ends an HTML block; without one a closing tag would become part of a list before it
        if self.out and self.out[-1].strip():
            self.out.append("")


def as_html(text, words=()):  # str, lines -> str
    """The text of a source with its boxes as HTML, and `words` at the end of its box of words. Raises BadBox for an invalid box."""
    return _Boxer(words).read(text)
