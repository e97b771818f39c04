"""The render tool: builds and runs NN_name.ipynb from its source notebooks/NN_name.md.

The result is reproducible byte by byte: fixed cell ids, no times, no widget state, no version of Python, sorted JSON. A binding becomes a
span with its digits and a claim a span with its words, which Jupyter, GitHub and Colab show as plain text and the built page makes live; a
box becomes HTML (`boxes`). A notebook that was edited by hand is not overwritten.
"""

import json
import re
import sys
from collections import Counter
from functools import partial
from hashlib import sha256
from html import escape
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from pencil.checker.library import CHAPTERS, REMEDY, chapter_source
from pencil.checker.numerals import BINDING, CLAIM, MARK
from pencil.checker.page import read_page
from pencil.checker.values import outputs_hash
from pencil.checker.verdict import refusals
from pencil.errors import Parser, did_you_mean
from pencil.paths import write_whole
from pencil.publish import boxes
from pencil.publish.figures import themed

FOLDER = Path(CHAPTERS)
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "pygments_lexer": "ipython3"}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"  # shows nothing without a live kernel
FIGURE = "image/svg+xml"
MEANT = ("tags", "mystnb")  # the cell metadata that the book uses; editors add others, such as folding
TERMINAL_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Failed(Exception):
    """A chapter cannot be rendered; nothing is written."""


class EditedByHand(Failed):
    """A notebook has been edited by hand."""


def build(text):  # str -> notebook, not yet run
    """The notebook of a source, without outputs. Raises Failed for an invalid box, and for a binding in a place where a span is impossible."""
    page = read_page(text)
    wrong = [f"line {f.line}: {f.written} — {f.reason}" for block in page.blocks for f in refusals(block)]
    if wrong:
        raise Failed("\n".join(wrong))
    try:
        notebook = jupytext.reads(boxes.as_html(text), fmt="md:myst")
    except boxes.BadBox as bad:
        raise Failed(str(bad)) from None
    seen = Counter()
    for cell in notebook.cells:
        cell.id = _cell_id(cell, seen)
        if cell.cell_type == "markdown":
            cell.source = CLAIM.sub(partial(_span, "when"), BINDING.sub(partial(_span, "value"), cell.source)).replace(MARK, "")
    hashes = {"code": page.code, "source": sha256(text.encode()).hexdigest(), "cells": _cells_hash(notebook)}
    kept = {k: v for k, v in notebook.metadata.items() if k not in ("jupytext", "widgets")}  # or Jupytext would pair and sync
    notebook.metadata = nbformat.from_dict({**kept, "kernelspec": KERNEL, "language_info": LANGUAGE, "pencil": {**kept.get("pencil", {}), **hashes}})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def _cell_id(cell, seen):  # a hash of the source, so that a new cell does not change the ids of others
    digest = sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def _cells_hash(notebook):  # to detect edits by hand
    return sha256(json.dumps([_meant(cell) for cell in notebook.cells], sort_keys=True).encode()).hexdigest()


def _meant(cell):
    return [cell.cell_type, cell.source, {name: cell.metadata[name] for name in MEANT if cell.metadata.get(name)}]


def _span(name, match):
    said, reference = (" ".join(match[part].split()) for part in ("said", "reference"))
    return f'<span data-{name}="{escape(reference)}">{said}</span>'


def run(notebook, folder):  # notebook -> None; fills in the outputs
    """Execute a notebook in a folder. Raises Failed with the cell and its error."""
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name=KERNEL["name"],
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,  # consecutive prints become one output, independent of timing
        extra_arguments=["--log-level=ERROR", "--InlineBackend.figure_formats={'svg'}"],
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        client.execute()
    except (CellExecutionError, DeadKernelError) as error:
        lacks = getattr(error, "ename", "") == "ModuleNotFoundError"
        remedy = "\nWhat the chapters of the book run with is installed by `python -m pencil env run`." if lacks else ""
        raise Failed(TERMINAL_COLOUR.sub("", str(error)) + remedy) from None
    notebook.metadata.language_info = nbformat.from_dict(LANGUAGE)  # the kernel put its version there
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            data.pop(WIDGET_VIEW, None)
            if FIGURE in data:
                data[FIGURE] = themed(data[FIGURE])


