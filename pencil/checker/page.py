"""Split a MyST page into its front matter, its code cells, and the blocks of text between them."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

import yaml


@dataclass(frozen=True)
class Block:
    """A paragraph, heading or the like, without the markup of its list, quotation or heading.

    `line` counts from 1; `defined` are the labels of links and footnotes defined so far; `kind` tells what is allowed in it:
    prose (everything), heading and title (no roles), code, tex and html (neither roles nor Markdown), marker (the number of a list
    item), answer (the reference in an `:answer:`, `:from:` or `:wrong:` option, in which nothing counts).
    """

    kind: str
    line: int
    text: str
    defined: tuple = ((), ())


@dataclass(frozen=True)
class Directive:
    """A directive, such as `:::{your-turn} key`: its name, argument, options, first and last line."""

    name: str
    argument: str
    options: dict
    line: int
    last: int


@dataclass(frozen=True)
class Page:
    front: dict
    blocks: list = field(default_factory=list)
    cells: list = field(default_factory=list)
    sources: list = field(default_factory=list)  # for each cell: its first line, its tags, its code
    misplaced: list = field(default_factory=list)  # lines of code cells inside a list or a box, which are not run
    directives: list = field(default_factory=list)

    @property
    def declared(self):
        """The declarations of the front matter by name."""
        return (self.front.get("pencil") or {}).get("declared") or {}

    @property
    def code(self):
        """The hash of the code cells, which tells whether published values are stale."""
        return sha256("\0".join(self.cells).encode()).hexdigest()


NAMED = re.compile(r"\{([\w:-]+)\}\Z")  # ```{name} is a directive, ```name is code
OPTION = re.compile(r"\s*:(?P<key>[\w-]+):(?P<value>.*)")

# Arguments and options of directives that are not shown; all others count.
ARGUMENT_NAMES = {
    "your-turn", "figure", "image", "include", "literalinclude", "code-block", "code", "bibliography", "grid", "raw",
}  # fmt: skip
OPTION_NAMES = {
    "name", "places", "class", "width", "height", "scale", "align", "label", "target", "header-rows", "stub-columns", "widths", "open",
    "columns", "gutter", "margin", "padding", "icon", "color", "link", "link-type", "figclass", "maxdepth", "hidden", "nonumber",
    "style", "alone", "filter", "numbered", "linenos", "emphasize-lines", "lineno-start",
}  # fmt: skip
# How the body of a directive is parsed; by default it is shown verbatim.
VERBATIM = {"math": "tex", "code": "code", "code-block": "code", "raw": "code"}
BARE = {"worked-answer", "wrong-turn", "with-letters", "one-breath", "you-will", "words"}  # boxes without options
MARKDOWN = BARE | {
    "your-turn", "figure", "image", "table", "list-table", "glossary", "bibliography", "container", "topic", "sidebar", "margin",
    "note", "tip", "hint", "important", "seealso", "attention", "caution", "warning", "danger", "error", "admonition", "todo",
    "card", "dropdown", "grid", "grid-item", "grid-item-card", "tab-set", "tab-item",
}  # fmt: skip
UNSHOWN = {"front_matter", "myst_target", "myst_line_comment", "myst_block_break", "hr"}
UNSHOWN_SETTINGS = {"pencil", "jupytext", "kernelspec", "tags"}  # of the front matter
LITERAL = {"html_block": "html", "math_block": "tex", "math_block_label": "tex"}


def load(path):  # Path -> str
    """The text of a page. Raises OSError where there is none, ValueError where it is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as wrong:
        raise ValueError(f"{path.name} is not UTF-8 (byte {wrong.start}); save it as UTF-8") from None


@lru_cache(maxsize=2048)  # a build reads each page several times, and its sections besides
def read_page(text):  # str -> Page
    """Split a page. Raises ValueError for front matter that is not a YAML mapping."""
    from pencil.checker import markdown  # not at the top: exercises and worksheets do not need MyST

    env = {}
    tokens = markdown.block_tokens(text, env)
    front = _front_matter(tokens[0].content) if tokens and tokens[0].type == "front_matter" else {}
    page = Page(front)
    page.blocks.extend(Block("title", _line_of(shown, text), shown) for shown in _shown_front(front))
    _Cutter(page, env, markdown).cut(tokens, 1)
    return page


def read_list(text):  # str -> Page
    """The contents or the path through the chapters: YAML, whose captions and descriptions a reader sees."""
    page = Page({})
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as wrong:
        raise ValueError(f"it is no YAML: {' '.join(str(wrong).split())}") from None
    for shown in _shown_in(document):
        page.blocks.append(Block("title", _line_of(shown, text), shown))
    return page


def _line_of(shown, text):  # the line of a YAML text that says it
    return next((n for n, line in enumerate(text.split("\n"), 1) if shown[:20].replace("'", "''") in line or shown[:20] in line), 1)


def _shown_in(part):
    parts = part.items() if isinstance(part, dict) else [("", value) for value in part] if isinstance(part, list) else ()
    for name, value in parts:
        if name in ("does", "caption", "title"):
            yield str(value)
        elif isinstance(value, dict | list):
            yield from _shown_in(value)


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


def _shown_front(front):  # title, description and the like, which a page shows, in its head too
    for name, part in front.items() if isinstance(front, dict) else ():
        if name not in UNSHOWN_SETTINGS:
            yield from _shown_settings({name: part})


class _UniqueKeys(yaml.SafeLoader):
    """A YAML loader that refuses duplicate keys, of which YAML would silently take the last."""

    def construct_mapping(self, node, deep=False):
        names = [key.value for key, _ in node.value]
        for twice in (n for n in names if names.count(n) > 1):
            raise ValueError(f"the front matter gives {twice!r} twice; give each of them its own name")
        return super().construct_mapping(node, deep)


