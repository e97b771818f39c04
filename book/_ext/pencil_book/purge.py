"""Only what some page can use: the theme brings all of Bootstrap and the search index to each, and a page is to weigh little.

A rule goes when each of its selectors asks for a class or an id whose name stands in no page and in no script.
"""

import re
from pathlib import Path

SHEETS = ("styles/*.css", "sphinx-design.min.css", "mystnb*.css", "basic.css")
ASKED = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
WORD = re.compile(r"-?[A-Za-z_][\w-]*")
REMARK = re.compile(r"/\*.*?\*/", re.S)
IN_BRACKETS = re.compile(r"\[[^\]]*\]|:(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)")  # what stands in these is no condition of ours to judge
UNASKED = re.compile(r'\s*<script[^>]* src="[^"]*(?:fontawesome|design-tabs|searchtools|language_data|searchindex)\.js[^"]*"></script>')
CODE = re.compile(r'<div class="highlight">.*?</div>', re.S)
PLAIN = ("n", "nn", "p", "w")  # what pygments marks as names, signs and gaps: its style sheet gives them the ink of all code
UNINKED = re.compile(rf'<span class="(?:{"|".join(PLAIN)})">([^<]*)</span>')
MADE_UP = ("bs-",)  # names that Bootstrap's script puts together
HOLDS_RULES = ("@media", "@supports", "@layer", "@container")


def purge(css, known):  # str, set of names -> str
    """A style sheet without the rules that find nothing."""
    kept = []
    for head, body in rules(REMARK.sub("", css)):
        if body is None or (head.startswith("@") and not head.startswith(HOLDS_RULES)):
            kept.append(head if body is None else f"{head}{{{body}}}")
        elif head.startswith("@"):
            inside = purge(body, known)
            kept += [f"{head}{{{inside}}}"] if inside else []
        else:
            selectors = [
                s.strip() for s in split(head) if all(name in known or name.startswith(MADE_UP) for name in ASKED.findall(IN_BRACKETS.sub("", s)))
            ]
            kept += [f"{','.join(selectors)}{{{body}}}"] if selectors else []
    return "\n".join(kept)


def rules(css):  # -> pairs of head and body; the body is None for a statement such as @import
    """The rules of a style sheet, one level deep; braces in a text are its own."""
    head, depth, start, quote = "", 0, 0, ""
    for at, sign in enumerate(css):
        if quote:
            quote = "" if sign == quote and css[at - 1] != "\\" else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "{":
            depth += 1
            if depth == 1:
                head, start = css[start:at].strip(), at + 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                yield head, css[start:at]
                start = at + 1
        elif sign == ";" and depth == 0:
            yield css[start : at + 1].strip(), None
            start = at + 1


def split(head):  # a:is(b, c), d -> a:is(b, c) and d
    """The selectors of a rule."""
    depth, start = 0, 0
    for at, sign in enumerate(head):
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            yield head[start:at]
            start = at + 1
    yield head[start:]


def lighten(page):  # str -> str
    """A page without the scripts that it has no use for (it is search.html that searches), and without what its style sheet says anyway."""
    page = CODE.sub(lambda code: UNINKED.sub(r"\1", code[0]), page)
    return UNASKED.sub("", page).replace("&nbsp;", "\N{NO-BREAK SPACE}").replace('<p style="margin: 0">', "<p>")


def purge_all(app, exception):
    """After the build, when all pages stand."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for path in set(out.rglob("*.html")) - {out / "search.html"}:
        path.write_text(lighten(path.read_text(encoding="utf-8")), encoding="utf-8")
    known = {word for kind in ("*.html", "*.js") for path in out.rglob(kind) for word in WORD.findall(path.read_text(encoding="utf-8"))}
    for path in {path for pattern in SHEETS for path in (out / "_static").glob(pattern)}:
        path.write_text(purge(path.read_text(encoding="utf-8"), known), encoding="utf-8")


def setup(app):
    """Run it when the build is done."""
    app.connect("build-finished", purge_all, priority=900)
