"""The meta description of each page: its first sentences."""

from html import escape

from docutils import nodes

LONGEST = 160  # characters that search engines show


def describe(app, pagename, templatename, context, doctree):
    """The first sentences of the page that fit."""
    if doctree is None:  # the search page
        return
    says = first_words(" ".join(paragraph.astext().replace("\n", " ") for paragraph in doctree.findall(nodes.paragraph)))
    context["metatags"] = context.get("metatags", "") + f'<meta name="description" content="{escape(says)}">\n'


def first_words(text):  # str -> str
    """As many whole sentences as fit, or else as many words."""
    cut = text[: LONGEST + 1]
    if len(cut) <= LONGEST:
        return cut
    end = max(cut.rfind(f"{sign} ") for sign in ".?!")
    return cut[: end + 1] if end > 0 else cut[: cut.rfind(" ")].rstrip(",;: ") + " …"
