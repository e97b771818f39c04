"""Put the Python code in its usual shape, and say what is wrong with it."""

import subprocess
import sys

from pencil.paths import ROOT


def main(argv):
    """`python -m pencil format`; `--check` changes nothing."""
    check = "--check" in argv
    ruff = [sys.executable, "-m", "ruff"]
    shaped = subprocess.run([*ruff, "format", *(["--check"] if check else [])], cwd=ROOT).returncode
    sound = subprocess.run([*ruff, "check", *([] if check else ["--fix"])], cwd=ROOT).returncode
    return shaped or sound
