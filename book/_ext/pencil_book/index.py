"""The index: each word of the glossary, and of each chapter that speaks of it the section that says it most often."""

import re

from docutils import nodes

from pencil_book.glossary import OTHERWISE, PAGE, spellings
from pencil_book.path import BETWEEN

OFTEN = 3  # a chapter that says a word less often has nothing to look up


def add_entries(app, env):
    """Once all pages are read: an entry `word; title of the chapter` for each, in place of those of an earlier build.

    Every page is then written anew, for the words, titles and times on it may be another page's.
    """
    words = [name for name, _, kind, page, _, _ in env.get_domain("std").get_objects() if kind == "term" and page == PAGE]
    entries = env.get_domain("index").entries
    for page in sorted(name for name in env.found_docs if name.startswith("notebooks/")):
        title, sections = env.titles[page].astext().rpartition(BETWEEN)[2], said_in(env.get_doctree(page))
        places = {word: most(word, spellings(word, words), sections) for word in words if word not in OTHERWISE.get(page, ())}
        kept = [entry for entry in entries.get(page, ()) if not entry[1].endswith(f"; {title}")]
        entries[page] = kept + [("single", f"{word}; {title}", place, "", None) for word, place in places.items() if place]
    return env.found_docs


def said_in(doctree):  # -> [(id of a section, its own words without code)]
    """What each section says in sentences, those inside it left out."""
    return [(section["ids"][0], " ".join(part.astext() for part in own_parts(section))) for section in doctree.findall(nodes.section)]


def own_parts(section):
    """Its title and its paragraphs."""
    for part in section.findall(lambda node: isinstance(node, nodes.title | nodes.paragraph)):
        above = part.parent
        while not isinstance(above, nodes.section):
            above = above.parent
        if above is section:
            yield part


def most(word, spelled, sections):  # str, its spellings, [(id, text)] -> id of a section, or None
    """Where a word is said most often; one in capitals, such as HAVE, only where it stands in capitals."""
    asked = re.compile(rf"\b(?:{'|'.join(map(re.escape, spelled))})\b", 0 if word.isupper() else re.I)
    counts = {place: len(asked.findall(text)) for place, text in sections}
    return max(counts, key=counts.get) if sum(counts.values()) >= OFTEN else None


def setup(app):
    """Run it between reading and writing."""
    app.connect("env-updated", add_entries)
