"""Build the pages into _build/html. Warnings are errors, and the previous pages are replaced only by a complete build."""

import hashlib
import os
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import yaml
from filelock import FileLock, Timeout

from pencil.cli import plain_sphinx, web
from pencil.errors import Parser, TaskError
from pencil.paths import ROOT, chapter_sources, write_whole

TOOL = "jupyter-book"  # or "sphinx", which is all that has to change here when Jupyter Book ends
BUILD = ROOT / "_build"
EVERY = 5  # seconds between two lines of progress
INPUTS = ("_config.yml", "_toc.yml", "conf.py", "genindex.md", "LICENSE*", "constraints*.txt", "book/**/*", "notebooks/*.md", "notebooks/*.ipynb")
INPUTS += ("pencil/**/*.py", "pencil/web/**/*.js", "pencil/web/**/*.css", "pencil/experiments/recorded/*.json")


def build(tool=None):  # -> Path of the first page
    """Build the book, unless the built pages are up to date. Those of the other tool than TOOL go into a folder of their own.

    Builds are never incremental, because Sphinx would not repeat the warnings of pages that it does not read again. The pages are
    built in a temporary folder and then moved into place; a second build waits for the first.
    Raises TaskError for stale notebooks and scripts, which the pages are made from, and for warnings.
    """
    now, tool = inputs_hash(), tool or TOOL
    place = BUILD if tool == TOOL else BUILD / tool
    if not _stands(place, now):
        with alone():
            if not _stands(place, now):  # another process may have built the pages while this one waited
                _build_beside(tool, place, now)
    return place / "html/index.html"


def _stands(place, now):
    stamp = _stamp(place)
    return (place / "html/index.html").exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == now


def _stamp(place):
    return place / "inputs.sha256"


@contextmanager
def alone():
    """Hold the lock of the build folder. The operating system releases it even if the process is killed."""
    BUILD.mkdir(exist_ok=True)
    lock = FileLock(BUILD / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        print("Another build is under way here. This one waits for it.", flush=True)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _build_beside(tool, place, now):
    html, stamp = place / "html", _stamp(place)
    beside = BUILD / f"next-{os.getpid()}"  # what a killed build has started may still write into its own
    for left in (BUILD / "old", *BUILD.glob("next*")):  # an earlier version moved old pages to `old`
        shutil.rmtree(left, ignore_errors=True)
    if stale := stale_notebooks():
        raise TaskError("\n".join(["The book was not built: its pages come from the notebooks.", *stale]))
    if stale := web.stale():
        raise TaskError("\n".join(["The book was not built: its pages carry the built scripts.", *stale]))
    with _progress(beside):
        done = subprocess.run(_command(tool, beside), cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    if done.returncode:
        shutil.rmtree(beside, ignore_errors=True)
        if done.returncode < 0:
            raise TaskError(f"The book was not built: Sphinx was ended from outside, by signal {-done.returncode}.")
        print(done.stdout)  # else it holds two more addresses of the first page, nothing besides
        stood = " The pages that stood are older than their sources." if html.exists() else ""
        raise TaskError(f"The book was not built: mend the warnings above.{stood}")
    stamp.unlink(missing_ok=True)
    replace_pages(beside / "_build/html", html)
    write_whole(stamp, now)
    shutil.rmtree(beside, ignore_errors=True)


def contents():  # -> list of (caption or None, pages without their endings), in reading order
    """Read _toc.yml."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [(None, [toc["root"]]), *((part.get("caption"), [*_pages(part["chapters"])]) for part in toc["parts"])]


def _pages(listed):
    for page in listed:
        yield Path(page["file"]).with_suffix("").as_posix()
        yield from _pages(page.get("sections", []))


@contextmanager
def _progress(beside):
    """Say every few seconds how many pages Sphinx has read, then how many it has written."""
    total = sum(len(pages) for _, pages in contents())
    print(f"Building {total} pages.", flush=True)
    is_over = threading.Event()

    def tell():
        told = None
        while not is_over.wait(EVERY):
            read, written = (min(total, sum(1 for _ in beside.rglob(kind))) for kind in ("*.doctree", "*.html"))
            line = f"{written} of {total} written" if written else f"{read} of {total} read"
            if line != told:
                print(line, flush=True)
            told = line

    telling = threading.Thread(target=tell, daemon=True)
    telling.start()
    try:
        yield
    finally:
        is_over.set()
        telling.join()


def _command(tool, beside):  # -> list of words
    strict = ["-q", "-W", "-n", "--keep-going"]
    if tool == "sphinx":
        return [plain_sphinx.python(), "-m", "sphinx", *strict, "-d", str(beside / "doctrees"), str(ROOT), str(beside / "_build/html")]
    return [Path(sys.executable).with_name("jupyter-book"), "build", *strict, "--path-output", str(beside), str(ROOT)]


def replace_pages(new, html):
    """Move each file into its place, and remove those that no page needs any more: no reader, on any system, meets a folder or a page that is gone.

    What the pages load comes before them. Killed in the middle it leaves whole pages, some new and some old, and no stamp: the next build makes all.
    """
    files = sorted((path for path in new.rglob("*") if path.is_file()), key=lambda path: (path.suffix == ".html", path))
    kept = {html / path.relative_to(new) for path in files}
    for path in files:
        place = html / path.relative_to(new)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, place)
    for path in sorted(html.rglob("*"), reverse=True):  # a folder after what is in it
        if path.is_file() and path not in kept:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def stale_notebooks(folder=ROOT / "notebooks"):  # -> list of str
    """A message for each notebook of the book that is out of date, and for each that has no source. Nothing is run."""
    from pencil.publish import render  # not at the top: it needs the packages of .venv

    said = []
    for source in chapter_sources(folder):
        try:
            said.append(render.check(source))
        except (render.Failed, ValueError) as wrong:
            said.append(f"{source.as_posix()}: {wrong}")
    said += render.orphans(folder)
    return [line.replace(f"{ROOT.as_posix()}/", "") for line in said if line]


def inputs_hash():  # -> str
    """A hash of all files that the pages are made from."""
    digest = hashlib.sha256()
    paths = {path for pattern in INPUTS for path in ROOT.glob(pattern) if path.is_file() and "__pycache__" not in path.parts}
    for path in sorted(paths):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def main(argv):
    """`python -m pencil book`, which `make book` runs; with --sphinx, the same pages by plain Sphinx, into _build/sphinx/html."""
    parser = Parser(prog="python -m pencil book", description=__doc__)
    parser.add_argument("--sphinx", action="store_true", help="build with plain Sphinx, which does without Jupyter Book, into _build/sphinx/html")
    print(f"The book stands. Open {build('sphinx' if parser.parse_args(argv).sphinx else TOOL).as_uri()}")
    return 0
