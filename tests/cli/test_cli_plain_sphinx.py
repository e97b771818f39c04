"""Sphinx's settings are those that Jupyter Book derives from _config.yml, and its environment is made from the pins."""

import re
import runpy
import subprocess

import pytest
import yaml
from jupyter_book.config import get_final_config

from pencil.cli import plain_sphinx
from pencil.errors import TaskError
from pencil.paths import ROOT

BOOK = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
JUPYTER_BOOK_ALONE = {
    "latex_engine": "no LaTeX is made",
    "use_jupyterbook_latex": "no LaTeX is made",
    "use_multitoc_numbering": "the chapters are numbered by their files",
    "myst_url_schemes": "MyST's own, without ftp, which no page names",
    "nb_execution_timeout": "no notebook is run",
    "suppress_warnings": "of several domains, of which the book has one",
}


def leaves(settings, before=""):
    for name, value in settings.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, f"{before}{name}.")
        else:
            yield before + name, value


@pytest.fixture(scope="module")
def theirs():
    made, _ = get_final_config(user_yaml=ROOT / "_config.yml", cli_config={"latex_individualpages": False}, sourcedir=ROOT)
    return made


def test_every_setting_is_jupyter_book_s(theirs):
    ours, _ = plain_sphinx.settings(BOOK)
    extra = {"jupyter_book", "sphinx_comments", "sphinx_jupyterbook_latex", "sphinx_multitoc_numbering"}
    assert ours.pop("extensions") == [name for name in theirs["extensions"] if name not in extra]
    ours, theirs = dict(leaves(ours)), dict(leaves(theirs))
    assert ours == {name: theirs[name] for name in ours}
    left = {name for name, value in theirs.items() if name not in ours and value not in ("", False, [], "show") and "analytics" not in name}
    assert {name.split(".")[0] for name in left} == {*JUPYTER_BOOK_ALONE, "extensions"}


@pytest.mark.parametrize("more", [{"logo": "a.png"}, {"html": {"announcement": "New!"}}, {"latex": {"latex_engine": "xelatex"}}])
def test_a_setting_without_a_name_in_sphinx_is_not_lost(more):
    with pytest.raises(KeyError, match=r"_config\.yml has (logo|html\.announcement|latex\.latex_engine): say in"):
        plain_sphinx.settings(BOOK | more)


def test_what_a_reader_of_the_file_changes_arrives_in_conf_py():
    made = runpy.run_path(str(ROOT / "conf.py"))
    assert made["html_title"] == BOOK["title"] and made["html_css_files"] == BOOK["sphinx"]["config"]["html_css_files"]
    assert BOOK["title"] not in (ROOT / "conf.py").read_text(encoding="utf-8")  # it is not typed twice


def test_what_both_environments_need_is_pinned_at_one_version():
    pins = [
        dict(re.findall(r"^([a-z0-9-]+)==([\w.]+)", (ROOT / name).read_text(encoding="utf-8"), re.M))
        for name in ("requirements.txt", "requirements-next.txt")
    ]
    both = set(pins[0]) & set(pins[1])
    assert len(both) >= 4 and {name: pins[0][name] for name in both} == {name: pins[1][name] for name in both}


def test_every_pin_has_its_hash_and_every_need_its_pin():
    locked = (ROOT / plain_sphinx.PINS).read_text(encoding="utf-8")
    pinned = re.findall(r"^([a-z0-9-]+==[\w.]+)(?: ;[^\\\n]+)? \\\n    --hash=sha256:[0-9a-f]{64}", locked, re.M)
    assert len(pinned) == len(re.findall(r"^[a-z0-9-]+==", locked, re.M)) > 50
    needs = re.findall(r"^([a-z][\w.=-]*)", (ROOT / "requirements-next.txt").read_text(encoding="utf-8"), re.M)
    assert [need for need in needs if not any(pin == need or pin.startswith(f"{need}==") for pin in pinned)] == []


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Stand-ins for venv and pip; what was run is kept."""
    run = []

    def make(command, **_):
        run.append(command)
        (tmp_path / "venv").mkdir(exist_ok=True)
        return subprocess.CompletedProcess(command, 0, "")

    monkeypatch.setattr(plain_sphinx, "VENV", tmp_path / "venv")
    monkeypatch.setattr(plain_sphinx.subprocess, "run", make)
    monkeypatch.setattr(plain_sphinx, "runs", lambda folder: folder.exists())
    return run


def test_the_environment_is_made_once_and_again_after_a_change_of_the_pins(installed, monkeypatch, tmp_path):
    assert plain_sphinx.python() == plain_sphinx.python() and len(installed) == 2 and "--require-hashes" in installed[1]
    (tmp_path / "pins.txt").write_text("sphinx==10", encoding="utf-8")
    monkeypatch.setattr(plain_sphinx, "PINS", tmp_path / "pins.txt")
    plain_sphinx.python()
    assert len(installed) == 4
    monkeypatch.setattr(plain_sphinx, "runs", lambda folder: False)  # the Python that it was made from has gone
    plain_sphinx.python()
    assert len(installed) == 6


def test_what_pip_says_is_told_and_nothing_counts_as_installed(installed, monkeypatch, tmp_path):
    make = plain_sphinx.subprocess.run
    monkeypatch.setattr(
        plain_sphinx.subprocess,
        "run",
        lambda command, **k: subprocess.CompletedProcess(command, 1, "no network") if "pip" in command else make(command),
    )
    with pytest.raises(TaskError, match="could not be installed:\nno network"):
        plain_sphinx.python()
    assert not (tmp_path / "venv/stamp").exists()
