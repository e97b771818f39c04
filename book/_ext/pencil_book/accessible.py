"""What the theme and the Markdown tables leave for a screen reader to stumble over, mended in the pages that are built."""

import re
from pathlib import Path

EMPTY_HEAD = re.compile(r'<th class="head(?P<more>[^"]*)">(?:<p></p>)?</th>')  # the corner of a table heads nothing
HEAD = re.compile(r'<th class="head')  # Markdown tables have heads of columns alone
PLAIN_BUTTON = re.compile(r"<button(?![^>]*\stype=) ")
NAMELESS = re.compile(r'<button(?![^>]*\saria-label=)(?=[^>]*\stitle="([^"]*)") ')  # an icon alone
NOTES = re.compile(r'<aside class="footnote-list brackets">')  # the notes in it are landmarks by themselves
LOGO = re.compile(r'<div class="sidebar-primary-item">(?=\s*<a class="navbar-brand)')
SEARCH = re.compile(r'(<button class="[^"]*search-button-field[^"]*") title="Search" aria-label="Search"')  # it says more than that: Ctrl+K


def mend(page):  # str -> str
    """The page with landmarks and names that are its own."""
    page = SEARCH.sub(r"\1", page)
    page = HEAD.sub('<th scope="col" class="head', EMPTY_HEAD.sub(r'<td class="head\g<more>"></td>', page))
    page = NAMELESS.sub(r'<button aria-label="\1" ', PLAIN_BUTTON.sub('<button type="button" ', page))
    page = NOTES.sub('<aside class="footnote-list brackets" role="presentation">', page).replace(
        '<main id="main-content" role="main"', '<main id="main-content"'
    )
    return LOGO.sub('<div class="sidebar-primary-item" role="navigation" aria-label="Home">', page)


def mend_all(app, exception):
    """After the build."""
    if exception or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        if (mended := mend(page)) != page:
            path.write_text(mended, encoding="utf-8")


def setup(app):
    """Run it when the build is done."""
    app.connect("build-finished", mend_all)
