"""A new chapter from the template: where it is entered, what is refused, and all checks in a copy of the repository."""

import errno
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pencil.cli.chapter import SKELETON, add
from pencil.errors import TaskError
from pencil.paths import ROOT


@pytest.fixture
def book(tmp_path):
    """A book of two chapters."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "book").mkdir()
    for name in ("08_contest", "09_kata"):
        (tmp_path / f"notebooks/{name}.md").write_text("# A title\n", encoding="utf-8")
    rows = "".join(f"      - file: notebooks/{name}.ipynb\n" for name in ("08_contest", "09_kata"))
    (tmp_path / "_toc.yml").write_text(f"chapters:\n{rows}      - file: book/errata\n", encoding="utf-8")
    (tmp_path / "book/path.yml").write_text("08_contest:\n  does: This.\n09_kata:\n  does: That.\n", encoding="utf-8")
    return tmp_path


def test_a_chapter_takes_the_next_number_and_its_place_behind_the_last(book):
    source = add("ends", r"What \g ends?", book)
    assert source.name == "10_ends.md" and "\n# What \\g ends?\n" in source.read_text(encoding="utf-8")
    assert source.read_text(encoding="utf-8").count("\n") == SKELETON.read_text(encoding="utf-8").count("\n")
    assert "notebooks/09_kata.ipynb\n      - file: notebooks/10_ends.ipynb\n      - file: book/errata\n" in (book / "_toc.yml").read_text(
        encoding="utf-8"
    )
    assert (
        (book / "book/path.yml")
        .read_text(encoding="utf-8")
        .endswith("09_kata:\n  does: That.\n10_ends:\n  does: Say here what the reader does in it.\n")
    )


def test_a_plain_python_can_add_one():
    """-S hides the installed packages."""
    done = subprocess.run([sys.executable, "-S", "-c", "import pencil.cli.chapter"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_disk_that_fills_up_leaves_the_contents_whole(book, monkeypatch):
    """Half of a text is written, and then there is no room."""
    before, whole = (book / "_toc.yml").read_text(encoding="utf-8"), Path.write_text

    def fills_up(path, text, **how):
        whole(path, text[: len(text) // 2], **how)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", lambda path, text, **how: (fills_up if "_toc" in path.name else whole)(path, text, **how))
    with pytest.raises(OSError, match="No space left"):
        add("ends", "What ends?", book)
    assert (book / "_toc.yml").read_text(encoding="utf-8") == before and not list(book.rglob("*.part"))


@pytest.mark.parametrize(
    "name, title, says",
    [
        ("Ends", "A title", "make no chapter"),
        ("../ends", "A title", "make no chapter"),
        ("ends", " ", "make no chapter"),
        ("ends", "In 3 steps", "no figures"),
        ("kata", "A title", "09_kata has that name"),
    ],
)
def test_what_makes_no_chapter_is_refused_and_nothing_is_written(book, name, title, says):
    before = {path: path.read_bytes() for path in book.rglob("*.*")}
    with pytest.raises(TaskError, match=says):
        add(name, title, book)
    assert before == {path: path.read_bytes() for path in book.rglob("*.*")}


@pytest.mark.slow
def test_a_new_chapter_passes_every_gate_in_a_copy(tmp_path, chromium, monkeypatch):
    """As CONTRIBUTING.md says it: add it, run it, check it, build the book, test it."""
    copy = tmp_path / "copy"
    left_out = shutil.ignore_patterns(".git", ".venv", "_build", "node_modules", ".*_cache", "__pycache__", ".hypothesis")
    shutil.copytree(ROOT, copy, ignore=left_out)
    (copy / ".venv").symlink_to(ROOT / ".venv")
    monkeypatch.setenv("PYTHONPATH", str(copy))
    monkeypatch.syspath_prepend(ROOT / "tests/rules")
    from written import write

    monkeypatch.setenv("CHROMIUM", chromium)

    def passes(*words):
        done = subprocess.run([sys.executable, "-m", *words], cwd=copy, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    source = Path(passes("pencil", "chapter", "vector_length", "How long is a vector?").split(" stands")[0])
    passes("pencil", "notebooks", source.stem[:2])
    assert "Every numeral is accounted for." in passes("pencil", "check")
    passes("pytest", "-q", "--nbval", "--nbval-current-env", str(source.with_suffix(".ipynb")))
    write(copy / source, copy)
    passes("pencil", "notebooks", source.stem[:2])
    assert "Nothing is left to write or to mend." in passes("pencil", "chapter-check", source.stem[:2])
    assert "The book stands" in passes("pencil", "book")
    passes("pytest", "-q", "-m", "not slow", "tests/book")
    long = ("book/test_path", "book/test_teaching", "book/test_search", "exercises/test_exercises_checking", "exercises/test_exercises_mistakes")
    passes("pytest", "-q", "-m", "long or not slow", *(f"tests/{name}.py" for name in long))
    named = f"vector_length or {source.stem[:2]}"  # and of the other tests, slow ones too, those of this chapter
    passes("pytest", "-q", "-k", named, "tests/rules", "tests/checker", "tests/exercises", "tests/web/test_worked_parity.py")
    passes("pytest", "-q", "-k", named, "tests/browser/test_every_page.py", "tests/browser/test_markup.py", "tests/browser/test_numbers.py")
