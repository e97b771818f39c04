"""The search of the built pages, without a browser."""

import json
import subprocess
import sys
from pathlib import Path

from pencil.cli import node
from pencil.paths import ROOT
from pencil.web import SEARCH

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.search import PLAIN

SCRIPT = Path(__file__).with_name("search_page.mjs")


def searched(built, queries):  # folder of the pages, list of str -> [{query, hits: [[address, title, sentence]], said}]
    """What the search page's own script finds in the texts of the built pages."""
    script = [node.find(), SCRIPT, SEARCH, built / "_static" / PLAIN, built / "_static/language_data.js"]
    return json.loads(subprocess.run(script, input=json.dumps(queries), capture_output=True, encoding="utf-8", check=True).stdout)
