"""Sums written out in a sentence keep the pencil numbers when a reader changes one, so the paragraph that holds one says so in its HTML.

So does one that quotes a figure behind a cell with the tag `still`, whose print stands on given numbers and cannot follow them.
"""

import re

BLOCKS = ("p", "li", "dd", "td", "th", "figcaption", "summary", "h1", "h2", "h3", "h4")
NOT_PROSE = {"pencil-lab", "pencil-worked", "pencil-drawing", "pencil-picture", "highlight", "nav", "aside"}  # classes and elements
STILL = "tag_still"  # the class that MyST-NB makes of the tag
LETTER = "n"  # stands for a number that follows
_PART = rf"[\d{LETTER}%½⅓⅔¼¾ \N{{NO-BREAK SPACE}}.,·×/÷+−√()\[\]^e-]*"
SUM = re.compile(rf"{_PART}[\d{LETTER})\]%]\s*[=≈]\s*[√(\[−-]*[\d{LETTER}]{_PART}")


def mark_sums(page):  # BeautifulSoup
    """Mark every block of a page with runs that has digits which cannot follow."""
    if page.find(id="pencil-runs"):
        for block in blocks_of_prose(page.article):
            if holds_sum(block) or quotes_still(block):
                block["data-sums"] = ""


def blocks_of_prose(tag):  # BeautifulSoup's tag -> its blocks, those in blocks too
    """All of them but those inside what is no prose. (One selector for it takes a fifth of the whole build.)"""
    for part in tag.find_all(True, recursive=False):
        if part.name in BLOCKS:
            yield part
        if NOT_PROSE.isdisjoint([part.name, *part.get("class", ())]):
            yield from blocks_of_prose(part)


def holds_sum(block):  # BeautifulSoup's tag -> bool
    """Has its own text a sum with digits that stand for themselves?"""
    return any(any(map(str.isdigit, found)) for found in SUM.findall(own_text(block)))


def quotes_still(block):  # BeautifulSoup's tag -> bool
    """Has it a figure of its own, and does a cell that stands still come before it in its section?"""
    of_section = next((part for part in (block, *block.parents) if part.parent and part.parent.name == "section"), None)
    if not of_section or not of_section.find_previous_sibling(class_=STILL):
        return False
    figures = [figure for figure in block.find_all(class_="pencil-number") if not figure.has_attr("data-value")]
    return any(figure.find_parent(BLOCKS) is block for figure in figures)


def own_text(block):
    """The text of a block without that of the blocks in it, and a letter for each number that follows."""
    if block.name in ("code", "math", "script"):
        return " ; "
    return "".join(
        str(part) if part.name is None else LETTER if follows(part) else " ; " if part.name in BLOCKS else own_text(part) for part in block.children
    )


def follows(tag):
    """Is it a number that the script writes anew?"""
    return "pencil-number" in tag.get("class", ()) and tag.has_attr("data-value")
