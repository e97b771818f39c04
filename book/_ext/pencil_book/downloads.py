"""What a chapter can be taken home as: the notebook, and the text that it is made from. Both lie beside the pages, so no network is asked."""

import re
import shutil
from pathlib import Path

OPENED = re.compile(r'(<a href="[^"]*_sources/[^"]+") target="_blank"')  # as the theme has it: a tab full of JSON


def offer_the_text(app, pagename, templatename, context, doctree):
    """The theme offers the notebook; offer its source as well."""
    if not pagename.startswith("notebooks/"):
        return
    group = next(button for button in context["header_buttons"] if button.get("label") == "download-buttons")
    notebook = group["buttons"][0]
    notebook |= {"text": "Notebook", "tooltip": "For Jupyter, with its outputs"}
    text = {"url": notebook["url"].replace(".ipynb", ".md"), "text": "Text", "tooltip": "MyST Markdown: what the notebook is made from"}
    group["buttons"].insert(1, notebook | text | {"label": "download-text-button"})


def lay_the_texts_beside(app, exception):
    """After the build: the sources of the chapters, and links that fetch instead of opening."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for notebook in (out / "_sources/notebooks").glob("*.ipynb"):
        shutil.copy(Path(app.srcdir, "notebooks", notebook.name).with_suffix(".md"), notebook.parent)
    for page in out.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(OPENED.sub(r"\1 download", text), encoding="utf-8")


def setup(app):
    """After the theme's own buttons."""
    app.connect("html-page-context", offer_the_text, priority=502)
    app.connect("build-finished", lay_the_texts_beside)