class _Cutter:
    """Walks the tokens of a page and, recursively, of its directives."""

    def __init__(self, page, env, markdown):
        self.page, self.env, self.markdown, self.titles = page, env, markdown, set()

    def cut(self, tokens, first, depth=0):
        """Add the blocks of some tokens; `first` is the line of the first one, `depth` the number of enclosing directives."""
        self._titles_of_definitions(first)
        kind = "prose"
        for token in tokens:
            line = first + (token.map[0] if token.map else 0)
            if token.type == "heading_open":
                kind = "heading"
            elif token.type == "heading_close":
                kind = "prose"
            elif token.type == "inline":
                self._add(kind, line, token.content)
            elif token.type == "list_item_open":
                self._add("marker", line, token.info)
            elif token.type in ("fence", "colon_fence"):
                self._fenced(token, line, depth)
            elif token.nesting == 0 and token.type not in UNSHOWN:
                self._add(LITERAL.get(token.type, "code"), line, token.content)

    def _add(self, kind, line, text):
        if text:
            self.page.blocks.append(Block(kind, line, text, self.markdown.defined(self.env)))

    def _titles_of_definitions(self, first):
        """The title of a link definition is shown as a tooltip."""
        for label, definition in self.env.get("references", {}).items():
            if label not in self.titles:
                self.titles.add(label)
                self._add("title", first + definition["map"][0], definition["title"])

    def _fenced(self, token, line, depth):
        name, _, argument = token.info.strip().partition(" ")
        named = NAMED.match(name)
        if named and named[1] == "code-cell":
            if depth or token.level:
                self.page.misplaced.append(line)
            else:
                self._cell(token.content.removesuffix("\n"), line + 1)
        elif named:
            self._directive(named[1], argument.strip(), token, line, depth)
        elif token.type == "colon_fence":  # a colon fence that is not a directive
            self._markdown(token.content, line + 1, depth)
        else:
            self._add("code", line + 1, token.content)

    def _cell(self, text, line):
        options = _option_lines(text.split("\n"))
        lines = text.split("\n")[len(options) :]
        settings = _settings(options)
        self.page.cells.append(text)
        self.page.sources.append((line + len(options), settings.get("tags") or [], "\n".join(lines)))
        for shown in _shown_settings(settings):
            at = next((n for n, option in enumerate(options) if shown.split("\n")[0][:20] in option), 0)
            self._add("title", line + at, shown)

    def _markdown(self, text, line, depth):
        self.cut(self.markdown.block_tokens(text, self.env), line, depth + 1)

    def _directive(self, name, argument, token, line, depth):
        if argument and name not in ARGUMENT_NAMES:
            self._add("tex" if name == "math" else "title", line, argument)
        lines = token.content.split("\n")
        options = [] if name in BARE or not (name in MARKDOWN or name in VERBATIM) else _option_lines(lines)
        given = {option["key"]: option["value"].strip() for option in map(OPTION.match, options) if option}
        self.page.directives.append(Directive(name, argument, given, line, line + token.map[1] - token.map[0] - 1))
        for at, option in enumerate(options, line + 1):
            for kind, shown in _said_by(option, "choices" in given):
                self._add(kind, at, shown)
        body, line = "\n".join(lines[len(options) :]), line + 1 + len(options)
        if name in MARKDOWN:
            self._markdown(body, line, depth)
        else:
            self._add(VERBATIM.get(name, "code"), line, body)


def _option_lines(lines):
    """The option lines of a directive, as MyST parses them: a block between ---, or all leading lines that begin with a colon."""
    if lines[0].startswith("---"):
        end = next((at for at, line in enumerate(lines[1:], 1) if line.startswith("---")), len(lines) - 1)
        return lines[: end + 1]
    if lines[0].startswith(":::"):  # a nested directive
        return []
    end = next((at for at, line in enumerate(lines) if not line.lstrip().startswith(":")), len(lines))
    return lines[:end]


def _settings(options):  # lines -> dict
    text = "\n".join(options)
    if not text.startswith("---"):
        text = "\n".join(f"{option['key']}: {option['value']}" for option in map(OPTION.match, options) if option)
    try:
        found = yaml.safe_load(text.strip("-"))
    except yaml.YAMLError as wrong:
        raise ValueError(f"the settings of a cell are no YAML: {' '.join(str(wrong).split())}") from None
    return found if isinstance(found, dict) else {}


def _shown_settings(settings):  # the settings of a cell that are shown: alt text, caption, title
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _shown_settings(value)
        elif isinstance(value, list):
            yield from _shown_settings({f"{name} {at}": one for at, one in enumerate(value)} if name not in UNSHOWN_SETTINGS else {})
        elif name not in {"tags", *OPTION_NAMES} and isinstance(value, str | int | float) and not isinstance(value, bool):
            yield str(value)


def _said_by(line, is_choice):
    """The value of an option line: a reference, or text that may be shown."""
    option = OPTION.match(line)
    if option is None:
        return [("title", line.strip("- "))]
    key, value = option["key"], option["value"].strip()
    if key in OPTION_NAMES:
        return []
    if key == "answer":
        return [("answer", value)]
    if key == "from":
        return [("answer", reference.strip()) for reference in value.split("|")]
    before, bar, after = value.partition("|")
    if key.startswith("wrong") and bar and not is_choice:
        return [("answer", before.strip()), ("title", after.strip())]
    return [("title", value)]
