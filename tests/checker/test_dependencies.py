"""What a chapter's code depends on: by name, through the imports of the package, and no more than that."""

import json
from pathlib import Path

import nbformat
import pytest

from pencil.checker import dependencies as slices
from pencil.checker.dependencies import changed_since_its_run, dependencies, of_source, record_run
from pencil.checker.library import Library, Stale
from pencil.checker.page import load, read_page
from pencil.paths import ROOT, chapter_sources
from pencil.publish import render

FILES = {
    "__init__.py": "",
    "examples/__init__.py": "from pencil.examples.lookup import VALUES, WORDS\n",
    "examples/lookup.py": 'VALUES = [1, 2]  # two\nWORDS = ["a"]\n',
    "reference/__init__.py": "from pencil.reference.functional import Rows, softmax, unused\n",
    "reference/functional.py": '''"""Functions."""

import math

from pencil.reference.sums import add


def softmax(x):
    """Turn scores into weights."""
    exps = [math.exp(each) for each in x]  # e to each
    return [each / add(exps) for each in exps]


class Rows:
    def mean(self):
        import pencil.rounding as rounding

        return rounding.show(0)


def unused():
    return 3
''',
    "reference/sums.py": "def add(x):\n    return sum(x)\n\n\ndef other(x):\n    return x\n",
    "reference/methods.py": 'class Grid:\n    pass\n\n\nfor name in ("sum",):\n    setattr(Grid, name, abs)\n',
    "rounding.py": "def show(x):\n    return x\n",
    "experiments/records.py": "def read(name):\n    return name\n",
    "experiments/recorded/contest.json": "{}",
    "experiments/recorded/speed.json": "{}",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A small package in place of pencil, and a way to change a file of it."""
    root = tmp_path / "pencil"
    monkeypatch.setattr(slices, "PACKAGE", root)

    def change(name, old="", new=""):
        text = (root / name).read_text(encoding="utf-8") if old else FILES[name]
        assert old in text
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.replace(old, new) if old else text, encoding="utf-8")
        _forget()

    for name in FILES:
        change(name)
    yield change
    _forget()


def _forget():
    for kept in (slices.module_of, slices.data_files, slices.dependencies):
        kept.cache_clear()


CELL = "from pencil.examples import VALUES\nfrom pencil.reference import softmax\n\nsoftmax(VALUES)"


@pytest.mark.parametrize(
    "cell, file, old, new, is_other",
    [
        (CELL, "examples/lookup.py", "[1, 2]", "[1, 3]", True),
        (CELL, "examples/lookup.py", '["a"]', '["b"]', False),
        (CELL, "examples/lookup.py", "# two", "# both", False),
        (CELL, "reference/functional.py", "each / add", "each * add", True),
        (CELL, "reference/functional.py", "Turn scores", "Make scores", False),
        (CELL, "reference/functional.py", "return 3", "return 4", False),
        (CELL, "reference/functional.py", "    return [", "    if x:\n        return [", True),
        (CELL, "reference/sums.py", "sum(x)", "sum(x) + 1", True),
        (CELL, "reference/sums.py", "return x", "return -x", False),
        (CELL + "\nimport inspect\ninspect.getsource(softmax)", "reference/functional.py", "Turn scores", "Make scores", True),
        (CELL + "\nimport inspect\ninspect.getsource(softmax)", "examples/lookup.py", "# two", "# both", True),
        ("from pencil import reference\nreference.unused()", "reference/functional.py", "return 3", "return 4", True),
        ("from pencil import reference\nreference.unused()", "reference/sums.py", "sum(x)", "0", False),
        ("from pencil import reference\nprint(reference)", "reference/sums.py", "sum(x)", "0", True),
        ("from pencil.reference import Rows\nRows().mean()", "rounding.py", "return x", "return -x", True),
        ("if 1:\n    %pip install x\n    from pencil.rounding import show\nshow(1)", "rounding.py", "return x", "return -x", True),
        ("def f():\n    from pencil.rounding import show\n    return show(1)", "rounding.py", "return x", "return -x", True),
        ('from pencil.experiments.records import read\nread("contest")', "experiments/recorded/contest.json", "{}", "[]", True),
        ('from pencil.experiments.records import read\nread("contest")', "experiments/recorded/speed.json", "{}", "[]", False),
        ("from pencil.reference.methods import Grid\nGrid()", "reference/methods.py", '"sum",', '"sum", "mean"', True),
        ('print("contest")', "experiments/recorded/contest.json", "{}", "[]", False),
    ],
)
def test_a_change_counts_where_the_code_reaches_it(package, cell, file, old, new, is_other):
    before = dependencies((cell,))
    package(file, old, new)
    assert {name for name in {**before, **dependencies((cell,))} if before.get(name) != dependencies((cell,)).get(name)} == (
        {file} if is_other else set()
    )


@pytest.fixture
def chapter(package, tmp_path):
    """A chapter of that package with its notebook, as if it had been run."""
    source = tmp_path / "notebooks/05_x.md"
    source.parent.mkdir()
    source.write_text(f"# X\n\n```{{code-cell}}\n{CELL}\n```\n", encoding="utf-8")
    return source


def test_a_changed_package_makes_the_notebook_stale_until_it_is_run_again(chapter, package, monkeypatch):
    ran = []
    monkeypatch.setattr(render, "run", lambda notebook, folder: ran.append(folder))
    render.render_notebook(chapter)
    assert render.check(chapter) is None and changed_since_its_run(chapter) == [] and len(ran) == 1
    package("examples/lookup.py", "[1, 2]", "[1, 3]")
    assert "05_x.ipynb is stale: pencil/examples/lookup.py has changed since its run; run `make notebooks`" in render.check(chapter)
    with pytest.raises(Stale, match=r"is stale: pencil/examples/lookup\.py has changed"):
        Library(chapter.parent).chapter("05")
    chapter.write_text(chapter.read_text(encoding="utf-8") + "\nProse.\n", encoding="utf-8")
    render.render_notebook(chapter)  # the outputs of the code of yesterday are not taken over
    assert len(ran) == 2 and render.check(chapter) is None and Library(chapter.parent).chapter("05")


def test_what_is_written_down_forgets_chapters_that_are_gone(chapter):
    (chapter.parent / slices.KEPT).write_text(json.dumps({"04_gone": {"examples/lookup.py": "0"}}), encoding="utf-8")
    record_run(chapter)
    assert set(json.loads((chapter.parent / slices.KEPT).read_text(encoding="utf-8"))) == {"05_x"}


def test_two_halves_of_a_merge_record_no_run_and_each_chapter_runs_again(chapter, monkeypatch):
    ran, other = [], chapter.with_name("06_y.md")
    monkeypatch.setattr(render, "run", lambda notebook, folder: ran.append(folder))
    other.write_text(chapter.read_text(encoding="utf-8"), encoding="utf-8")
    for source in (chapter, other):
        render.render_notebook(source)
    (chapter.parent / slices.KEPT).write_text("<<<<<<< HEAD\n{}", encoding="utf-8")
    assert "ran_with.json does not say what it was run with; run `make notebooks`" in render.check(chapter)
    chapter.write_text(chapter.read_text(encoding="utf-8") + "\nProse.\n", encoding="utf-8")
    render.render_notebook(chapter)
    assert len(ran) == 3 and render.check(chapter) is None
    assert "06_y.ipynb is stale: ran_with.json does not say what it was run with" in render.check(other)
    render.render_notebook(other)
    assert len(ran) == 4 and render.check(other) is None


def test_a_run_is_written_down_only_after_it(chapter, monkeypatch):
    monkeypatch.setattr(render, "run", lambda notebook, folder: None)
    render.render_notebook(chapter)
    (chapter.parent / slices.KEPT).unlink()
    chapter.write_text(chapter.read_text(encoding="utf-8") + "\nProse.\n", encoding="utf-8")
    render.render_notebook(chapter)
    assert not (chapter.parent / slices.KEPT).exists() and changed_since_its_run(chapter) == []


def test_the_run_of_every_chapter_is_written_down():
    kept = json.loads((ROOT / "notebooks" / slices.KEPT).read_text(encoding="utf-8"))
    sources = chapter_sources(ROOT / "notebooks")
    assert list(kept) == sorted(source.stem for source in sources)
    assert all("experiments/recorded/contest.json" in kept[name] for name in ("08_contest", "14c_rematch"))
    assert all(of_source(source) for source in sources)


WATCH = """
import sys as _sys

_ran, _opened, _package = set(), set(), {package!r}

def _is_import(frame):
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(_package):
            return True
        frame = frame.f_back

def _watch(frame, event, arg):
    code = frame.f_code
    if event == "call" and code not in _ran and code.co_filename.startswith(_package) and not _is_import(frame):
        _ran.add(code)

_sys.addaudithook(lambda event, given: _opened.add(str(given[0])) if event == "open" else None)
_sys.setprofile(_watch)
"""
TOLD = """
_sys.setprofile(None)
import json as _json
print(_json.dumps([[[code.co_filename, code.co_firstlineno, code.co_name] for code in _ran], sorted(_opened)]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", ["02", "14b", "22"])
def test_a_run_executes_and_reads_nothing_that_its_chapter_does_not_depend_on(number, monkeypatch):
    source = next(path for path in chapter_sources(ROOT / "notebooks") if path.name.startswith(f"{number}_"))
    notebook = render.build(load(source))
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    watched = [nbformat.v4.new_code_cell(code) for code in (WATCH.format(package=str(slices.PACKAGE)), TOLD)]
    notebook.cells = [watched[0], *cells, watched[1]]
    render.run(notebook, source.parent)
    ran, opened = json.loads(notebook.cells[-1].outputs[-1].text)
    reached, hashed = {}, slices.Module.hash
    monkeypatch.setattr(slices.Module, "hash", lambda module, statements: reached.setdefault(module.name, statements) and hashed(module, statements))
    _forget()
    files = set(dependencies(tuple(code for _, _, code in read_page(load(source)).sources)))
    lines = {(name, line) for name, statements in reached.items() for one in statements for line in range(slices.first_line(one), one.end_lineno + 1)}
    assert len(ran) > 100
    assert [one for one in ran if (_in_package(one[0]), one[1]) not in lines] == []
    records = {_in_package(file) for file in opened if file.endswith(".json") and slices.RECORDS in Path(file).as_posix()}
    assert records <= files


def _in_package(file):
    return Path(file).relative_to(slices.PACKAGE).as_posix()
