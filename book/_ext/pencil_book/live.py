"""The live page: every chapter carries its runs as data, and one script, joined from the modules in pencil/widgets.

A browser takes no modules and fetches nothing from file://, so the modules become one classic script while the
book is built, and the data stand in the page itself.
"""

import json
import re
from pathlib import Path

import pencil.widgets
from pencil.prose.library import Library, Stale
from pencil.worked import export

MODULES = Path(pencil.widgets.__file__).parent
SCRIPT = "pencil-live.js"
IMPORT = re.compile(r'^import \{(?P<names>[^}]*)\} from "\./(?P<module>\w+)\.js"\n', re.M)
PASS_ON = re.compile(r'^export \* from "\./(?P<module>\w+)\.js"\n', re.M)
EXPORT = re.compile(r"^export (?P<kind>function|class|const) (?P<name>\w+)", re.M)
SPARED = re.compile(r"^(?:\s*//.*\n|\s+)", re.M)  # comment lines and indents; what stands in a line is left alone
ANY_EXPORT = re.compile(r"^export .*", re.M)


def bundle(entry="live", folder=MODULES):  # -> str
    """The modules that an entry needs, each in a function of its own, those first that others stand on."""
    done = {}
    _add(entry, folder, done)
    parts = "".join(f"const {name} = (() => {{\n{code}}})();\n" for name, code in done.items())
    return SPARED.sub("", f'(() => {{\n"use strict";\n{parts}window.pencil = {entry}.start(document);\n}})();\n')


def _add(module, folder, done):
    if module in done:
        return
    source = (folder / f"{module}.js").read_text(encoding="utf-8")
    for needed in [*IMPORT.finditer(source), *PASS_ON.finditer(source)]:
        _add(needed["module"], folder, done)
    names = [f"...{found['module']}" for found in PASS_ON.finditer(source)] + [found["name"] for found in EXPORT.finditer(source)]
    code = PASS_ON.sub("", IMPORT.sub(_taken, source))
    code = EXPORT.sub(r"\g<kind> \g<name>", code)
    if other := ANY_EXPORT.search(code):
        raise ValueError(f"{module}.js: {other[0]!r} cannot be joined; write export function, export class or export const, one name a line")
    done[module] = f"{code}\nreturn {{ {', '.join(names)} }};\n"


def _taken(found):
    return f"const {{{found['names'].replace(' as ', ': ')}}} = {found['module']};\n"


def write_script(app):
    """Put the joined script where the pages look for it."""
    if app.builder.format == "html":
        static = Path(app.outdir, "_static")
        static.mkdir(parents=True, exist_ok=True)
        (static / SCRIPT).write_text(bundle(), encoding="utf-8")
        app.add_css_file("live.css")


def carry(app, pagename, templatename, context, doctree):
    """Give a chapter its runs and the script; other pages have nothing to change."""
    page = Path(app.srcdir, f"{pagename}.ipynb")
    if doctree is None or not page.exists():
        return
    try:
        published = Library(page.parent).beside(page).chapter(page.name[:2])
    except (KeyError, Stale):
        return  # numbers.py has said so already
    runs = [export(tracks["paper"]) for tracks in published.replay().values()]
    data = json.dumps(runs, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    context["body"] += f'\n<script type="application/json" id="pencil-runs">{data}</script>\n'
    app.add_js_file(SCRIPT, loading_method="defer")


def setup(app):
    """Join the modules once, then serve page after page."""
    app.connect("builder-inited", write_script)
    app.connect("html-page-context", carry)
