"""404.html, which has the search and the list of chapters."""

from html import escape
from pathlib import Path

from pencil.paths import site
from pencil_book.path import path

# The host shows the page under the requested URL, at any depth, so a script sets the base URL to the root of the book. On GitHub Pages the
# book (or a fork) is in a folder; on any other host in a folder with the repository's name, or at the top; opened from a file it needs no base.
# Links to anchors of the page itself must not use the base.
# The script is the same in every book, since a policy may allow it by its hash.
BASE = """
<script data-folder="{folder}">
(() => {{
  const {{ folder }} = document.currentScript.dataset
  const {{ hostname, pathname, protocol }} = location
  if (protocol === "file:") return
  const before = pathname.split(folder)
  const root = hostname.endsWith(".github.io") ? `/${{pathname.split("/")[1]}}/` : before.length > 1 ? before[0] + folder : "/"
  document.head.append(Object.assign(document.createElement("base"), {{ href: root }}))
  addEventListener("DOMContentLoaded", () => document.querySelectorAll('a[href^="#"]').forEach((a) => (a.href = pathname + a.getAttribute("href"))))
}})()
</script>
<meta name="robots" content="noindex">
"""
TITLE = "There is no such page"
BODY = (
    f"<section>\n<h1>{TITLE}</h1>"
    + """
<p>Nothing lies at this address. A page may have moved, or a letter may be wrong.</p>
<form class="pencil-lost" action="{search}" method="get" role="search">
<label for="pencil-lost">Search the book</label>
<input id="pencil-lost" type="search" name="q"> <button type="submit">Search</button>
</form>
<h2>The path</h2>
<p>Begin at the <a href="{home}">first page</a>, or in a chapter:</p>
<noscript><p>Without scripts these links may miss the book. It begins <a href="https://{host}{folder}">here</a>.</p></noscript>
<ul>
{chapters}
</ul>
</section>
"""
)


def page(app):
    """Yield the page for Sphinx to render."""
    host, folder = site(app.config.html_theme_options["repository_url"])
    to = app.builder.get_target_uri
    stops = path(Path(app.srcdir)).items()
    chapters = "\n".join(f'<li><a href="{to(f"notebooks/{name}")}">{escape(str(stop))}</a></li>' for name, stop in stops)
    body = BODY.format(search=to("search"), home=to(app.config.root_doc), chapters=chapters, host=host, folder=folder)
    context = {"title": TITLE, "pagetitle": TITLE, "body": body, "metatags": BASE.format(folder=folder)}
    yield "404", context, "page.html"
