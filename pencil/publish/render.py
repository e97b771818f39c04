"""The render tool: builds and runs NN_name.ipynb from its source notebooks/NN_name.md.

Only what changed in code is run: where the code cells are as they were, their stored outputs stay, and the rest is rendered around them.
The result is reproducible byte by byte: fixed cell ids, no times, no widget state, no version of Python, sorted JSON. A binding becomes a
span with its digits, a claim and a {w} a span with its words, which Jupyter, GitHub and Colab show as plain text and the built page makes
live; a box becomes HTML (`boxes`). A notebook that was edited by hand is not overwritten.
"""

import json
import re
from collections import Counter
from functools import partial
from hashlib import sha256
from html import escape
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from pencil.checker.dependencies import record_run
from pencil.checker.library import CHAPTERS, REMEDY, changed_package, chapter_source
from pencil.checker.numerals import BINDING, CLAIM, MARK
from pencil.checker.page import read_page
from pencil.checker.values import outputs_hash
from pencil.checker.verdict import refusals
from pencil.errors import did_you_mean
from pencil.paths import chapter_sources, chapters_named, write_whole
from pencil.publish import boxes, released
from pencil.publish.figures import themed
from pencil.publish.source_words import SourceWords

FOLDER = Path(CHAPTERS)
OWN = "mine"  # the folder in it for a reader's own notebooks
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "pygments_lexer": "ipython3"}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"  # shows nothing without a live kernel
FIGURE = "image/svg+xml"
MEANT = ("tags", "mystnb")  # the cell metadata that the book uses; editors add others, such as folding
OFF_THE_PAGE = "remove-cell"
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
        words = SourceWords(page)
        notebook = jupytext.reads(boxes.as_html(text, words.table()), fmt="md:myst")
    except ValueError as bad:
        raise Failed(str(bad)) from None
    seen, tag = Counter(), released.tag()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = released.pinned(cell.source, tag)
        cell.id = _cell_id(cell, seen)
        if OFF_THE_PAGE in cell.metadata.get("tags", ()):
            cell.metadata["jupyter"] = {"source_hidden": True}  # JupyterLab folds its code
        if cell.cell_type == "markdown":
            source = CLAIM.sub(partial(_span, "when"), BINDING.sub(partial(_span, "value"), cell.source))
            cell.source = words.mark(source).replace(MARK, "")
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
    shown, reference = (" ".join(match[part].split()) for part in ("shown", "reference"))
    return f'<span data-{name}="{escape(reference)}">{shown}</span>'


class _Client(NotebookClient):
    """Runs a notebook; a signal, such as that of Ctrl-C, ends its kernel at once and without a word."""

    was_stopped = False

    async def _async_cleanup_kernel(self):
        self.was_stopped = self.km is None or bool(self.__dict__.get("_async_cleanup_kernel_future"))  # the signal's handler sets it
        if self.km is not None:  # else the handler has cleaned up
            await super()._async_cleanup_kernel()


def run(notebook, folder):  # notebook -> None; fills in the outputs
    """Execute a notebook in a folder. Raises Failed with the cell and its error, KeyboardInterrupt after Ctrl-C."""
    client = _Client(
        notebook,
        timeout=600,
        kernel_name=KERNEL["name"],
        record_timing=False,
        store_widget_state=False,
        shutdown_kernel="immediate",
        coalesce_streams=True,  # consecutive prints become one output, independent of timing
        extra_arguments=["--log-level=ERROR", "--InlineBackend.figure_formats={'svg'}"],
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        client.execute()
    except (CellExecutionError, DeadKernelError) as error:
        if client.was_stopped:
            raise KeyboardInterrupt from None
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


def is_as_written(stored):  # notebook -> bool
    """Whether both the cells and the outputs are those that the render tool wrote."""
    return not edited_by_hand(stored) and stored.metadata.get("pencil", {}).get("outputs") == outputs_hash(stored)


def check(source):  # Path -> str, or None
    """Compare a source with its notebook without running anything: a message that says what is wrong and what to do, or None."""
    target = source.with_suffix(".ipynb")
    if not target.exists():
        return f"{target.as_posix()} is not there; {REMEDY}"
    stored = nbformat.read(target, as_version=4)
    why = difference(build(source.read_text(encoding="utf-8")), stored) or changed_package(source)
    if why and edited_by_hand(stored):
        return _keep(target)
    return f"{target.as_posix()} is stale: {why}; {REMEDY}" if why else None


def _keep(target):
    place, command = target.parent / OWN / target.name, f"python -m pencil notebooks {target.stem}"
    return f"{target.as_posix()} was edited by hand; move it to {place.as_posix()}, where it stays yours, then run `{command}`"


def orphans(folder=FOLDER):  # -> list of str
    """A message for each notebook that _toc.yml names and that has no source; other notebooks are left alone."""
    lost = [folder / f"{name}.ipynb" for name in sorted(chapters_named(folder) or ())]
    lost = [path for path in lost if path.exists() and not path.with_suffix(".md").exists()]
    return [f"{path.as_posix()} has no source {path.stem}.md; write one, or delete the notebook and its line in _toc.yml" for path in lost]


def render_notebook(source, *, force=False, again=False, say=lambda what: None):  # Path -> Path
    """Bring the notebook of one chapter up to date. Raises Failed where that cannot be done; nothing is written then.

    Where its code, or what that depends on, has changed since its run it is run, and where prose alone has, it is rendered around the stored outputs.

    Args:
        force: write it in any case, also over a notebook that was edited by hand, which else raises EditedByHand
        again: run it, whether its code has changed or not
        say: called with what is about to be done, unless that is nothing
    """
    target = source.with_suffix(".ipynb")
    stored = _stored(target)
    if not force and stored and edited_by_hand(stored):
        raise EditedByHand(_keep(target))
    notebook = build(source.read_text(encoding="utf-8"))
    again = again or bool(changed_package(source))
    if not (again or force) and stored and difference(notebook, stored) is None:
        return target
    if taken := not again and stored and _take_outputs(notebook, stored):
        say("rendered, its code is as it was")
    else:
        say("runs")
        run(notebook, source.parent.resolve())
    notebook.metadata.pencil["outputs"] = outputs_hash(notebook)
    write_whole(target, nbformat.writes(notebook) + "\n")
    if not taken:
        record_run(source)
    return target


def _stored(target):  # -> notebook, or None where there is none, or a file that is none, such as one with merge conflicts
    try:
        return nbformat.read(target, as_version=4) if target.exists() else None
    except ValueError:
        return None


def _take_outputs(notebook, stored):  # -> bool; the outputs of an earlier run of the same code
    now, then = ([cell for cell in n.cells if cell.cell_type == "code"] for n in (notebook, stored))
    code = [[released.pinned(cell.source, "") for cell in cells] for cells in (now, then)]
    if not is_as_written(stored) or code[0] != code[1]:
        return False
    for cell, ran in zip(now, then, strict=True):
        cell.outputs, cell.execution_count = ran.outputs, ran.execution_count
    return True


def sources(asked, folder=FOLDER):  # ["05"] -> [notebooks/05_soft_lookup.md]
    """The sources of the chapters asked for, by number, name or path; without any, all of them."""
    found = chapter_sources(folder)
    if not asked:
        return found
    chosen = [chapter_source(a, folder) for a in asked]
    if None in chosen:
        missing, names = asked[chosen.index(None)], [path.stem for path in found]
        raise Failed(f"there is no chapter {missing!r} in {folder}; there are {', '.join(names) or 'none'}.{did_you_mean(Path(missing).stem, names)}")
    return chosen
