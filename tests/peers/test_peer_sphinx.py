"""The book by plain Sphinx, without Jupyter Book: every page says the same and carries the same data, and its article is the same to the letter."""

import json
import re
from html.parser import HTMLParser

import pytest

from pencil.cli import book, plain_sphinx
from pencil.errors import TaskError

MENU = ["System Settings", "Light", "Dark"]  # on each page with a header: the newer theme has a menu where the older one's button goes round
ARTICLE = re.compile("<article.*?</article>", re.DOTALL)
ANCHOR = re.compile(r'<span (id="[^"]*")></span>(?=(?:<span id="[^"]*"></span>)*<h\d>)')
SCRIPTS = {f"_static/{name}-stemmer.js" for name in ("base", "english")}  # of the search, which Sphinx 7 keeps in language_data.js


class Read(HTMLParser):
    """What a reader sees of a page, as a list of texts, and its data by the ids of their scripts."""

    UNSEEN = ("head", "script", "style")

    def __init__(self, html):
        super().__init__()
        self.texts, self.data, self._inside, self._id = [], [], [], None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag in self.UNSEEN:
            self._inside.append(tag)
            self._id = dict(attrs).get("id", "") if ("type", "application/json") in attrs else None

    def handle_endtag(self, tag):
        if tag in self.UNSEEN:
            self._inside.remove(tag)

    def handle_data(self, data):
        if self._inside[-1:] == ["script"] and self._id is not None:
            self.data.append((self._id, json.loads(data)))
        elif not self._inside and (said := " ".join(data.split())):
            self.texts.append(said)


def without_menu(texts):
    """The texts without the theme's menu, which is there once if at all."""
    at = texts.index(MENU[0]) if MENU[0] in texts else len(texts)
    assert texts[at : at + 3] in ([], MENU)
    return texts[:at] + texts[at + 3 :]


def without_second_anchors(html, other):
    """Without the anchors that the newer MyST parser adds before a heading whose name in links is not its id."""
    return ANCHOR.sub(lambda found: found[0] if found[1] in other else "", html)


@pytest.fixture(scope="module")
def by_sphinx(package_index):
    """The folder of the pages by Sphinx. Without a package index there is none, and the tests are skipped."""
    try:
        return book.build("sphinx").parent
    except TaskError:
        if (plain_sphinx.VENV / "stamp").exists() or package_index():
            raise
        pytest.skip("no package index can be reached from here, so there is no plain Sphinx")


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_there_are_the_same_files(built, by_sphinx):
    assert files(by_sphinx) - SCRIPTS == files(built)


def test_every_page_says_the_same_and_carries_the_same_data(built, by_sphinx, subtests):
    pages = sorted(built.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        name = page.relative_to(built).as_posix()
        with subtests.test(name):
            html = [(folder / name).read_text(encoding="utf-8") for folder in (built, by_sphinx)]
            ours, theirs = map(Read, html)
            assert without_menu(theirs.texts) == ours.texts
            assert theirs.data == ours.data and (name.startswith("notebooks/") <= ("pencil-runs" in dict(ours.data)))
            assert ARTICLE.findall(without_second_anchors(html[1], html[0])) == ARTICLE.findall(html[0])


def test_the_search_has_the_same_texts(built, by_sphinx):
    assert (by_sphinx / "_static/pencil-texts.js").read_text(encoding="utf-8") == (built / "_static/pencil-texts.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("before, after", [(">0.953<", ">0.954<"), ('"name":"weights"', '"name":"wages"'), ("</article>", "and more</article>")])
def test_a_page_that_differs_is_seen(built, before, after):
    html = (built / "notebooks/06_look_across.html").read_text(encoding="utf-8")
    assert before in html
    one, other = Read(html), Read(html.replace(before, after, 1))
    assert (one.texts, one.data) != (other.texts, other.data)
