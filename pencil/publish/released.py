"""What a chapter on Colab installs: the tag of the version that is released, and the main branch while one is in preparation."""

import re

from pencil.errors import TaskError
from pencil.paths import REPOSITORY_URL, ROOT

CHANGELOG = ROOT / "CHANGELOG.md"
NEWEST = re.compile(r"^## (?P<version>\S+), (?P<date>\d{4}-\d\d-\d\d|in preparation)$", re.M)
INSTALLED = re.compile(rf"(git\+{re.escape(REPOSITORY_URL)})(@v\S+)?$", re.M)


def tag():  # -> "@v0.1.0", or "" while the newest version of the changelog is in preparation
    """What stands behind the address of the repository."""
    newest = NEWEST.search(CHANGELOG.read_text(encoding="utf-8"))
    if not newest:
        raise TaskError(f"{CHANGELOG} has no heading of a version; write one such as: ## 0.2.0, in preparation")
    return "" if newest["date"] == "in preparation" else f"@v{newest['version']}"


def pinned(code, tag):  # source of a cell, "@v0.1.0" -> source
    """The code with this tag behind the address of the repository, where the code installs the package."""
    return INSTALLED.sub(rf"\g<1>{tag}", code)
