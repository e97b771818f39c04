"""A sheet for print, as HTML: what is given, blanks with room to write, and the key on pages of its own."""

from html import escape
from math import ceil

from pencil.exercises.worksheet import givens_html, rules_html
from pencil.web import PAPER_STYLE

SIZES = {"a4": "A4", "letter": "letter"}
WRITTEN = 38  # characters of the worked lines, in digits narrower than a hand's, for a line to write on
MOST = 3  # lines for an answer, and one for each of its numbers


def body(sheet):  # Sheet -> str
    """The sheet and its key. The page's own script writes the same (paper.js)."""
    title, opening = escape(sheet.topic.title), escape(sheet.topic.opening)
    blanks = "".join(_blank(sheet, ask) for ask in sheet.asks)
    keys = "".join(f"<li>{''.join(f'<p>{escape(line)}</p>' for line in sheet.key(ask))}</li>" for ask in sheet.asks)
    return (
        f'<main class="pencil-paper"><section class="task"><h1>{title}</h1>\n'
        f'<p class="who"><span>Seed {sheet.seed}</span><span>Name</span><span>Time</span></p><p>{opening}</p>\n'
        f"{givens_html(sheet)}\n{rules_html(sheet)}<ol>{blanks}</ol></section>\n"
        f'<section class="key"><h1>{title}: the key</h1><p class="who"><span>Seed {sheet.seed}</span></p><ol>{keys}</ol></section></main>'
    )


def _blank(sheet, ask):  # an answer, and what is written down before it, with lines to write on
    room = '<span class="room"></span>' * min(MOST, sheet.count(ask), ceil(len("".join(sheet.key(ask))) / WRITTEN))
    written = (f'<span class="label">{escape(label)} =</span>{room}' for label in sheet.blanks(ask))
    return f"<li>{''.join(written)}</li>"


def document(sheet, paper="a4"):  # Sheet, "a4" or "letter" -> str
    """A page of its own, with all that it needs in it. Raises ValueError for a paper that there is not."""
    return page(f"{sheet.topic.title}, seed {sheet.seed}", body(sheet), paper)


def page(title, content, paper, style=""):  # title, HTML, "a4" or "letter", CSS -> str
    """What is printed, as a whole HTML page. Raises ValueError for a paper that there is not."""
    if paper not in SIZES:
        raise ValueError(f"there is no paper {paper!r}; take one of {', '.join(SIZES)}")
    style = f"@page {{ size: {SIZES[paper]}; margin: 18mm 18mm 16mm }}\n{PAPER_STYLE.read_text(encoding='utf-8')}{style}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>\n{style}</style></head>\n<body>{content}</body></html>\n'
    )
