"""Open the chapters in JupyterLab."""

import os
import subprocess
import sys
from pathlib import Path

from pencil.paths import ROOT


def main(argv):
    """`python -m pencil serve`; further arguments go to JupyterLab, and a path among them replaces the chapters."""
    command = [sys.executable, "-m", "jupyterlab", "--notebook-dir", str(ROOT), *_as_root(), *_opened(argv), *argv]
    if os.name == "posix":  # replace this process, so that signals reach JupyterLab
        return os.execv(command[0], command)
    return subprocess.run(command).returncode


def _as_root():  # JupyterLab needs --allow-root to run as root
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ["--allow-root"] if root else []


def _opened(argv):
    given = any(not word.startswith("-") and Path(word).exists() for word in argv)
    return [] if given else [str(ROOT / "notebooks")]
