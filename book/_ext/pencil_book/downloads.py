"""Downloads of a chapter: the notebook and its Markdown source, which are copied beside the pages."""

import shutil
from pathlib import Path


def offer_the_text(app, pagename, templatename, context, doctree):
    """Add the source to the theme's download menu, which has the notebook only."""
    if not pagename.startswith("notebooks/"):
        return
    group = next(button for button in context["header_buttons"] if button.get("label") == "download-buttons")
    notebook = group["buttons"][0]
    notebook |= {"text": "Notebook", "tooltip": "For Jupyter, with its outputs"}
    text = {"url": notebook["url"].replace(".ipynb", ".md"), "text": "Text", "tooltip": "MyST Markdown: what the notebook is made from"}
    group["buttons"].insert(1, notebook | text | {"label": "download-text-button"})


def fetch(page):  # BeautifulSoup -> None
    """Make the links download their files; the theme's links would open the JSON in a tab."""
    for link in page.select('a[href*="_sources/"][target="_blank"]'):
        del link["target"]
        link["download"] = ""


def lay_the_texts_beside(app, exception):
    """Copy the sources of the chapters after the build."""
    if exception or app.builder.format != "html":
        return
    for notebook in Path(app.outdir, "_sources/notebooks").glob("*.ipynb"):
        shutil.copy(Path(app.srcdir, "notebooks", notebook.name).with_suffix(".md"), notebook.parent)