def difference(notebook, stored):  # -> str or None
    """Why a stored notebook is out of date, or None. Outputs are not compared: `pytest --nbval` does that."""
    if edited_by_hand(stored):
        return "its cells were edited by hand"
    now, then = (dict(n.metadata.get("pencil", {})) for n in (notebook, stored))
    if then.pop("outputs", "") != outputs_hash(stored):
        return "it holds outputs that its run did not write"
    ids = [[cell.get("id") for cell in n.cells] for n in (notebook, stored)]
    if now == then and ids[0] == ids[1]:
        return None
    return "the render tool has changed since" if now.get("source") == then.get("source") else "the source has changed since"


def edited_by_hand(stored):  # notebook -> bool
    """Whether the cells have changed since the render tool wrote them; True for a notebook that it did not write."""
    written = stored.metadata.get("pencil", {})
    return written["cells"] != _cells_hash(stored) if "cells" in written else "source" not in written


def check(source):  # Path -> str, or None
    """Compare a source with its notebook without running anything: a message that says what is wrong and what to do, or None."""
    target = source.with_suffix(".ipynb")
    if not target.exists():
        return f"{target.as_posix()} is not there; {REMEDY}"
    stored = nbformat.read(target, as_version=4)
    why = difference(build(source.read_text(encoding="utf-8")), stored)
    if why and edited_by_hand(stored):
        return _keep(target)
    return f"{target.as_posix()} is stale: {why}; {REMEDY}" if why else None


def _keep(target):
    command = f"python -m pencil notebooks {target.stem} --force"
    return f"{target.as_posix()} was edited by hand; save your version under another name, then run `{command}`"


def orphans(folder=FOLDER):  # -> list of str
    """A message for each notebook without a source."""
    lost = [p for p in sorted(folder.glob("*.ipynb")) if not p.with_suffix(".md").exists()]
    return [f"{p.as_posix()} has no source {p.stem}.md; write one or delete the notebook" for p in lost]


def render_notebook(source, force=False):  # Path -> Path
    """Build, run and write one chapter. Raises EditedByHand for a notebook that was edited by hand, unless `force` is set."""
    target = source.with_suffix(".ipynb")
    if not force and _holds_work(target):
        raise EditedByHand(_keep(target))
    notebook = build(source.read_text(encoding="utf-8"))
    run(notebook, source.parent.resolve())
    notebook.metadata.pencil["outputs"] = outputs_hash(notebook)
    write_whole(target, nbformat.writes(notebook) + "\n")
    return target


def _holds_work(target):
    try:
        return target.exists() and edited_by_hand(nbformat.read(target, as_version=4))
    except ValueError:  # not a notebook, such as a file with merge conflicts
        return False


def sources(asked, folder=FOLDER):  # ["05"] -> [notebooks/05_soft_lookup.md]
    """The sources of the chapters asked for, by number, name or path; without any, all of them."""
    found = sorted(folder.glob("*.md"))
    if not asked:
        return found
    chosen = [chapter_source(a, folder) for a in asked]
    if None in chosen:
        missing, names = asked[chosen.index(None)], [path.stem for path in found]
        raise Failed(f"there is no chapter {missing!r} in {folder}; there are {', '.join(names) or 'none'}.{did_you_mean(Path(missing).stem, names)}")
    return chosen


def main(argv=None):
    """Render the chapters asked for, or with --check only say which are stale. Returns 1 if one fails or is stale."""
    parser = Parser(prog="python -m pencil notebooks", description=__doc__)
    parser.add_argument("--check", action="store_true", help="run nothing: compare each notebook with its source")
    parser.add_argument("--force", action="store_true", help="write over notebooks that were edited by hand")
    parser.add_argument("chapters", nargs="*", metavar="NN", help="chapters by number; by default all")
    asked, wrong = parser.parse_args(argv), 0
    try:
        chapters = sources(asked.chapters)
    except Failed as missing:
        print(missing)
        return 1
    if not chapters:
        print(f"no chapters here; run it where {FOLDER.as_posix()}/ is")
        return 1
    for source in chapters:
        try:
            message = check(source) if asked.check else f"{source.as_posix()} -> {render_notebook(source, asked.force).as_posix()}"
            wrong += bool(asked.check and message)
        except EditedByHand as kept:
            message, wrong = kept, wrong + 1
        except (Failed, ValueError) as failed:
            message, wrong = f"{source.as_posix()}: not rendered, nothing written\n{failed}", wrong + 1
        if message:
            print(message)
    lost = [] if asked.chapters else orphans()
    for message in lost:
        print(message)
    return 1 if wrong or lost else 0


if __name__ == "__main__":
    sys.exit(main())
