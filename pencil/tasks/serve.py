"""Open the chapters in JupyterLab."""

import subprocess
import sys

from pencil.tasks import ROOT


def main(argv):
    """`python -m pencil serve`; further arguments go to JupyterLab."""
    return subprocess.run([sys.executable, "-m", "jupyterlab", "--notebook-dir", str(ROOT), *(argv or ["notebooks"])]).returncode
