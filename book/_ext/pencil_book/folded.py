"""Keep the theme's script from measuring listings that are folded.

It makes boxes that scroll focusable: when a page is loaded, and after whatever changed on it. For each listing in a closed fold, up to fifty
on a page, the browser would lay out what nobody sees. pencil/web/page/code.js measures them when their fold is opened.
"""

import re
from pathlib import Path

from sphinx.util import logging

logger = logging.getLogger(__name__)

SCRIPT = "_static/scripts/pydata-sphinx-theme.js"
MEASURES = re.compile(r"(\w+)=>\{\1\.tabIndex=(\1\.scrollWidth>\1\.clientWidth\|\|\1\.scrollHeight>\1\.clientHeight\?0:-1)\}")
UNFOLDED = r'\1=>{\1.matches("details:not([open]) pre")||(\1.tabIndex=\2)}'


def leave_folded(app, exception):
    """After the build, change the one function of the theme's script that measures."""
    if exception or app.builder.format != "html":
        return
    script = Path(app.outdir, SCRIPT)
    text, count = MEASURES.subn(UNFOLDED, script.read_text(encoding="utf-8")) if script.is_file() else ("", 0)
    if count != 1:
        logger.warning("%s has no function that measures listings, or several: is the theme another one?", SCRIPT)
        return
    script.write_text(text, encoding="utf-8")
