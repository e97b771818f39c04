"""Link bold words in chapters to their entries in the glossary."""

import re

from docutils import nodes

PAGE = "book/glossary"
OTHERWISE = {"notebooks/11_order": {"cosine", "slope"}}  # words with another meaning in a chapter
AROUND = re.compile(r"^(?:an?|the) |\W+$")
ENDINGS = (("", ""), ("’s", ""), ("'s", ""), ("s", ""), ("es", ""), ("ies", "y"))  # the unchanged word is tried first: "heads" has its own entry


def lead_to_the_glossary(app, doctree, docname):
    """Link each word once per page, at its first bold occurrence outside titles and links."""
    if docname == PAGE:
        return
    terms, seen = {word: anchor for word, anchor in known(app.env).items() if word not in OTHERWISE.get(docname, ())}, set()
    for strong in list(doctree.findall(nodes.strong)):
        target = find(said_by(strong), terms)
        is_linked = within(strong, (nodes.title, nodes.reference, nodes.entry)) or any(strong.findall(nodes.reference))
        if not target or target in seen or is_linked:
            continue
        seen.add(target)
        link = nodes.reference("", "", internal=True, refuri=app.builder.get_relative_uri(docname, PAGE) + f"#{target}", classes=["pencil-term"])
        strong.replace_self(link)
        link += strong


def said_by(node):  # -> str
    """The text of a node without the tags in it, such as those of a word that {w} marks."""
    return "".join(text for text in node.findall(nodes.Text) if not isinstance(text.parent, nodes.raw))


def find(said, terms):  # str, {word: anchor} -> anchor or None
    """The entry of a word, of its plural or possessive, or with an article. A singular does not match a plural entry."""
    said = AROUND.sub("", said.casefold())
    forms = (said.removesuffix(ending) + instead for ending, instead in ENDINGS if said.endswith(ending))
    return next((terms[form] for form in forms if form in terms), None)


def spellings(word, words):  # str, all words of the glossary -> set of str
    """The spellings that `find` maps to an entry: the word, its plurals and possessives, except for those with their own entry."""
    forms = {word.removesuffix(instead) + ending for ending, instead in ENDINGS if word.endswith(instead)}
    return forms - set(words) | {word}


def known(env):  # -> {word, casefolded: the id of its entry}
    """The words of the glossary; each word of a combined entry has its own id."""
    objects = env.get_domain("std").get_objects()
    return {name.casefold(): anchor for name, _, kind, page, anchor, _ in objects if kind == "term" and page == PAGE}


def within(node, kinds):
    """Whether a node is inside a node of one of these classes."""
    while node := node.parent:
        if isinstance(node, kinds):
            return True
    return False
