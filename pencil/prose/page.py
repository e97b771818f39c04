"""A MyST page, cut into its front matter, its code cells and the blocks of text between them."""

import re
from dataclasses import dataclass, field
from hashlib import sha256

import yaml


@dataclass(frozen=True)
class Block:
    """A piece of text that is judged by itself. `line` counts from 1; `kind` says what may stand in it:

    prose (everything), heading and title (no roles), code and tex (neither roles nor Markdown),
    answer (the reference in an `:answer:` or `:wrong:` option; nothing in it counts).
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
    def declared(self):
        """The declarations of the front matter, by name."""
        return (self.front.get("pencil") or {}).get("declared") or {}

    @property
    def code(self):
        """The hash of the code cells: values published by other code are stale."""
        return sha256("\0".join(self.cells).encode()).hexdigest()


FRONT = re.compile(r"---\n(.*?)\n---\n", re.S)
FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})\s*(?P<info>[^`]*)\Z")
DIRECTIVE = re.compile(r"\s*(?P<fence>:{3,})\{(?P<name>[\w:-]+)\}[ \t]*(?P<argument>.*)")
CLOSE = re.compile(r"\s*:{3,}\s*$")
OPTION = re.compile(r"\s*:(?P<key>[\w-]+):(?P<value>.*)")
HEADING = re.compile(r"(?:[ >*+-]|\d+[.)]\s)*#{1,6}(?:\s|$)")  # in a list or a quotation as well
UNDERLINE = re.compile(r"[ >]*(?:=+|-+)\s*$")  # makes a heading of the text above it
LABEL = re.compile(r"\s*\([^()\n]+\)=\s*$")
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
QUOTED = re.compile(r"[ >]*")
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


def load(path):  # Path -> str
    """The text of a page. Raises OSError where there is none, ValueError where it is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as wrong:
        raise ValueError(f"{path.name} is not UTF-8 (byte {wrong.start}); save it as UTF-8") from None


def read_page(text):  # str -> Page
    """Cut a page. Raises ValueError for front matter that is no YAML, or not laid out as NAME: value."""
    match = FRONT.match(text)
    front = _front_matter(match[1]) if match else {}
    body = match.end() if match else 0
    return _Cutter(text[body:].split("\n"), 1 + text[:body].count("\n")).cut(Page(front))


def _front_matter(text):
    try:
        front = yaml.load(text, _UniqueKeys) or {}
    except yaml.YAMLError as wrong:
        raise ValueError(f"the front matter is no YAML: {' '.join(str(wrong).split())}") from None
    part, where = front, "the front matter"
    for name in ("pencil", "declared"):
        if isinstance(part, dict):
            part, where = part.get(name) or {}, name if part.get(name) else where
    if not isinstance(part, dict):
        raise ValueError(f"{where} is {part!r}; it reads NAME: value, a line for each name")
    return front


def _said_by(key, value, is_choice):  # what an option says: the reference of a value, or text that a reader sees
    if key == "answer":
        return [("answer", value)]
    before, bar, after = value.partition("|")
    if key.startswith("wrong") and bar and not is_choice:
        return [("answer", before.strip()), ("title", after.strip())]
    return [("title", value)]


class _UniqueKeys(yaml.SafeLoader):
    """YAML in which a name that is given twice is an error: of two declarations the last would win in silence."""

    def construct_mapping(self, node, deep=False):
        names = [key.value for key, _ in node.value]
        for twice in (n for n in names if names.count(n) > 1):
            raise ValueError(f"the front matter gives {twice!r} twice; give each of them its own name")
        return super().construct_mapping(node, deep)


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
            elif HEADING.match(line):
                self._flush(page)
                self.at += 1
                self._flush(page, "heading")
            elif UNDERLINE.match(line):
                self._flush(page, "heading" if self._underlines(line) else "prose")
                self._skip()
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

    def _underlines(self, line):
        """Does it belong to the text above it? A list or a quotation ends where its indent or its signs end."""
        above = self.lines[self.start]
        if self.at == self.start or above.lstrip().startswith("|"):
            return False
        item = ITEM.match(above)
        return line.count(">") == QUOTED.match(above)[0].count(">") and not (item and not line.startswith(" "))

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
        if info.startswith("{") and not info.startswith(("{code-cell}", "{math}")):
            page.blocks.append(Block("title", self.first + self.at, info.partition("}")[2]))
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
        begin, options = self.at, []
        while self.at < len(self.lines) and (option := OPTION.match(self.lines[self.at])):
            options.append((option["key"], option["value"].strip()))
            self._skip()
        is_choice = "choices" in dict(options)
        for at, (key, value) in enumerate(options, self.first + begin):
            if key not in OPTION_NAMES:
                page.blocks.extend(Block(kind, at, said) for kind, said in _said_by(key, value, is_choice))
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
