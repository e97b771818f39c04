"""Write apostrophes as the prose does, ’, in the texts that do not pass through Sphinx: of drawings, labs, questions and sheets."""

import re

STRAIGHT = re.compile(r"(?<=[A-Za-z])'(?=[a-z\s,.:;?!]|\Z)")
WRITTEN = ("code", "pre", "style")  # as they are
CARRIED = ("pencil-questions", "pencil-topics")


def curled(text):  # str -> str
    """The text with typographic apostrophes."""
    return STRAIGHT.sub("’", text)


def curl(page):
    """Change the texts of a page, and those that its scripts will write."""
    for text in page.find_all(string=STRAIGHT):
        if text.parent.name == "script":
            told = text.parent.get("id") in CARRIED or text.find_parent(class_="pencil-lab")
        else:
            told = text.find_parent("article") and not text.find_parent(WRITTEN)
        if told:
            text.replace_with(type(text)(curled(text)))
