"""The render tool: notebooks/NN_name.md, the text source, becomes NN_name.ipynb, run and ready to read.

There is one way, from the text to the notebook, and it writes the same bytes every time: fixed cell
ids, no times, no widget state, no version of Python, sorted JSON. A binding becomes plain digits in
a span, which Jupyter, GitHub and Colab show as digits and the built page makes live.
"""

import argparse
import re
import sys
from collections import Counter
from hashlib import sha256
from html import escape
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from pencil.prose.judge import refusals
from pencil.prose.library import CHAPTERS, REMEDY
from pencil.prose.numerals import BINDING
from pencil.prose.page import read_page

FOLDER = Path(CHAPTERS)
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "pygments_lexer": "ipython3"}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"  # means nothing without the state of a live kernel
TERMINAL_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Failed(Exception):
    """A chapter that cannot be rendered; nothing is written."""


def build(text):  # str -> notebook, not yet run
    """The notebook of a source. Raises Failed for a binding where its span would leak."""
    page = read_page(text)
    wrong = [f"line {f.line}: {f.written} — {f.reason}" for block in page.blocks for f in refusals(block)]
    if wrong:
        raise Failed("\n".join(wrong))
    notebook = jupytext.reads(text, fmt="md:myst")
    seen = Counter()
    for cell in notebook.cells:
        cell.id = _cell_id(cell, seen)
        if cell.cell_type == "markdown":
            cell.source = BINDING.sub(_span, cell.source)
    hashes = {"code": page.code, "source": sha256(text.encode()).hexdigest()}
    kept = {k: v for k, v in notebook.metadata.items() if k not in ("jupytext", "widgets")}  # or Jupytext would pair and sync
    notebook.metadata = nbformat.from_dict({**kept, "kernelspec": KERNEL, "language_info": LANGUAGE, "pencil": {**kept.get("pencil", {}), **hashes}})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def _cell_id(cell, seen):  # of what the source says, so that a new cell leaves the ids of the others alone
    digest = sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def _span(match):
    said, reference = (" ".join(match[part].split()) for part in ("said", "reference"))
    return f'<span data-value="{escape(reference)}">{said}</span>'


def run(notebook, folder):  # notebook -> None; fills in the outputs
    """Execute a notebook as its reader would, in its own folder. Raises Failed with the cell and its error."""
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name=KERNEL["name"],
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,  # two prints are one output, however the kernel's clock cuts them
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        client.execute()
    except (CellExecutionError, DeadKernelError) as error:
        raise Failed(TERMINAL_COLOUR.sub("", str(error))) from None
    notebook.metadata.language_info = nbformat.from_dict(LANGUAGE)  # the kernel put its version there
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(WIDGET_VIEW, None)


def difference(notebook, stored):  # -> str, or None where the stored notebook is what its source says
    """What the stored notebook has otherwise than a fresh one; outputs are left to nbval."""
    if dict(notebook.metadata) != dict(stored.metadata):
        return "the source has changed since"
    parts = [[(c.cell_type, c.id, c.source, c.metadata) for c in n.cells] for n in (notebook, stored)]
    return None if parts[0] == parts[1] else "its cells were edited by hand"


def check(source):  # Path -> str, or None
    """Is the notebook beside a source fresh? Nothing is run."""
    target = source.with_suffix(".ipynb")
    if not target.exists():
        return f"{target} is not there; {REMEDY}"
    why = difference(build(source.read_text(encoding="utf-8")), nbformat.read(target, as_version=4))
    return f"{target} is stale: {why}; {REMEDY}" if why else None


def orphans(folder=FOLDER):  # -> list of str
    """Notebooks that no source stands behind: nothing could make them again."""
    lost = [p for p in sorted(folder.glob("*.ipynb")) if not p.with_suffix(".md").exists()]
    return [f"{p} has no source {p.stem}.md; write one or delete the notebook" for p in lost]


def render(source):  # Path -> Path
    """Build, run and write one chapter."""
    notebook = build(source.read_text(encoding="utf-8"))
    run(notebook, source.parent.resolve())
    target = source.with_suffix(".ipynb")
    target.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    return target


def sources(asked, folder=FOLDER):  # ["05"] -> [notebooks/05_soft_lookup.md]
    """The chapters asked for, by number, name or path; all of them without asking."""
    found = sorted(folder.glob("*.md"))
    if not asked:
        return found
    chosen = [p for p in found for a in asked if p.stem == Path(a).stem or p.stem.startswith(f"{a}_")]
    missing = [a for a in asked if not any(p.stem == Path(a).stem or p.stem.startswith(f"{a}_") for p in found)]
    if missing:
        raise Failed(f"there is no chapter {missing[0]!r} in {folder}; there are {', '.join(p.stem for p in found) or 'none'}")
    return chosen


def main(argv=None):
    """Render the chapters asked for, or only say which are stale; 1 where one fails or is stale."""
    parser = argparse.ArgumentParser(prog="pencil notebooks", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="run nothing: compare each notebook with its source")
    parser.add_argument("chapters", nargs="*", metavar="NN", help="chapters by number; by default all")
    asked, wrong = parser.parse_args(argv), 0
    try:
        chapters = sources(asked.chapters)
    except Failed as missing:
        print(missing)
        return 1
    for source in chapters:
        try:
            message = check(source) if asked.check else f"{source} -> {render(source)}"
            wrong += bool(asked.check and message)
        except (Failed, ValueError) as failed:
            message, wrong = f"{source}: not rendered, nothing written\n{failed}", wrong + 1
        if message:
            print(message)
    lost = [] if asked.chapters else orphans()
    for message in lost:
        print(message)
    return 1 if wrong or lost else 0


if __name__ == "__main__":
    sys.exit(main())
