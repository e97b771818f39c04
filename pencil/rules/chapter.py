"""A chapter as its rules read it, and what a rule finds in it."""

import json
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import yaml

from pencil.checker.library import Library, Stale
from pencil.checker.page import load, read_page
from pencil.paths import ROOT, chapter_number, chapter_sources
from pencil.publish.exercises import exercises_in

GLOSSARY, MOVED = "book/glossary.md", "book/moved.yml"


@dataclass(frozen=True, order=True)
class Finding:
    """A broken rule: where, and in a sentence what to do."""

    file: str
    line: int
    says: str

    def __str__(self):
        return f"{self.file}:{self.line}: {self.says}"


@dataclass(frozen=True)
class RunCell:
    """A code cell that was run: the first line of its code in the source, its tags, its code and its outputs."""

    line: int
    tags: tuple
    code: str
    outputs: tuple


class Chapter:
    """The source of a chapter with what the rules ask of it, each part read once.

    Args:
        source: Path of NN_name.md; its notebook lies beside it
        root: the clone, with `book/` and `_toc.yml`
    """

    def __init__(self, source, root=ROOT):
        self.source, self.root = source.resolve(), root
        self.text = load(source)
        self.page = read_page(self.text)

    @property
    def name(self):
        """The name of its files, such as 05_soft_lookup."""
        return self.source.stem

    def at(self, line, says, file=None):  # int, str, Path -> Finding
        """A finding in the source, or in another file of the clone."""
        file = Path(file or self.source)
        return Finding(file.relative_to(self.root).as_posix() if file.is_relative_to(self.root) else file.as_posix(), line, says)

    def in_clone(self, says):  # str or exception -> str
        """A message whose paths begin in the clone."""
        return str(says).replace(f"{self.root.resolve().as_posix()}/", "")

    def line_of(self, place):  # int -> int
        """The line, counted from 1, of a character of the source."""
        return self.text.count("\n", 0, place) + 1

    @property
    def end(self):  # -> int
        """The last line."""
        return self.text.rstrip("\n").count("\n") + 1

    def boxes(self, name):  # -> list of Directive
        """The boxes of a kind."""
        return [box for box in self.page.directives if box.name == name]

    @cached_property
    def questions(self):  # -> [(line, ExerciseSource)]
        """Its questions. Raises ValueError for options that make no question."""
        return list(zip([box.line for box in self.boxes("your-turn")], exercises_in(self.text), strict=True))

    @cached_property
    def headings(self):  # -> [(line, level, title)]
        """Its headings."""
        lines = self.text.split("\n")
        found = [(block.line, lines[block.line - 1]) for block in self.page.blocks if block.kind == "heading"]
        return [(line, len(text) - len(text.lstrip("#")), text.lstrip("# ").strip()) for line, text in found]

    @cached_property
    def notebook(self):  # -> dict
        """The notebook as JSON. Raises Stale, as `published` does."""
        return self.published and json.loads(self.source.with_suffix(".ipynb").read_text(encoding="utf-8"))

    @cached_property
    def library(self):
        """Where its references are looked up."""
        return Library(self.source.parent, chapter_number(self.source))

    @cached_property
    def published(self):
        """Its published values. Raises Stale where the notebook was run with other code, or was not run."""
        return self.library.chapter(self.library.own)

    @property
    def is_run(self):
        """Whether its notebook was run with the code that the source has now."""
        try:
            return bool(self.published)
        except Stale:
            return False

    @cached_property
    def cells(self):  # -> [RunCell]
        """The code cells with their outputs."""
        ran = [cell for cell in self.notebook["cells"] if cell["cell_type"] == "code"]
        return [RunCell(line, tuple(tags), code, tuple(cell["outputs"])) for (line, tags, code), cell in zip(self.page.sources, ran, strict=True)]

    def listed(self, file):  # -> what a YAML file of the clone holds
        """What stands in path.yml, moved.yml or _toc.yml."""
        return _yaml((self.root / file).read_text(encoding="utf-8"))

    def line_in(self, file, pattern):  # -> int
        """The first line of a file of the clone that a pattern matches, or 1."""
        lines = (self.root / file).read_text(encoding="utf-8").split("\n")
        return next((number for number, line in enumerate(lines, 1) if re.search(pattern, line)), 1)


@lru_cache(maxsize=8)  # a rule asks for each link
def _yaml(text):
    return yaml.safe_load(text) or {}


def chapters(root=ROOT):  # -> list of Path
    """The sources of all chapters of the clone."""
    return chapter_sources(root / "notebooks")
