"""A deck: the slides of some chapters as one HTML page that needs nothing else, for a hall or for print."""

from html import escape

from pencil.paths import chapter_number, site
from pencil.publish.slides import as_html, slides, told
from pencil.web import DECK, DECK_STYLES

KEYS = "→ and ← go from step to step and from slide to slide, the space bar to the next slide, and f fills the screen."


def deck(sources, folder):  # [Path of a chapter's source], Path of a clone -> str
    """The page. Raises ValueError where the chapters have no drawing."""
    parts, contents = [], []
    for source in sources:
        called = f"{chapter_number(source).lstrip('0')} · {title(source)}"
        for at, slide in enumerate(slides(source.with_suffix(".ipynb"), told(folder))):
            if at == 0 or len(sources) == 1:  # the contents of one chapter have each of its slides
                listed = slide.drawing.figcaption.get_text() if len(sources) == 1 else called
                contents.append(f'<li><a href="#slide-{len(parts) + 1}">{escape(listed)}</a></li>')
            parts.append(as_html(slide, called, address(source)).replace("<figure ", f'<figure id="slide-{len(parts) + 1}" ', 1))
    if not parts:
        raise ValueError("there is no drawing in what was asked for, so there is no slide")
    name = f"{title(sources[0])}: slides" if len(sources) == 1 else "Transformers by Pencil: slides"
    style = "\n".join(path.read_text(encoding="utf-8") for path in DECK_STYLES)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>\n{style}</style></head>\n<body><main class="pencil-deck">\n'
        f'<section class="contents"><h1>{escape(name)}</h1><ul>{"".join(contents)}</ul>\n'
        f'<p class="keys">{KEYS}</p><p><button type="button" class="pencil-fill">Full screen</button></p></section>\n'
        f"{''.join(parts)}\n</main><script>{DECK.read_text(encoding='utf-8')}</script></body></html>\n"
    )


def title(source):  # Path -> str
    """The heading of a chapter."""
    lines = source.read_text(encoding="utf-8").split("\n")
    return next(line.removeprefix("# ") for line in lines if line.startswith("# "))


def address(source):  # Path -> (heading -> where the book has it)
    """The public addresses of the sections of a chapter."""
    from myst_parser.mdit_to_docutils.base import default_slugify

    host, folder = site()
    return lambda heading: f"https://{host}{folder}notebooks/{source.stem}.html#{default_slugify(heading)}"
