"""The values of all chapters: what a page may quote, its own and any other chapter's."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from pencil.prose.page import load, read_page
from pencil.prose.published import Published, Reference

CHAPTERS = "notebooks"
REMEDY = "run `make notebooks`"


class Stale(Exception):
    """A notebook that its source has left behind: its values prove nothing."""


@dataclass
class Library:
    """Finds values in the notebooks of a folder; a reference without a chapter means `own`."""

    folder: Path
    own: str = ""
    _chapters: dict = field(default_factory=dict)

    def beside(self, page):
        """The same library, as seen from a page."""
        chapter = page.resolve().parent == self.folder.resolve() and re.match(r"\d\d_", page.name)
        return Library(self.folder, page.name[:2] if chapter else "", self._chapters)

    def fresh(self):
        """Itself, once it is known that the page's own notebook is not stale, whether or not its values are used."""
        if self.own:
            self.chapter(self.own)
        return self

    def find(self, text):
        """Raises KeyError for what no chapter publishes, Stale for what an old notebook published."""
        reference = Reference.parse(text)
        if not (reference.chapter or self.own):
            raise KeyError(f"{text}: name the chapter first, as in <06:{reference.name}>")
        return self.chapter(reference.chapter or self.own).find(text)

    def nearest(self, number):
        """The nearest number of the page's own chapter."""
        return self.chapter(self.own).nearest(number) if self.own else None

    def chapter(self, number):
        """The published values of a chapter, once they are known to be fresh."""
        if number not in self._chapters:
            source = next(self.folder.glob(f"{number}_*.md"), None)
            if source is None:
                raise KeyError(f"there is no chapter {number} in {self.folder}")
            self._chapters[number] = _fresh(source)
        return self._chapters[number]


def with_libraries(pages):  # paths -> (path, Library) of each
    """Every page with the chapters it can quote: those of the nearest folder `notebooks`, read only once."""
    libraries = {}
    for page in pages:
        near = (folder / CHAPTERS for folder in page.resolve().parents)
        folder = next((f for f in near if f.is_dir()), page.resolve().parent)
        yield page, libraries.setdefault(folder, Library(folder))


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
    try:
        published.replay()
    except (AttributeError, LookupError, TypeError, ValueError) as wrong:  # the package has moved on since
        raise Stale(f"{named} holds a program that this version cannot replay ({wrong}); {REMEDY}") from None
    return published
