"""Only what some page can use: the theme brings all of Bootstrap and the search index to each, and a page is to weigh little.

A rule goes when each of its selectors asks for a class or an id whose name stands in no page and in no script.
"""

import re
from pathlib import Path

import tinycss2

from pencil.drawings.canvas import CLEAR, FIGURES, TIGHT
from pencil.web import PAGE_STYLES

SHEETS = ("styles/*.css", "sphinx-design.min.css", "mystnb*.css", "basic.css", "pencil.css")
SHEETS += tuple(style.name for style in PAGE_STYLES)
WORD = re.compile(r"-?[A-Za-z_][\w-]*")
NO_CONDITION = ("not", "is", "where", "has")  # what stands in these is no condition of ours to judge
UNASKED = re.compile(r"(?:fontawesome|design-tabs|searchtools|language_data|searchindex)\.js")
ICON_FONT = "fontawesome"  # pencil.css draws the few icons that the theme shows
PLAIN = ("n", "nn", "p", "w")  # what pygments marks as names, signs and gaps: its style sheet gives them the ink of all code
UNSTYLED = {"docutils", "container", "notranslate", "highlight-ipython3"}  # of what is in a cell
BACKUP = re.compile(r"var\((--[\w-]+), ?[^()]*\)")  # a colour for where there is no style sheet
# inline style of a text in a drawing, which a notebook needs: the class of pencil.css that is the same in a built page
STYLED = {BACKUP.sub(r"var(\1)", style): name for style, name in ((TIGHT, "set-tight"), (CLEAR, "set-clear"), (FIGURES, "set-figures"))}
MADE_UP = ("bs-",)  # names that Bootstrap's script puts together
HOLDS_RULES = ("media", "supports", "layer", "container")


def purge(css, known):  # str, set of names -> str
    """A style sheet without the rules that find nothing."""
    return "\n".join(_purged(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), known))


def _purged(rules, known):  # nodes of tinycss2 -> the text of each rule that stays
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [tinycss2.serialize(one).strip() for one in _selectors(rule.prelude) if _finds(one, known)]
            if selectors:
                yield f"{','.join(selectors)}{{{_on_one_line(rule.content)}}}"
        elif rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword in HOLDS_RULES:
            inside = "\n".join(_purged(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), known))
            if inside:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude).rstrip()}{{{inside}}}"
        elif rule.type == "error":
            raise ValueError(f"line {rule.source_line} of a style sheet cannot be read: {rule.message}")
        elif not (rule.type == "at-rule" and rule.lower_at_keyword == "font-face" and ICON_FONT in tinycss2.serialize(rule.content)):
            yield rule.serialize()


def _on_one_line(nodes):  # the declarations of a rule, without comments
    return re.sub(r"\s*\n\s*", " ", tinycss2.serialize([node for node in nodes if node.type != "comment"])).strip()


def _selectors(prelude):  # a:is(b, c), d -> a:is(b, c) and d
    """The selectors of a rule, as lists of nodes."""
    found = [[]]
    for node in prelude:
        if node == ",":
            found.append([])
        else:
            found[-1].append(node)
    return found


def _finds(nodes, known):
    """Could some page have what a selector asks for?"""
    return all(name in known or name.startswith(MADE_UP) for name in _asked(nodes))


def _asked(nodes):
    """The classes and ids that a selector asks for."""
    for before, node in zip([None, *nodes], nodes, strict=False):
        if node.type == "hash" or (node.type == "ident" and before == "."):
            yield node.value
        elif node.type == "function" and node.lower_name not in NO_CONDITION:
            yield from _asked(node.arguments)


def lighten(page):  # BeautifulSoup -> None
    """Take from a page the scripts that it has no use for (it is search.html that searches), and what its style sheet says anyway."""
    for code in page.find_all("div", class_="highlight"):
        for mark in code.find_all("span", class_=PLAIN):
            if len(mark["class"]) == 1 and not mark.find(True):
                mark.unwrap()
        for begin in code.select("pre > span:empty"):  # which pygments puts before the first line
            begin.decompose()
        for sign in code.find_all("span", class_="o", string=[".", "="]):  # between two names: no operator to a reader
            sign.unwrap()
    for box in page.select("div.cell_input, div.cell_output, div.highlight-ipython3"):
        box["class"] = [name for name in box["class"] if name not in UNSTYLED]
        if not box["class"]:
            del box["class"]
    for row in page.select("tr.row-odd, tr.row-even"):  # counted for style sheets that are not ours
        del row["class"]
    for drawing in page.find_all("svg"):
        _hoist(drawing)
        for mark in drawing.find_all(True):
            _shorten(mark)
    for script in page.find_all("script", src=UNASKED):
        if isinstance(script.previous_sibling, str) and not script.previous_sibling.strip():
            script.previous_sibling.extract()
        script.decompose()
    for box in page.select('p[style="margin: 0"], .pencil-worked[style]'):  # what a notebook shows, where no style sheet is
        del box["style"]


def _shorten(mark):
    mark.can_be_empty_element = True  # <rect />: a page has hundreds
    mark.attrs = {name: BACKUP.sub(r"var(\1)", value) if isinstance(value, str) else value for name, value in mark.attrs.items()}
    if styled := STYLED.get(mark.get("style")):
        del mark["style"]
        mark["class"] = [*mark.get_attribute_list("class", []), styled]


def _hoist(drawing):
    """Say once for a whole drawing what most of its marks say: they inherit it."""
    if width := drawing.get("stroke-width"):
        for mark in drawing.select(f':scope > [stroke-width="{width}"], :scope > g:not([stroke-width]) > [stroke-width="{width}"]'):
            del mark["stroke-width"]
    words = drawing.find_all("text")
    for name in ("font-size", "text-anchor"):
        values = sorted(word.get(name, "") for word in words)
        if values and all(values) and name not in drawing.attrs:
            drawing[name] = max(values, key=values.count)
            for word in words:
                if word[name] == drawing[name]:
                    del word[name]


def purge_all(app, exception):
    """After the build, when all pages are as they will be."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    known = {word for kind in ("*.html", "*.js") for path in out.rglob(kind) for word in WORD.findall(path.read_text(encoding="utf-8"))}
    for path in {path for pattern in SHEETS for path in (out / "_static").glob(pattern)}:
        path.write_text(purge(path.read_text(encoding="utf-8"), known), encoding="utf-8")


def setup(app):
    """Run it behind finish.py."""
    app.connect("build-finished", purge_all, priority=900)
