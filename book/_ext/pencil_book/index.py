"""The index: for each word of the glossary, the section of each chapter that uses it most often."""

import re

from docutils import nodes

from pencil_book.glossary import OTHERWISE, PAGE, spellings
from pencil_book.path import BETWEEN

OFTEN = 3  # minimum number of occurrences in a chapter


def add_entries(app, env):
    """After all pages have been read, add the entries `word; title of the chapter`, replacing those of an earlier build.

    Returns all pages, so that Sphinx rewrites them: they contain words, titles and times of other pages.
    """
    words = [name for name, _, kind, page, _, _ in env.get_domain("std").get_objects() if kind == "term" and page == PAGE]
    entries = env.get_domain("index").entries
    for page in sorted(name for name in env.found_docs if name.startswith("notebooks/")):
        title, sections = env.titles[page].astext().rpartition(BETWEEN)[2], said_in(env.get_doctree(page))
        said = " ".join(text for _, text in sections).casefold()
        spelled = {word: spellings(word, words) for word in words if word not in OTHERWISE.get(page, ())}
        asked = [word for word, forms in spelled.items() if sum(said.count(form.casefold()) for form in forms) >= OFTEN]  # few, for `most` is slow
        places = {word: most(word, spelled[word], sections) for word in asked}
        kept = [entry for entry in entries.get(page, ()) if not entry[1].endswith(f"; {title}")]
        entries[page] = kept + [("single", f"{word}; {title}", place, "", None) for word, place in places.items() if place]
    return env.found_docs


def said_in(doctree):  # -> [(id of a section, its own words without code)]
    """The prose of each section, without its subsections."""
    return [(section["ids"][0], " ".join(part.astext() for part in own_parts(section))) for section in doctree.findall(nodes.section)]


def own_parts(section):
    """The title and paragraphs of a section, without its subsections."""
    for part in section.findall(lambda node: isinstance(node, nodes.title | nodes.paragraph)):
        above = part.parent
        while not isinstance(above, nodes.section):
            above = above.parent
        if above is section:
            yield part


def most(word, spelled, sections):  # str, its spellings, [(id, text)] -> id of a section, or None
    """The section in which a word occurs most often; a word in capitals, such as HAVE, is matched in capitals only."""
    asked = re.compile(rf"\b(?:{'|'.join(map(re.escape, spelled))})\b", 0 if word.isupper() else re.I)
    counts = {place: len(asked.findall(text)) for place, text in sections}
    return max(counts, key=counts.get) if sum(counts.values()) >= OFTEN else None
