"""Build the page of one chapter alone, in seconds. Links to other pages lead nowhere in it."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from pencil.cli import book
from pencil.cli.notebooks import Progress
from pencil.errors import Parser, TaskError
from pencil.paths import ROOT, write_whole
from pencil.publish import render

HTML = book.BUILD / "page"
TOC = "format: jb-book\nroot: {}\n"
ELSEWHERE = re.compile(r"Unknown source document|\[myst\.xref_missing\]|\[bibtex\.|term not in glossary")  # what is on the pages that are not built
EVERY = 0.3  # seconds between two looks at the source


def build(source):  # Path of a chapter -> Path of its page
    """Bring the notebook of a chapter up to date, and build its page into _build/page. Raises TaskError where one of them fails."""
    progress = Progress(source.relative_to(ROOT).as_posix())
    try:
        notebook = render.render_notebook(source, say=progress.begin).relative_to(ROOT)
    except (render.Failed, ValueError) as wrong:
        raise TaskError(str(wrong)) from None
    finally:
        progress.end()
    beside = book.BUILD / f"next-{os.getpid()}"  # a build of the book clears away what a killed one has left
    with book.alone():
        try:
            beside.mkdir()
            write_whole(beside / "_toc.yml", TOC.format(notebook.as_posix()))
            _sphinx(beside)
            book.replace_pages(beside / "_build/html", HTML)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    return HTML / notebook.with_suffix(".html")


def _sphinx(beside):
    command = [Path(sys.executable).with_name("jupyter-book"), "build", "-q", "--toc", beside / "_toc.yml", "--path-output", beside, ROOT]
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace")
    said = [line for line in done.stderr.splitlines() if not ELSEWHERE.search(line)]
    print(*said, sep="\n", end="\n" * bool(said))
    if done.returncode:
        raise TaskError("The page was not built: mend what is said above.")


def main(argv):
    """`python -m pencil page NN [--watch]`."""
    parser = Parser(prog="python -m pencil page", description=__doc__)
    parser.add_argument("chapter", metavar="NN", help="the chapter, by number or name")
    parser.add_argument("--watch", action="store_true", help="build it again whenever its source changes, until Ctrl-C")
    asked = parser.parse_args(argv)
    try:
        (source,) = render.sources([asked.chapter], ROOT / "notebooks")
    except render.Failed as missing:
        raise TaskError(str(missing).replace(f"{ROOT.as_posix()}/", "")) from None
    if not asked.watch:
        show(source)
        return 0
    for _ in versions(source):
        try:
            show(source)
        except TaskError as wrong:
            print(wrong, flush=True)


def versions(source):  # Path -> yields at once, and after each change of the file
    """Wait for the versions of a file, for ever."""
    seen = None
    while True:
        now = source.stat().st_mtime_ns if source.exists() else seen  # an editor may take it away before it puts the new one there
        if now != seen:
            seen = now
            yield now
        else:
            time.sleep(EVERY)


def show(source):
    """Build the page of a chapter, and say where it is and how long that took."""
    began = time.monotonic()
    print(f"Building the page of {source.stem}.", flush=True)
    address = build(source).as_uri()
    print(f"The page is built, after {int(time.monotonic() - began)} s. Open {address}", flush=True)
