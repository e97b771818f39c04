"""The pages come from the notebooks, so a notebook that its source has left behind is refused, not shown."""

import shutil

import pytest

from pencil.cli import book
from pencil.errors import TaskError
from pencil.paths import ROOT

CHAPTER = "05_soft_lookup"


@pytest.fixture
def copied(tmp_path):
    """A chapter and its notebook, to be changed."""
    for kind in (".md", ".ipynb"):
        shutil.copy(ROOT / "notebooks" / f"{CHAPTER}{kind}", tmp_path)
    return tmp_path


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


def test_a_stale_notebook_is_built_into_no_page(monkeypatch, tmp_path):
    monkeypatch.setattr(book, "BUILD", tmp_path / "_build")
    monkeypatch.setattr(book, "STAMP", tmp_path / "_build" / "inputs.sha256")
    monkeypatch.setattr(book, "stale_notebooks", lambda: ["notebooks/05_x.ipynb is stale; run `make notebooks`"])
    monkeypatch.setattr(book.subprocess, "run", lambda *args, **kwargs: pytest.fail("nothing may be built"))
    with pytest.raises(TaskError, match=r"05_x\.ipynb is stale; run `make notebooks`"):
        book.build()


def test_an_edited_source_is_an_edited_book():
    assert "notebooks/*.md" in book.INPUTS and "notebooks/*.ipynb" in book.INPUTS
