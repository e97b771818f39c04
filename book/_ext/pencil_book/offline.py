"""Keep the built pages light and at home: the theme's icon script, icon fonts and source maps are left out.

pencil.css draws the few icons that the theme shows.
"""

import re
from pathlib import Path

UNUSED = ("scripts/*.map", "scripts/fontawesome.js.*", "styles/*.map", "vendor/fontawesome/webfonts/*")
ICON_FONT = re.compile(r"@font-face\{[^}]*fontawesome[^}]*\}")


def leave_out(app, exception):
    """After the build: empty the script that every page names (1.5 MB), remove what none asks for."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    (static / "scripts/fontawesome.js").write_text("// The icons are drawn by pencil.css.\n", encoding="utf-8")
    theme = static / "styles/pydata-sphinx-theme.css"
    theme.write_text(ICON_FONT.sub("", theme.read_text(encoding="utf-8")), encoding="utf-8")
    for pattern in UNUSED:
        for path in static.glob(pattern):
            path.unlink()


def setup(app):
    """Run it when the build is done."""
    app.connect("build-finished", leave_out)
