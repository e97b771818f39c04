"""On Colab a chapter installs the tag of the released version, and the main branch while the next one is in preparation."""

import nbformat
import pytest
from three import SOURCE, write

from pencil.cli.chapter import SKELETON
from pencil.paths import REPOSITORY_URL, ROOT, chapter_sources
from pencil.publish import released
from pencil.publish import render as rendering

COLAB = f'```{{code-cell}}\nimport sys\n\nif "google.colab" in sys.modules:\n    %pip install -q git+{REPOSITORY_URL}\n```\n\nThen?'


@pytest.fixture
def changelog(tmp_path, monkeypatch):
    """Say when the newest version was released."""
    path = tmp_path / "CHANGELOG.md"
    monkeypatch.setattr(released, "CHANGELOG", path)
    return lambda date: path.write_text(f"# Changelog\n\n## 0.2.0, {date}\n\n## 0.1.0, 2026-01-02\n", encoding="utf-8")


def test_a_version_with_a_date_has_a_tag(changelog):
    changelog("2026-12-24")
    assert released.tag() == "@v0.2.0"
    changelog("in preparation")
    assert released.tag() == ""


def test_a_chapter_is_rendered_for_a_release_and_not_run_again(folder, changelog, monkeypatch):
    changelog("in preparation")
    source = write(folder, SOURCE.replace("Then?", COLAB))
    target = rendering.render_notebook(source)
    monkeypatch.setattr(rendering, "run", lambda *_: pytest.fail("it ran"))
    for date, installs in (("2026-12-24", f"git+{REPOSITORY_URL}@v0.2.0"), ("in preparation", f"git+{REPOSITORY_URL}")):
        changelog(date)
        assert "is stale" in rendering.check(source)
        rendering.render_notebook(source)
        (cell,) = [cell for cell in nbformat.read(target, as_version=4).cells if "google.colab" in cell.source]
        assert cell.source.endswith(installs) and cell.execution_count == 2
        assert rendering.check(source) is None


def test_every_chapter_installs_the_package_in_one_place():
    for source in [*chapter_sources(ROOT / "notebooks"), SKELETON]:
        assert len(released.INSTALLED.findall(source.read_text(encoding="utf-8"))) == 1, source
