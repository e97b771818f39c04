"""The output of `pencil check`: failures, remedies, and hints for wrong arguments."""

import json
from pathlib import Path

import pytest

from pencil.checker import check, mutation
from pencil.checker.page import read_page
from pencil.checker.values import MIME, Published, outputs_hash


@pytest.fixture
def book(tmp_path, monkeypatch, review):
    """A book of one chapter, 06, and two pages that quote it."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "book").mkdir()
    chapter = "A match of {v}`8 <nolan.scores[ended]>`.\n\n```{code-cell}\npublish(...)\n```\n"
    (tmp_path / "notebooks" / "06_x.md").write_text(chapter, encoding="utf-8")
    write_notebook(tmp_path, review, read_page(chapter).code)
    for name in ("home", "rules"):
        (tmp_path / "book" / f"{name}.md").write_text("It is {v}`8 <06:nolan.scores[ended]>`.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_notebook(folder, published, code):
    cells = [{"cell_type": "code", "outputs": [{"data": {MIME: published.content}}]}]
    notebook = {"cells": cells, "metadata": {}}
    notebook["metadata"] = {"pencil": {"code": code, "outputs": outputs_hash(notebook)}}
    (folder / "notebooks" / "06_x.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def said(capsys, *argv):
    assert check.main(list(argv)) == 1
    return capsys.readouterr().out.splitlines()


def replace(page, old, new):
    page.write_text(page.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_one_failure_and_its_remedy(book, capsys):
    replace(book / "book" / "home.md", "`8 <", "`9 <")
    assert said(capsys) == ["book/home.md:1: 9 — nolan.scores[ended] is 8", f"1 failure. {check.MEND}"]


@pytest.mark.parametrize("below, asked", [("notebooks", []), ("notebooks", ["06"]), ("notebooks", ["06_x.md"]), ("book", ["../notebooks/06_x.md"])])
def test_it_finds_the_clone_from_a_folder_inside(book, capsys, monkeypatch, below, asked):
    (book / "_toc.yml").write_text("root: book/home\nparts:\n  - chapters:\n      - file: notebooks/06_x.ipynb\n", encoding="utf-8")
    replace(book / "notebooks" / "06_x.md", "`8 <", "`9 <")
    monkeypatch.chdir(book / below)
    assert said(capsys, *asked)[-2] == "notebooks/06_x.md:1: 9 — nolan.scores[ended] is 8"
    assert check.Path.cwd() == book / below


def test_outside_of_a_clone_it_says_where_to_run_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert said(capsys) == [check.NO_PAGES]


def test_several_failures_come_after_the_counts_that_were_asked_for(book, capsys):
    for name in ("home", "rules"):
        replace(book / "book" / f"{name}.md", "`8 <", "`9 <")
    lines = said(capsys, "-v")
    assert lines[0] == "notebooks/06_x.md: 1 numeral: 1 bound"
    assert lines[-3].startswith("book/home.md:1: 9") and lines[-2].startswith("book/rules.md:1: 9")
    assert lines[-1] == f"2 failures. {check.MEND}"


def test_an_output_that_was_typed_into_a_notebook_is_no_value(book, capsys):
    notebook = book / "notebooks" / "06_x.ipynb"
    stored = json.loads(notebook.read_text(encoding="utf-8"))
    stored["cells"][0]["outputs"].append({"output_type": "stream", "name": "stdout", "text": ["share 0.777\n"]})
    notebook.write_text(json.dumps(stored), encoding="utf-8")
    (line,) = said(capsys)
    assert line.startswith("notebooks/06_x.ipynb holds outputs that its run did not write") and "make notebooks" in line


@pytest.mark.parametrize("does", ["Nine words in 0.777 lines.", "Turn it by seventy-three degrees.", "Use [the 8](a.html)."])
@pytest.mark.parametrize("name, key", [("book/path.yml", "does"), ("_toc.yml", "caption")])
def test_the_captions_of_the_home_page_and_the_contents_are_judged(book, capsys, name, key, does):
    (book / name).write_text(f"06_x:\n  {key}: Four words.\n", encoding="utf-8")
    assert check.main([]) == 0
    (book / name).write_text(f"06_x:\n  {key}: {does}\n", encoding="utf-8")
    assert any(line.startswith(f"{name}:2: ") for line in said(capsys))


def test_a_stale_notebook_is_said_once_and_ends_it(book, capsys):
    replace(book / "notebooks" / "06_x.md", "publish(...)", "publish()")
    (line,) = said(capsys)
    assert line.startswith("notebooks/06_x.ipynb was run with other code cells") and "make notebooks" in line


@pytest.mark.parametrize("asked", ["06", "6", "06_x", "notebooks/06_x.md"])
def test_a_chapter_is_asked_for_as_in_the_other_commands(book, capsys, asked):
    assert check.main([asked]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "notebooks/06_x.md: 1 numeral: 1 bound"


def test_a_notebook_is_answered_with_its_source(book, capsys):
    (line,) = said(capsys, "notebooks/06_x.ipynb")
    assert line == "notebooks/06_x.ipynb is made from 06_x.md; check that: python -m pencil check notebooks/06_x.md"


@pytest.mark.parametrize("asked", ["07", "book/none.md"])
def test_what_is_not_there_is_said_in_a_sentence(book, capsys, asked):
    assert said(capsys, asked) == [f"there is no page and no chapter '{asked}'."]


def test_a_good_book_passes_and_says_its_coverage(book, capsys):
    assert check.main([]) == 0
    said = capsys.readouterr().out
    assert "notebooks/06_x.md: 1 numeral: 1 bound" in said and "book/home.md: 1 numeral: 1 bound" in said


def test_a_failing_numeral_is_printed_with_its_place(book, capsys):
    page = book / "book" / "home.md"
    page.write_text("\nIt is {v}`9 <06:nolan.scores[ended]>`.\n", encoding="utf-8")
    assert check.main(["book/home.md"]) == 1
    assert "book/home.md:2: 9 — nolan.scores[ended] is 8" in capsys.readouterr().out


@pytest.mark.parametrize(
    "reference, said",
    [
        ("nolan.scores[ended]", "name the chapter first, as in <06:nolan.scores[ended]>"),
        ("07:nolan.scores[ended]", "there is no chapter 07"),
    ],
)
def test_a_page_outside_the_chapters_names_the_chapter(book, capsys, reference, said):
    (book / "book" / "home.md").write_text(f"It is {{v}}`8 <{reference}>`.\n", encoding="utf-8")
    assert check.main(["book"]) == 1
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("path", ["notebooks", "book"])
def test_stale_values_are_refused_with_the_remedy(book, capsys, review, path):
    write_notebook(book, review, "other code")
    assert check.main([path]) == 1
    said = capsys.readouterr().out
    assert "was run with other code cells" in said and "make notebooks" in said


def test_a_program_of_another_version_is_refused(book, capsys, review):
    old = json.loads(json.dumps(review.content))
    old["runs"][""]["program"]["steps"][0]["shape"] = [7]
    write_notebook(book, Published(old), read_page((book / "notebooks" / "06_x.md").read_text(encoding="utf-8")).code)
    assert check.main(["notebooks"]) == 1
    assert "cannot replay" in (said := capsys.readouterr().out) and "make notebooks" in said


def test_a_chapter_that_was_never_rendered_is_refused(book, capsys):
    (book / "notebooks" / "06_x.ipynb").unlink()
    assert check.main([]) == 1
    assert "is not there; run `make notebooks`" in capsys.readouterr().out


def test_prose_alone_does_not_make_values_stale(book, capsys):
    page = book / "notebooks" / "06_x.md"
    page.write_text("Other words.\n\n" + page.read_text(encoding="utf-8"), encoding="utf-8")
    assert check.main(["notebooks"]) == 0


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notebooks" / "06_x.md").write_text("No digit.\n", encoding="utf-8")
    return tmp_path / "notebooks" / "06_x.ipynb"


@pytest.mark.parametrize("notebook", ["<<<<<<< ours\n{}", "{}", "[]", "5", json.dumps({"cells": [{}], "metadata": []})])
@pytest.mark.parametrize("command", [check.main, mutation.main])
def test_a_broken_notebook_is_a_line_and_no_traceback(chapter, capsys, command, notebook):
    chapter.write_text(notebook, encoding="utf-8")
    assert command([]) == 1
    assert "is no notebook that was rendered" in (said := capsys.readouterr().out) and "make notebooks" in said


@pytest.mark.parametrize("command", [check.main, mutation.main])
def test_a_page_that_is_not_utf_8_is_said(chapter, capsys, command):
    (chapter.parent / "a.md").write_bytes(b"\xff 8")
    command(["notebooks/a.md"])
    assert "a.md is not UTF-8 (byte 0); save it as UTF-8" in capsys.readouterr().out


def test_a_page_is_a_chapter_only_by_its_whole_number(chapter, capsys):
    (chapter.parent / "10x.md").write_text("No digit.\n", encoding="utf-8")
    assert check.main(["notebooks/10x.md"]) == 0


@pytest.mark.parametrize("command", [check.main, mutation.main])
def test_no_pages_is_no_success(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    assert command([]) == 1
    assert "no pages here; run it where notebooks/ is" in capsys.readouterr().out


def test_a_chapter_is_found_from_any_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert check.main(["05"]) == 0
    assert "notebooks/05_soft_lookup.md" in capsys.readouterr().out and Path.cwd() == tmp_path


def test_pages_in_subfolders_are_found_and_made_ones_are_not(tmp_path):
    for name in ("a.md", "deep/b.md", ".ipynb_checkpoints/c.md", "_build/d.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert [p.name for p in check.pages([str(tmp_path)])] == ["a.md", "b.md"]
