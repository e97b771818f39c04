"""All JavaScript of the book. Dependencies between folders: engine ← render ← page ← widgets, and engine ← render ← exercises.

    engine/      replays a recorded program; rounding and formatting; the seeded random generator
    render/      worked lines and pictures of a run, as pencil.worked writes them
    page/        the interactive page: runs, bindings, cards, input, folded code, reading position
    widgets/     the labs
    exercises/   marking of questions, generated worksheets, progress
    styles/      the style sheets of these scripts
    page.js      entry point: the script of a built page
    jupyter.js   entry point: the module of a lab in Jupyter
    search.js    entry point: the search page
    fractions.js entry point: exact arithmetic, loaded on demand
    pieces.js    entry point: the byte pair lab, for its page alone
    trained.js   entry point: the labs with a trained model, for their pages alone
    marker.js    entry point: the marking of answers, for Python
    deck.js      entry point: a deck of slides
    dist/        the eight bundles; run `python -m pencil web` after a change

This module has the paths of the bundles and style sheets.
"""

from pathlib import Path

HERE = Path(__file__).parent
DIST = HERE / "dist"
PAGE = DIST / "page.js"  # a classic script, since file:// pages cannot load modules
JUPYTER = DIST / "jupyter.js"  # a single ES module, for anywidget
SEARCH = DIST / "search.js"
FRACTIONS = DIST / "fractions.js"
PIECES = DIST / "pieces.js"
TRAINED = DIST / "trained.js"
MARKER = DIST / "marker.js"  # for Python, which marks with it
DECK = DIST / "deck.js"  # inside the page of a deck

_SHARED = ("common", "drawings", "tables", "card", "lab", "writer", "pieces", "digits")  # in this order, here as below
LAB_STYLES = [HERE / "styles" / f"{name}.css" for name in _SHARED]  # also for Jupyter
PAPER_STYLE = HERE / "styles/paper.css"  # for printed worksheets
EPUB_STYLE = HERE / "styles/epub.css"  # for an e-book
DECK_STYLES = [HERE / "styles" / f"{name}.css" for name in ("common", "drawings", "deck")]
PAGE_STYLES = [HERE / "styles/live.css", *LAB_STYLES, PAPER_STYLE, HERE / "styles/kata.css"]
