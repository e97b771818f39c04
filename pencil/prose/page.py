"""A MyST page, cut into its front matter, its code cells and the blocks of text between them."""

import re
from dataclasses import dataclass, field
from hashlib import sha256

import yaml


@dataclass(frozen=True)
class Block:
    """A piece of text that is judged by itself. `line` counts from 1; `kind` says what may stand in it:

    prose (everything), heading and title (no roles), code and tex (neither roles nor Markdown),
    answer (the reference in an `:answer:` option; nothing in it counts).
    """

    kind: str
    line: int
    text: str


@dataclass(frozen=True)
class Page:
    front: dict
    blocks: list = field(default_factory=list)
    cells: list = field(default_factory=list)

    @property
    def code(self):
        """The hash of the code cells: values published by other code are stale."""
        return sha256("\0".join(self.cells).encode()).hexdigest()


FRONT = re.compile(r"---\n(.*?)\n---\n", re.S)
FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})\s*(?P<info>[^`]*)\Z")
DIRECTIVE = re.compile(r"\s*(?P<fence>:{3,})\{(?P<name>[\w:-]+)\}[ \t]*(?P<argument>.*)")
CLOSE = re.compile(r"\s*:{3,}\s*$")
OPTION = re.compile(r"\s*:(?P<key>[\w-]+):(?P<value>.*)")
LABEL = re.compile(r"\s*\([^()\n]+\)=\s*$")
STARTS = re.compile(r"\s*(?:[-*+]\s|\d+[.)]\s|\||>)")  # a list item, a table row or a quotation is a block of its own

# What a directive says beside its text. Whatever is not listed counts.
ARGUMENT_NAMES = {
    "your-turn", "figure", "image", "include", "literalinclude", "code-block", "code", "bibliography", "grid", "raw",
}  # fmt: skip
OPTION_NAMES = {
    "name", "class", "width", "height", "scale", "align", "label", "target", "header-rows", "stub-columns", "widths", "open",
    "columns", "gutter", "margin", "padding", "icon", "color", "link", "link-type", "figclass", "maxdepth", "hidden", "nonumber",
    "style", "filter", "numbered", "linenos", "emphasize-lines", "lineno-start",
}  # fmt: skip
VERBATIM = {"math": "tex", "code": "code", "code-block": "code", "raw": "code", "toctree": None}


def read_page(text):  # str -> Page
    """Cut a page. Raises ValueError for front matter that is no YAML."""
    match = FRONT.match(text)
    try:
        front = (yaml.safe_load(match[1]) if match else None) or {}
    except yaml.YAMLError as wrong:
        raise ValueError(f"the front matter is no YAML: {' '.join(str(wrong).split())}") from None
    body = match.end() if match else 0
    return _Cutter(text[body:].split("\n"), 1 + text[:body].count("\n")).cut(Page(front))


class _Cutter:
    """Goes through the lines once; `lines[at]` is the next one, `first` the number of the first."""

    def __init__(self, lines, first):
        self.lines, self.at, self.first, self.start = lines, 0, first, 0

    def cut(self, page):
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if match := FENCE.match(line):
                self._flush(page)
                self._fenced(page, match)
            elif match := DIRECTIVE.match(line):
                self._flush(page)
                self._directive(page, match)
            elif line.lstrip().startswith("$$"):
                self._flush(page)
                self._display(page)
            elif not line.strip() or LABEL.match(line) or CLOSE.match(line) or line.startswith("+++"):
                self._flush(page)
                self._skip()
            elif re.match(r"#{1,6}\s", line):
                self._flush(page)
                self.at += 1
                self._flush(page, "heading")
            else:
                if STARTS.match(line):
                    self._flush(page)
                self.at += 1
        self._flush(page)
        return page

    def _flush(self, page, kind="prose"):
        """What was read since the last block becomes a block."""
        if self.at > self.start:
            page.blocks.append(Block(kind, self.first + self.start, "\n".join(self.lines[self.start : self.at])))
        self.start = self.at

    def _skip(self):
        self.at += 1
        self.start = self.at

    def _until(self, closes):
        """Go on to the line that closes (or to the end), and take the lines before it."""
        begin = self.at
        while self.at < len(self.lines) and not closes(self.lines[self.at]):
            self.at += 1
        return "\n".join(self.lines[begin : self.at])

    def _fenced(self, page, match):
        fence, info = match["fence"], match["info"]
        self._skip()
        text = self._until(lambda line: line.strip().startswith(fence) and not line.strip().strip(fence[0]))
        if info.startswith("{code-cell}"):
            page.cells.append(text)
            self.start = self.at
        self._flush(page, "tex" if info in ("{math}", "math") else "code")
        self._skip()

    def _directive(self, page, match):
        name, argument = match["name"], match["argument"].strip()
        line = self.first + self.at
        self._skip()
        if argument and name not in ARGUMENT_NAMES:
            page.blocks.append(Block("tex" if name == "math" else "title", line, argument))
        while self.at < len(self.lines) and (option := OPTION.match(self.lines[self.at])):
            kind = "answer" if option["key"] == "answer" else "title"
            if option["key"] not in OPTION_NAMES:
                page.blocks.append(Block(kind, self.first + self.at, option["value"].strip()))
            self._skip()
        if name in VERBATIM:
            colons = match["fence"]
            self._until(lambda line: line.strip().startswith(colons) and CLOSE.match(line))
            if VERBATIM[name]:
                self._flush(page, VERBATIM[name])
            self._skip()

    def _display(self, page):
        opening = self.lines[self.at].lstrip()
        self.at += 1
        if "$$" not in opening[2:]:
            self._until(lambda line: "$$" in line)
            self.at += 1
        self._flush(page, "tex")
