"""What a chapter can be taken home as: the notebook, and the text that it is made from. Both lie beside the pages, so no network is asked."""

import shutil
from pathlib import Path


def offer_the_text(app, pagename, templatename, context, doctree):
    """The theme offers the notebook; offer its source as well."""
    if not pagename.startswith("notebooks/"):
        return
    group = next(button for button in context["header_buttons"] if button.get("label") == "download-buttons")
    notebook = group["buttons"][0]
    notebook |= {"text": "Notebook", "tooltip": "For Jupyter, with its outputs"}
    text = {"url": notebook["url"].replace(".ipynb", ".md"), "text": "Text", "tooltip": "MyST Markdown: what the notebook is made from"}
    group["buttons"].insert(1, notebook | text | {"label": "download-text-button"})


def fetch(page):  # BeautifulSoup -> None
    """Let the links to the sources fetch; as the theme has them they open a tab full of JSON."""
    for link in page.select('a[href*="_sources/"][target="_blank"]'):
        del link["target"]
        link["download"] = ""


def lay_the_texts_beside(app, exception):
    """After the build: the sources of the chapters."""
    if exception or app.builder.format != "html":
        return
    for notebook in Path(app.outdir, "_sources/notebooks").glob("*.ipynb"):
        shutil.copy(Path(app.srcdir, "notebooks", notebook.name).with_suffix(".md"), notebook.parent)


def setup(app):
    """After the theme's own buttons."""
    app.connect("html-page-context", offer_the_text, priority=502)
    app.connect("build-finished", lay_the_texts_beside)
