"""What the tests of the render tool share."""

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder `notebooks`, in the folder that the test works in."""
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "notebooks"
