"""Remove unused CSS rules and scripts: the theme includes all of Bootstrap, and the search index on every page.

A rule is removed if each of its selectors contains a class or an id whose name occurs in no page and no script. Comments go,
save those that say whose work it is and under which licence.
"""

import re
from pathlib import Path

import tinycss2

from pencil.drawings.canvas import CLEAR, FIGURES, TIGHT
from pencil_book.live import STYLES

SHEETS = ("styles/*.css", "sphinx-design.min.css", "mystnb*.css", "basic.css", STYLES)
WORD = re.compile(r"-?[A-Za-z_][\w-]*")
NO_CONDITION = ("not", "is", "where", "has")  # pseudo-classes whose arguments are not examined
UNASKED = re.compile(r"(?:fontawesome|design-tabs|searchindex)\.js")
OF_SEARCH = re.compile(r"(?:searchtools|language_data)\.js")
ICON_FONT = "fontawesome"  # text.css draws the few icons that the theme shows
PLAIN = ("n", "nn", "p", "w")  # pygments' classes for names, punctuation and whitespace, which have no style
UNSTYLED = {"docutils", "container", "notranslate", "highlight-ipython3"}  # classes in cells without a style
BACKUP = re.compile(r"var\((--[\w-]+), ?[^()]*\)")  # a variable with a fallback, for notebooks
# inline style of texts in drawings, for notebooks: the equivalent class of text.css
STYLED = {BACKUP.sub(r"var(\1)", style): name for style, name in ((TIGHT, "set-tight"), (CLEAR, "set-clear"), (FIGURES, "set-figures"))}
FIXED = re.compile(r"display:block;width:100%;max-width:\d+px")  # the size of a drawing in a notebook
MADE_UP = ("bs-",)  # prefixes of names that Bootstrap's script composes
OWED = re.compile(r"copyright|licen[cs]e", re.I)
HOLDS_RULES = ("media", "supports", "layer", "container")


def purge(css, known):  # str, set of names -> str
    """Remove rules that cannot match anything; `known` are the names in pages and scripts."""
    rules = list(_purged(tinycss2.parse_stylesheet(css, skip_whitespace=True), known))
    return "\n".join(rule for k, rule in enumerate(rules) if not rule.startswith("/*") or rule not in rules[:k])


def _purged(rules, known):  # nodes of tinycss2 -> the text of each remaining rule
    for rule in rules:
        if rule.type == "comment":
            if OWED.search(rule.value):
                yield rule.serialize()
        elif rule.type == "qualified-rule":
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


def _on_one_line(nodes):  # the declarations of a rule, without comments, and without blanks after `name:` and `;`
    kept = []
    for node in nodes:
        if node.type != "comment" and not (node.type == "whitespace" and kept and kept[-1] in (":", ";")):
            kept.append(node)
    return re.sub(r"\s*\n\s*", " ", tinycss2.serialize(kept)).strip().removesuffix(";")


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
    """Whether a selector could match in some page."""
    return all(name in known or name.startswith(MADE_UP) for name in _asked(nodes))


def _asked(nodes):
    """The classes and ids in a selector."""
    for before, node in zip([None, *nodes], nodes, strict=False):
        if node.type == "hash" or (node.type == "ident" and before == "."):
            yield node.value
        elif node.type == "function" and node.lower_name not in NO_CONDITION:
            yield from _asked(node.arguments)


def lighten(page):  # BeautifulSoup -> None
    """Remove from a page the scripts that it does not need, and redundant styles and markup."""
    for code in page.find_all("div", class_="highlight"):
        for mark in code.find_all("span", class_=PLAIN):
            if len(mark["class"]) == 1 and not mark.find(True):
                mark.unwrap()
        for begin in code.select("pre > span:empty"):  # pygments adds one before the first line
            begin.decompose()
        for sign in code.find_all("span", class_="o", string=[".", "="]):  # punctuation of attributes and keyword arguments, not operators
            sign.unwrap()
    for box in page.select("div.cell_input, div.cell_output, div.highlight-ipython3"):
        box["class"] = [name for name in box["class"] if name not in UNSTYLED]
        if not box["class"]:
            del box["class"]
    for row in page.select("tr.row-odd, tr.row-even"):  # classes that our style sheet does not use
        del row["class"]
    for drawing in page.find_all("svg"):
        _fill(drawing)
        _hoist(drawing)
        for mark in drawing.find_all(True):
            _shorten(mark)
    unused = [UNASKED] if page.find(id="search-results") else [UNASKED, OF_SEARCH]
    for script in page.find_all("script", src=unused):
        if isinstance(script.previous_sibling, str) and not script.previous_sibling.strip():
            script.previous_sibling.extract()
        script.decompose()
    for box in page.select('p[style="margin: 0"], .pencil-worked[style]'):  # inline styles for notebooks
        del box["style"]


def _shorten(mark):
    mark.can_be_empty_element = True  # self-closing
    mark.attrs = {name: BACKUP.sub(r"var(\1)", value) if isinstance(value, str) else value for name, value in mark.attrs.items()}
    if styled := STYLED.get(mark.get("style")):
        del mark["style"]
        mark["class"] = [*mark.get_attribute_list("class", []), styled]


def _fill(drawing):
    """Leave the width of a drawing to drawings.css, which fills the column; in a notebook it has its own."""
    if FIXED.fullmatch(drawing.get("style", "")):
        wide, high = drawing["viewbox"].split()[2:]
        drawing["style"] = f"--wide:{wide};--high:{high}"


def _hoist(drawing):
    """Move attributes that most marks of a drawing share to its root, from which they are inherited."""
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
    """Run after the build, on the final pages."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    known = {word for kind in ("*.html", "*.js") for path in out.rglob(kind) for word in WORD.findall(path.read_text(encoding="utf-8"))}
    own = (name for name, _ in app.config.html_css_files)
    for path in {path for pattern in (*SHEETS, *own) for path in (out / "_static").glob(pattern)}:
        path.write_text(purge(path.read_text(encoding="utf-8"), known), encoding="utf-8")
