"""All JavaScript of the book, in folders that lean one way: engine ← render ← page ← widgets, and engine ← render ← exercises.

    engine/      runs a recorded program again, rounds and writes its numbers, has the seeded generator
    render/      worked lines and pictures of a run, as pencil.worked and pencil.worked.tables write them
    page/        the live page: its runs, what is bound to them, the card of a number, what a reader types, what code is shown,
                 where a reader stopped
    widgets/     the labs
    exercises/   YOUR TURNs marked, sheets dealt anew, what was solved
    styles/      the style sheets that belong to these scripts
    page.js      begins the one script of a built page
    jupyter.js   begins the one module of a lab in Jupyter
    search.js    shows what the search page has found, each page once and with a sentence
    fractions.js brings what works without rounding, once a card asks for it
    dist/        these four as esbuild made them: `python -m pencil web` after a change

Python needs no more of it than where the built files lie.
"""

from pathlib import Path

HERE = Path(__file__).parent
DIST = HERE / "dist"
PAGE = DIST / "page.js"  # a page opened from a file can load no modules, and fetch nothing: so it is one plain script
JUPYTER = DIST / "jupyter.js"  # anywidget takes one ES module
SEARCH = DIST / "search.js"
FRACTIONS = DIST / "fractions.js"

LAB_STYLES = [HERE / "styles" / name for name in ("common.css", "card.css", "lab.css")]  # Jupyter needs these as well
PAPER_STYLE = HERE / "styles/paper.css"  # of a sheet for print
PAGE_STYLES = [HERE / "styles/live.css", *LAB_STYLES, PAPER_STYLE, HERE / "styles/kata.css"]  # in this order
