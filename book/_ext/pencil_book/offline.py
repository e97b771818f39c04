"""Keep the built pages light and at home: the theme's icon script, icon fonts and source maps are left out.

pencil.css draws the few icons that the theme shows; purge.py takes the icon fonts out of the style sheet.
"""

from pathlib import Path

UNUSED = ("scripts/*.map", "scripts/fontawesome.js.*", "styles/*.map", "vendor/fontawesome/webfonts/*")


def leave_out(app, exception):
    """After the build: empty the script that every page names (1.5 MB), remove what none asks for."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    (static / "scripts/fontawesome.js").write_text("// The icons are drawn by pencil.css.\n", encoding="utf-8")
    for pattern in UNUSED:
        for path in static.glob(pattern):
            path.unlink()


def setup(app):
    """Run it when the build is done."""
    app.connect("build-finished", leave_out)
