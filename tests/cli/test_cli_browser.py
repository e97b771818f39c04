"""The browsers, and what drives them, are found, installed where that is allowed, or asked for in a sentence."""

from types import SimpleNamespace

import pytest

from pencil.cli import browser
from pencil.errors import TaskError


@pytest.fixture
def machine(monkeypatch):
    """A machine with the programs of `there`, on which apt-get brings those of `brings`."""
    made = SimpleNamespace(there={"libatomic1"}, brings=set(), asked=[], says="libatomic.so.1: cannot open shared object file")

    def run(command, **_):
        if "playwright" in command:
            return SimpleNamespace(returncode=0 if "libatomic1" in made.there else 127, stderr=made.says)
        made.asked.append(command)
        if "install" in command:
            made.there |= made.brings
        return SimpleNamespace(returncode=0)

    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/usr/bin/{name}" if name in made.there else None)
    monkeypatch.setattr(browser.subprocess, "run", run)
    monkeypatch.setattr(browser.os, "geteuid", lambda: 0, raising=False)
    return made


def test_what_is_there_is_not_installed(machine):
    machine.there = {"firefox", "WebKitWebDriver", "Xvfb", "apt-get"}
    assert browser.find_other("firefox") == "/usr/bin/firefox" and browser.find_other("webkit") == "/usr/bin/WebKitWebDriver"
    assert machine.asked == []


def test_root_on_debian_installs_what_is_missing(machine, capsys):
    machine.there, machine.brings = {"apt-get", "WebKitWebDriver"}, {"Xvfb"}
    assert browser.find_other("webkit") == "/usr/bin/WebKitWebDriver"
    assert machine.asked[-1][-2:] == ["webkit2gtk-driver", "xvfb"]
    assert "Installing Debian's webkit2gtk-driver and xvfb" in capsys.readouterr().out


@pytest.mark.parametrize("there", [set(), {"apt-get"}])
def test_elsewhere_a_sentence_says_what_is_missing(machine, there, monkeypatch):
    machine.there = there
    monkeypatch.setattr(browser.os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(TaskError, match=r"need WebKitWebDriver and Xvfb.*apt-get install webkit2gtk-driver xvfb"):
        browser.find_other("webkit")
    assert machine.asked == []


def test_what_playwright_needs_to_run_is_installed_or_named(machine):
    machine.there, machine.brings = {"apt-get", "chromium"}, {"libatomic1"}
    assert browser.find() == "/usr/bin/chromium" and machine.asked[-1][-1] == "libatomic1"
    machine.there = {"chromium"}
    with pytest.raises(TaskError, match=r"libatomic\.so\.1: cannot open.*\n.*apt-get install libatomic1"):
        browser.find()
    machine.there, machine.says = {"apt-get", "chromium"}, "No module named playwright"
    with pytest.raises(TaskError, match=r"does not run here: No module named playwright$"):
        browser.find()
