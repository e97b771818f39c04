"""A word that a chapter defines in bold, and that the glossary has, leads to the glossary."""

import re

from docutils import nodes

PAGE = "book/glossary"
OTHERWISE = {"notebooks/11_order": {"cosine", "slope"}}  # the hand of a clock, and how fast ALiBi leans
AROUND = re.compile(r"^(?:an?|the) |\W+$")
ENDINGS = (("", ""), ("’s", ""), ("'s", ""), ("s", ""), ("es", ""), ("ies", "y"))  # the word as it is comes first: "heads" is a word of its own


def lead_to_the_glossary(app, doctree, docname):
    """Each word once a page, at its first bold place outside titles and links."""
    if docname == PAGE:
        return
    terms, seen = {word: anchor for word, anchor in known(app.env).items() if word not in OTHERWISE.get(docname, ())}, set()
    for strong in list(doctree.findall(nodes.strong)):
        target = find(strong.astext(), terms)
        is_linked = within(strong, (nodes.title, nodes.reference, nodes.entry)) or any(strong.findall(nodes.reference))
        if not target or target in seen or is_linked:
            continue
        seen.add(target)
        link = nodes.reference("", "", internal=True, refuri=app.builder.get_relative_uri(docname, PAGE) + f"#{target}", classes=["pencil-term"])
        strong.replace_self(link)
        link += strong


def find(said, terms):  # str, {word: anchor} -> anchor or None
    """The entry of a word, also of its plural, of its possessive, and behind an article. Never of a singular: a head need not be one of the heads."""
    said = AROUND.sub("", said.casefold())
    forms = (said.removesuffix(ending) + instead for ending, instead in ENDINGS if said.endswith(ending))
    return next((terms[form] for form in forms if form in terms), None)


def spellings(word, words):  # str, all words of the glossary -> set of str
    """What `find` leads to an entry: the word, its plurals and possessives, save those that are entries of their own."""
    forms = {word.removesuffix(instead) + ending for ending, instead in ENDINGS if word.endswith(instead)}
    return forms - set(words) | {word}


def known(env):  # -> {word, casefolded: the id of its entry}
    """The words of the glossary; words of one entry share its meaning, not its id."""
    objects = env.get_domain("std").get_objects()
    return {name.casefold(): anchor for name, _, kind, page, anchor, _ in objects if kind == "term" and page == PAGE}


def within(node, kinds):
    """Does a node stand inside one of these?"""
    while node := node.parent:
        if isinstance(node, kinds):
            return True
    return False


def setup(app):
    """Run it when references are known."""
    app.connect("doctree-resolved", lead_to_the_glossary)
