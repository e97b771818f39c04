"""The published values of all chapters, which any page may quote."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from pencil.checker.dependencies import KEPT, PACKAGE, changed_since_its_run, is_left_out
from pencil.checker.page import load, read_page
from pencil.checker.values import Published, Reference
from pencil.paths import chapter_named, chapter_number, chapter_sources

CHAPTERS = "notebooks"
REMEDY = "run `make notebooks`"
MOST_NAMED = 3  # of the files that have changed


class Stale(Exception):
    """A notebook is out of date: it was run with different code than its source has now."""


@dataclass
class Library:
    """Resolves references in the notebooks of a folder.

    Args:
        folder: of the chapters
        own: the number of the chapter to which a reference without a chapter refers; "" for a page outside the chapters
    """

    folder: Path
    own: str = ""
    _chapters: dict = field(default_factory=dict)

    def beside(self, page):
        """A library for a page: with `own` set to the page's chapter."""
        inside = page.resolve().parent == self.folder.resolve()
        return Library(self.folder, chapter_number(page) if inside else "", self._chapters)

    def fresh(self):
        """Return self. Raises Stale if the page's own notebook is out of date, even if the page quotes none of its values."""
        if self.own:
            self.chapter(self.own)
        return self

    def find(self, text):
        """The value of a reference. Raises KeyError if no chapter publishes it, Stale if its notebook is out of date."""
        reference = Reference.parse(text)
        if not (reference.chapter or self.own):
            raise KeyError(f"{text}: name the chapter first, as in <06:{reference.name}>")
        return self.chapter(reference.chapter or self.own).find(text)

    def nearest(self, number):
        """A description of the nearest number that the page's own chapter publishes; None for a page outside the chapters."""
        return self.chapter(self.own).nearest(number) if self.own else None

    def chapter(self, number):
        """The published values of a chapter, cached. Raises KeyError for an unknown chapter, Stale if its notebook is out of date."""
        if number not in self._chapters:
            source = chapter_source(number, self.folder)
            if source is None:
                raise KeyError(f"there is no chapter {number} in {self.folder}")
            self._chapters[number] = _fresh(source)
        return self._chapters[number]


def chapter_source(asked, folder=Path(CHAPTERS)):  # "5", "05" or "soft_lookup" -> notebooks/05_soft_lookup.md, or None
    """Find the source of a chapter by its number, its name with or without the number, or the path of its source or notebook."""
    name = Path(asked).stem
    number = f"0{name}" if re.fullmatch(r"\d[a-z]?", name) else name
    by_number = (path for path in chapter_sources(folder) if path.stem == name or chapter_number(path) == number)
    return next(by_number, None) or chapter_named(name, folder)


def with_libraries(pages):  # paths -> (path, Library) of each
    """Each page with the library of the nearest folder `notebooks`; pages of one folder share a library."""
    libraries = {}
    for page in pages:
        near = (folder / CHAPTERS for folder in page.resolve().parents)
        folder = next((f for f in near if f.is_dir()), page.resolve().parent)
        yield page, libraries.setdefault(folder, Library(folder))


def changed_package(source):  # Path of a chapter -> str or None
    """What of the package has changed since the chapter was run, in words; or that its run is left out of the record."""
    if is_left_out(source):
        return f"{KEPT} does not say what it was run with"
    changed = [f"{PACKAGE.name}/{name}" for name in changed_since_its_run(source)]
    named = ", ".join(changed[:MOST_NAMED]) + (f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else "")
    return f"{named} {'has' if len(changed) == 1 else 'have'} changed since its run" if changed else None


def _fresh(source):
    notebook = source.with_suffix(".ipynb")
    named = notebook.as_posix()
    if not notebook.exists():
        raise Stale(f"{named} is not there; {REMEDY}")
    try:
        published = Published.read(notebook)
    except (AttributeError, LookupError, TypeError, ValueError) as wrong:
        raise Stale(f"{named} is no notebook that was rendered ({type(wrong).__name__}: {wrong}); {REMEDY}") from None
    if published.code != read_page(load(source)).code:
        raise Stale(f"{named} was run with other code cells than {source.name} has now; {REMEDY}")
    if not published.was_run:
        raise Stale(f"{named} holds outputs that its run did not write; {REMEDY}")
    if why := changed_package(source):
        raise Stale(f"{named} is stale: {why}; {REMEDY}")
    try:
        published.replay()
    except (AttributeError, LookupError, TypeError, ValueError) as wrong:  # written by an older version of the package
        raise Stale(f"{named} holds a program that this version cannot replay ({wrong}); {REMEDY}") from None
    return published
