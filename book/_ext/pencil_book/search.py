"""The texts of all pages in a script for the search page, which shows the sentences that match (pencil/web/search.js).

Sphinx's own search fetches the pages that it finds, which does not work from file://.
"""

import gzip
import json
import re
import shutil
from base64 import b64encode
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

from pencil.web import SEARCH
from pencil_book.glossary import within
from pencil_book.index import own_parts
from pencil_book.path import path

SCRIPT, TEXTS = "pencil-search.js", "pencil-texts.js"
PLAIN = "pencil-plain-texts.js"  # asked for by browsers that cannot unpack the other one
UNSAID = (nodes.raw, nodes.math_block, nodes.image, nodes.footnote_reference)


def texts(doctree):  # -> [(id, title, what is said, names)]
    """The texts of the page, of its sections that have one, with a line for each paragraph, and of glossary entries.

    Sections inside a page have no names of their own: what they are called is a title, often a question.
    """
    found = []
    for section in doctree.findall(nodes.section):
        title, *said = [plain(part) for part in own_parts(section) if not within(part, addnodes.glossary)]
        if any(said) or not found:
            found.append((section["ids"][0], title, "\n".join(said), None if found else [title.split(" · ")[-1]]))
    for entry in doctree.findall(nodes.definition_list_item):
        named = [term for term in entry.findall(nodes.term) if term["ids"]]
        if named:
            words = [plain(term) for term in named]
            found.append((named[0]["ids"][0], ", ".join(words), " ".join(map(plain, entry.findall(nodes.paragraph))), words))
    return found


SEE = re.compile(r" See ([^.]+)\.$")  # the end of an entry of the glossary: the chapter that works it
JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])")  # FlashAttention


def taught(said, stops):  # {page: what `texts` gives}, the path -> {page: [what it is asked by]}
    """The words that lead to a chapter: those whose entry in the glossary names it, apart and joined, and those in the path (`asked:`)."""
    by_title = {stop.title: f"notebooks/{name}" for name, stop in stops.items()}
    found = {f"notebooks/{name}": list(stop.asked) for name, stop in stops.items()}
    for _, _, text, words in said.get("book/glossary", ()):
        see = SEE.search(text)
        if words and see and see[1] in by_title:
            found[by_title[see[1]]] += words
    return {page: [*words, *(JOINED.sub(" ", word) for word in words if JOINED.search(word))] for page, words in found.items()}


def plain(node):
    """The text of a node in one line, without footnote marks, tags and formulas other than e^x or √d_k."""
    texts = [text for text in node.findall(nodes.Text) if not isinstance(text.parent, UNSAID)]
    said = "".join(signs(text) if isinstance(text.parent, nodes.math) else text for text in texts)
    return re.sub(r"\s+", " ", said).strip()


def signs(latex):  # -> str, "" for what cannot be written in a line
    """LaTeX that consists of letters, digits, powers, indices and roots as plain text."""
    said = re.sub(r"[{}]", "", latex.replace(r"\sqrt", "√").replace(r"\cdot", "·"))
    return "" if "\\" in said else said


def rank(page):
    """Where a page stands among equally good ones: the glossary, the chapters, the other pages, the code."""
    return page != "book/glossary", not page.startswith("notebooks/"), page in ("book/api", "book/gallery"), page


def write_texts(app, exception):
    """Write the scripts of the search page after the build."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    said = {page: texts(app.env.get_doctree(page)) for page in sorted(app.env.found_docs, key=rank)}
    for page, words in taught(said, path(Path(app.srcdir))).items():
        if page in said:  # one page may be built alone
            said[page][0] += (words,)
    written = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    packed = b64encode(gzip.compress(written.encode(), mtime=0)).decode()
    (static / TEXTS).write_text(f'var pencilTexts = "{packed}"\n', encoding="utf-8")
    (static / PLAIN).write_text(f"var pencilPlainTexts = {written}\n", encoding="utf-8")
    shutil.copy(SEARCH, static / SCRIPT)


def load(app, pagename, templatename, context, doctree):
    """Add the scripts to the search page, after Sphinx's own scripts and before the search starts.

    The other pages do without the script that marks the words of the last search, on whichever page is opened next.
    """
    if pagename == "search":
        app.add_js_file(TEXTS, loading_method="defer")
        app.add_js_file(SCRIPT, loading_method="defer")
    else:
        context["script_files"][:] = [script for script in context["script_files"] if "sphinx_highlight" not in str(script)]
