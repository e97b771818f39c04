"""Mark blocks of prose whose digits cannot follow a change of inputs, so that the page's script can say so.

These are blocks with a sum written out in the text, and blocks that quote a figure after a cell with the tag `still` in their section, whose
output depends on inputs but is not recomputed.
"""

import re

BLOCKS = ("p", "li", "dd", "td", "th", "figcaption", "summary", "h1", "h2", "h3", "h4")
NOT_PROSE = {"pencil-lab", "pencil-worked", "pencil-drawing", "pencil-picture", "highlight", "nav", "aside"}  # classes and elements
STILL = "tag_still"  # MyST-NB's class for the tag
LETTER = "n"  # placeholder for a number that follows
_PART = rf"[\d{LETTER}%½⅓⅔¼¾ \N{{NO-BREAK SPACE}}.,·×/÷+−√()\[\]^e-]*"
SUM = re.compile(rf"{_PART}[\d{LETTER})\]%]\s*[=≈]\s*[√(\[−-]*[\d{LETTER}]{_PART}")


def mark_sums(page):  # BeautifulSoup
    """Mark the blocks of a page, if the page has runs."""
    if page.find(id="pencil-runs"):
        for block in blocks_of_prose(page.article):
            if holds_sum(block) or quotes_still(block):
                block["data-sums"] = ""


def blocks_of_prose(tag):  # Tag -> list of Tag
    """All nested blocks outside of NOT_PROSE. (A single CSS selector for this is much slower.)"""
    for part in tag.find_all(True, recursive=False):
        if part.name in BLOCKS:
            yield part
        if NOT_PROSE.isdisjoint([part.name, *part.get("class", ())]):
            yield from blocks_of_prose(part)


def holds_sum(block):  # BeautifulSoup's tag -> bool
    """Whether the block's own text has a sum with literal digits."""
    return any(any(map(str.isdigit, found)) for found in SUM.findall(own_text(block)))


def quotes_still(block):  # BeautifulSoup's tag -> bool
    """Whether the block has a figure, and a cell with the tag `still` precedes it in its section."""
    of_section = next((part for part in (block, *block.parents) if part.parent and part.parent.name == "section"), None)
    if not of_section or not of_section.find_previous_sibling(class_=STILL):
        return False
    figures = [figure for figure in block.find_all(class_="pencil-number") if not figure.has_attr("data-value")]
    return any(figure.find_parent(BLOCKS) is block for figure in figures)


def own_text(block):
    """The text of a block without nested blocks, and with LETTER for each number that follows."""
    if block.name in ("code", "math", "script"):
        return " ; "
    return "".join(
        str(part) if part.name is None else LETTER if follows(part) else " ; " if part.name in BLOCKS else own_text(part) for part in block.children
    )


def follows(tag):
    """Whether a tag is a number that the script updates."""
    return "pencil-number" in tag.get("class", ()) and tag.has_attr("data-value")
