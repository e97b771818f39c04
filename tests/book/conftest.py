"""The pages without code, as their tests read them."""

from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def declared():
    """What book/errata.md declares: name -> digits. The tests hold the right ones against what they compute."""
    front = (ROOT / "book/errata.md").read_text(encoding="utf-8").split("---\n")[1]
    return {name: entry["text"] for name, entry in yaml.safe_load(front)["pencil"]["declared"].items()}
