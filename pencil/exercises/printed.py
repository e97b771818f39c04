"""A sheet for print, as HTML: what is given, blanks with room to write, and the key on pages of its own."""

from html import escape

from pencil.exercises.worksheet import givens_html, rules_html
from pencil.web import PAPER_STYLE

SIZES = {"a4": "A4", "letter": "letter"}
ENTRY_WIDTH = 8  # a blank for more numbers than these is wide


def body(sheet):  # Sheet -> str
    """The sheet and its key. The page's own script writes the same (paper.js)."""
    title, opening = escape(sheet.topic.title), escape(sheet.topic.opening)
    blanks = "".join(f'<li><span class="label">{escape(sheet.label(ask))} =</span>{_room(sheet.count(ask))}</li>' for ask in sheet.asks)
    keys = "".join(f"<li>{''.join(f'<p>{escape(line)}</p>' for line in sheet.key(ask))}</li>" for ask in sheet.asks)
    return (
        f'<main class="pencil-paper"><section class="task"><h1>{title}</h1>\n'
        f'<p class="who"><span>Seed {sheet.seed}</span><span>Name</span><span>Time</span></p><p>{opening}</p>\n'
        f"{givens_html(sheet)}\n{rules_html(sheet)}<ol>{blanks}</ol></section>\n"
        f'<section class="key"><h1>{title}: the key</h1><p class="who"><span>Seed {sheet.seed}</span></p><ol>{keys}</ol></section></main>'
    )


def _room(count):
    return f'<span class="room{" wide" if count > ENTRY_WIDTH else ""}"></span>'


def document(sheet, paper="a4"):  # Sheet, "a4" or "letter" -> str
    """A page of its own, with all that it needs in it. Raises ValueError for a paper that there is not."""
    if paper not in SIZES:
        raise ValueError(f"there is no paper {paper!r}; take one of {', '.join(SIZES)}")
    title = f"{sheet.topic.title}, seed {sheet.seed}"
    style = f"@page {{ size: {SIZES[paper]}; margin: 18mm 18mm 16mm }}\n{PAPER_STYLE.read_text(encoding='utf-8')}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>\n{style}</style></head>\n<body>{body(sheet)}</body></html>\n'
    )
