"""Find what the tests drive: a Chromium ($CHROMIUM, one on the PATH, Debian's package, or Playwright's), Firefox, WebKit, and a Java.

Where they can be had, a missing one fails the tests; they are not skipped.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from pencil.errors import TaskError

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OTHERS = {  # name: its programs, of which one is enough, what it needs besides, and Debian's packages of them
    "firefox": (("firefox-esr", "firefox"), (), ("firefox-esr",)),
    "webkit": (("WebKitWebDriver",), ("Xvfb",), ("webkit2gtk-driver", "xvfb")),
    "java": (("java",), (), ("default-jre-headless",)),  # for EPUBCheck
}
QUIET = (  # disable the browser's own network requests, so that tests see only those of the page
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


def find():  # -> str, the path of a Chromium
    """The path of the first browser that is found; Debian's and Playwright's are downloaded if necessary.

    Raises TaskError if there is none, or if what drives it does not run.
    """
    _driven()
    for look in (_named, _on_path, _from_debian, _from_playwright):
        found = look()
        if found:
            return found
    raise TaskError(
        "No browser was found, and the browser tests need one. Install Chromium or Chrome, or name one: CHROMIUM=/path/to/chromium make test"
    )


def flags():  # -> list of str
    """The command-line flags for the browser; Chromium cannot use its sandbox as root."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*QUIET, *(["--no-sandbox"] if root else [])]


def _driven():
    """Playwright drives the browser by a Node of its own, which needs a library that a bare Debian 12 has not."""

    def run():
        return subprocess.run([sys.executable, "-m", "playwright", "--version"], capture_output=True, encoding="utf-8")

    if (ran := run()).returncode and "libatomic" in ran.stderr:
        _install(["libatomic1"])
        ran = run()
    if ran.returncode:
        remedy = "\nOn Debian: apt-get install libatomic1" if "libatomic" in ran.stderr else ""
        raise TaskError(f"Playwright, which drives the browser, does not run here: {ran.stderr.strip()}{remedy}")


def _named():
    named = os.environ.get("CHROMIUM")
    if named and not shutil.which(named):
        raise TaskError(f"CHROMIUM names {named}, which cannot be run.")
    return named and shutil.which(named)


def _on_path():
    return next(filter(None, map(shutil.which, ON_PATH)), None)


def find_other(name):  # -> str, the path of its program
    """Firefox, WebKit or Java: what drives it, installed from Debian's packages if necessary. Raises TaskError if there is none."""
    programs, needed, packages = OTHERS[name]
    if not (found := _with(programs, needed)):
        _install(packages)
        found = _with(programs, needed)
    if not found:
        raise TaskError(
            f"The tests with {name} need {' or '.join(programs)}{''.join(f' and {one}' for one in needed)}. "
            f"On Debian: apt-get install {' '.join(packages)}"
        )
    return found


def _with(programs, needed):  # -> str or None: the path of the first program, if what it needs is there too
    found = next(filter(None, map(shutil.which, programs)), None)
    return found if found and all(map(shutil.which, needed)) else None


def _from_debian():
    _install(["chromium"])
    return shutil.which("chromium")


def _install(packages):
    """Debian's packages, where that is allowed."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    print(f"Installing Debian's {' and '.join(packages)} for the tests.", flush=True)
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        if subprocess.run(["apt-get", "-qq", *command], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}).returncode:
            return


def _from_playwright():
    from playwright.sync_api import sync_playwright

    print("Asking Playwright for a Chromium for the browser tests.", flush=True)
    if subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"]).returncode:
        return None
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return str(path) if path.exists() else None
