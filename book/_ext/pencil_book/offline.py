"""Remove the theme's icon script, icon fonts and source maps from the built book.

text.css draws the few icons that are used; purge.py removes the icon fonts from the style sheet.
"""

from pathlib import Path

UNUSED = ("scripts/*.map", "scripts/fontawesome.js.*", "styles/*.map", "vendor/fontawesome/webfonts/*")


def leave_out(app, exception):
    """After the build, empty the icon script (1.5 MB), which every page loads, and remove unused files."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    (static / "scripts/fontawesome.js").write_text("// The icons are drawn by text.css.\n", encoding="utf-8")
    for pattern in UNUSED:
        for path in static.glob(pattern):
            path.unlink()
