"""Building the book: stale notebooks are refused, the previous pages stay until a build is complete, and builds do not overlap."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pencil.cli import book
from pencil.errors import TaskError
from pencil.paths import ROOT

CHAPTER = "05_soft_lookup"


@pytest.fixture
def copied(tmp_path):
    """A chapter of a book and its notebook, to be changed."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "_toc.yml").write_text(f"- file: notebooks/{CHAPTER}.ipynb\n", encoding="utf-8")
    for kind in (".md", ".ipynb"):
        shutil.copy(ROOT / "notebooks" / f"{CHAPTER}{kind}", tmp_path / "notebooks")
    return tmp_path / "notebooks"


def edit(folder, text="\nOne more sentence.\n"):
    source = folder / f"{CHAPTER}.md"
    source.write_text(source.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_a_fresh_notebook_is_not_named(copied):
    assert book.stale_notebooks(copied) == []


def test_a_source_that_was_edited_names_its_notebook_and_the_remedy(copied):
    edit(copied)
    (said,) = book.stale_notebooks(copied)
    assert f"{CHAPTER}.ipynb is stale" in said and "make notebooks" in said


def test_a_source_that_cannot_be_rendered_is_named(copied):
    edit(copied, "\n# A heading of {v}`8 <nolan.scores>`\n")
    (said,) = book.stale_notebooks(copied)
    assert f"{CHAPTER}.md" in said and "cannot stand in a heading" in said


def test_a_notebook_without_a_source_is_named(copied):
    (copied / f"{CHAPTER}.md").unlink()
    (said,) = book.stale_notebooks(copied)
    assert f"{CHAPTER}.ipynb has no source" in said


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder for pages, and a jupyter-book that makes one page, or what `made` is set to."""
    monkeypatch.setattr(book, "BUILD", tmp_path / "_build")
    monkeypatch.setattr(book, "stale_notebooks", lambda: [])
    monkeypatch.setattr(book.web, "stale", lambda: [])
    monkeypatch.setattr(book.subprocess, "run", write_page)
    return tmp_path / "_build"


def write_page(command, **_):
    page = Path(command[command.index("--path-output") + 1]) / "_build/html/index.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    for each in (page, page.parent / "a.html", page.parent / "_static/style.css"):
        each.parent.mkdir(exist_ok=True)
        each.write_text("new", encoding="utf-8")
    return subprocess.CompletedProcess(command, 0)


def stand(folder, stamp="older sources"):
    for name in ("index.html", "a.html", "gone/b.html"):
        page = folder / "html" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("old", encoding="utf-8")
    (folder / "inputs.sha256").write_text(stamp, encoding="utf-8")


NEW = {"index.html": "new", "a.html": "new", "_static/style.css": "new"}


def pages():
    html = book.BUILD / "html"
    return {path.relative_to(html).as_posix(): path.read_text(encoding="utf-8") for path in html.rglob("*") if path.is_file()}


def test_a_stale_notebook_is_built_into_no_page(monkeypatch, folder):
    monkeypatch.setattr(book, "stale_notebooks", lambda: ["notebooks/05_x.ipynb is stale; run `make notebooks`"])
    monkeypatch.setattr(book.subprocess, "run", lambda *args, **kwargs: pytest.fail("nothing may be built"))
    with pytest.raises(TaskError, match=r"05_x\.ipynb is stale; run `make notebooks`"):
        book.build()


def test_the_pages_that_stood_stay_whole_while_a_build_runs_and_after_one_that_failed(monkeypatch, folder):
    stand(folder)
    seen = []

    def fail(command, **_):
        seen.append(Path(book.BUILD, "html/index.html").read_text(encoding="utf-8"))
        return subprocess.CompletedProcess(command, 1, "a warning")

    monkeypatch.setattr(book.subprocess, "run", fail)
    with pytest.raises(TaskError, match="The pages that stood are older than their sources"):
        book.build()
    assert seen == ["old"] and Path(book.BUILD, "html/index.html").read_text(encoding="utf-8") == "old"
    monkeypatch.setattr(book.subprocess, "run", write_page)
    assert book.build().read_text(encoding="utf-8") == "new"
    assert {path.name for path in folder.iterdir()} <= {"html", "inputs.sha256", "lock"}


def test_what_a_killed_build_had_started_writes_on_and_touches_no_page(monkeypatch, folder):
    """Signal 9 ends the command, and not the jupyter-book that it started."""
    stand(folder)
    orphans = []

    def killed(command, **_):
        orphans.append(command)
        raise KeyboardInterrupt

    def beside_an_orphan(command, **_):
        write_page(orphans[0])
        (Path(orphans[0][orphans[0].index("--path-output") + 1]) / "_build/html/half.html").write_text("half", encoding="utf-8")
        return write_page(command)

    monkeypatch.setattr(book.subprocess, "run", killed)
    with pytest.raises(KeyboardInterrupt):
        book.build()
    monkeypatch.setattr(book.subprocess, "run", beside_an_orphan)
    monkeypatch.setattr(book.os, "getpid", lambda: 1)
    assert book.build().read_text(encoding="utf-8") == "new" and pages() == NEW


@pytest.mark.parametrize("name", ["next-1/_build/html", "next/_build/html", "old"])
def test_what_a_killed_build_left_is_cleared_away(folder, name):
    stand(folder)
    (folder / name).mkdir(parents=True)
    (folder / name / "half.html").write_text("half", encoding="utf-8")
    assert book.build().read_text(encoding="utf-8") == "new"
    assert {path.name for path in folder.iterdir()} <= {"html", "inputs.sha256", "lock"}


class Killed(BaseException):
    """What ends a build in the middle, with no chance to tidy up."""


STEPS = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "open"}


def killed_at(folder, step):  # -> did the build come so far?
    """Build, and end just before this step of those that change the folder."""
    left = [step]

    def watch(event, given):
        if left and event in STEPS and str(given[0]).startswith(str(folder)) and not (event == "open" and str(given[1]).startswith("r")):
            left[0] -= 1
            if left[0] == 0:
                left.clear()
                raise Killed

    sys.addaudithook(watch)  # it cannot be taken away again
    try:
        book.build()
    except Killed:
        return True
    finally:
        left.clear()
    return False


def test_a_build_that_is_killed_at_any_step_loses_no_page_and_the_next_one_makes_them_all(folder):
    step = 1
    while True:
        shutil.rmtree(folder, ignore_errors=True)
        stand(folder)
        if not killed_at(folder, step):
            break
        here = pages()
        assert {"index.html", "a.html"} <= set(here) and set(here.values()) <= {"old", "new"}, step
        assert "new" not in (here["index.html"], here["a.html"]) or "_static/style.css" in here, step  # what a new page loads is there before it
        book.build()
        assert pages() == NEW, step
        step += 1
    assert step > 10  # so many steps there are, and each was tried


def test_a_second_build_waits_for_the_first_and_takes_its_pages(monkeypatch, folder):
    under_way, told, built = threading.Event(), threading.Event(), []

    def slow(command, **_):
        built.append(command)
        under_way.set()
        assert told.wait(timeout=60)
        return write_page(command)

    monkeypatch.setattr(book, "print", lambda said, **_: told.set() if "waits for it" in said else None, raising=False)
    monkeypatch.setattr(book.subprocess, "run", slow)
    first = threading.Thread(target=book.build)
    first.start()
    under_way.wait()
    assert book.build().read_text(encoding="utf-8") == "new"
    first.join()
    assert len(built) == 1 and told.is_set()


@pytest.fixture
def sphinx(monkeypatch, folder):
    """A plain Sphinx that makes one page; what it was asked is kept."""
    asked = []

    def write(command, **_):
        asked.append([str(word) for word in command])
        page = Path(command[-1], "index.html")
        page.parent.mkdir(parents=True)
        page.write_text("by Sphinx", encoding="utf-8")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(book.subprocess, "run", write)
    monkeypatch.setattr(book.plain_sphinx, "python", lambda: "its-python")
    return asked


def test_the_pages_of_plain_sphinx_lie_beside_those_of_the_book_and_are_as_strict(folder, sphinx):
    stand(folder, book.inputs_hash())
    assert book.build("sphinx") == book.build("sphinx") == folder / "sphinx/html/index.html"
    assert book.build() == folder / "html/index.html" and book.build().read_text(encoding="utf-8") == "old"
    assert len(sphinx) == 1 and sphinx[0][:3] == ["its-python", "-m", "sphinx"] and {"-W", "-n", "--keep-going"} < set(sphinx[0])


def test_the_end_of_jupyter_book_is_one_word(monkeypatch, folder, sphinx):
    monkeypatch.setattr(book, "TOOL", "sphinx")
    assert book.build() == folder / "html/index.html" and book.build().read_text(encoding="utf-8") == "by Sphinx" and len(sphinx) == 1


def test_an_edited_source_is_an_edited_book():
    assert "notebooks/*.md" in book.INPUTS and "notebooks/*.ipynb" in book.INPUTS


def test_a_build_says_how_far_it_is(monkeypatch, folder):
    pages = (ROOT / "_toc.yml").read_text(encoding="utf-8").count("file: ") + 1
    told, news = [], threading.Condition()

    def tell(line, **_):  # in place of print, for what another thread prints while a test reads its output may be lost
        with news:
            told.append(line)
            news.notify()

    def slow(command, **_):
        assert told == [f"Building {pages} pages."]
        beside = Path(command[command.index("--path-output") + 1])
        for name, said in (("a.doctree", f"1 of {pages} read"), ("a.html", f"1 of {pages} written")):
            beside.mkdir(parents=True, exist_ok=True)
            (beside / name).touch()
            with news:
                news.wait_for(lambda line=said: line in told)
        return write_page(command)

    monkeypatch.setattr(book, "print", tell, raising=False)
    monkeypatch.setattr(book, "EVERY", 0.01)
    monkeypatch.setattr(book.subprocess, "run", slow)
    book.build()
