"""Format and lint the Python code with ruff."""

import subprocess
import sys

from pencil.errors import Parser
from pencil.paths import ROOT


def main(argv):
    """`python -m pencil format`; `--check` only reports."""
    parser = Parser(prog="python -m pencil format", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, and say what would change")
    check = parser.parse_args(argv).check
    ruff = [sys.executable, "-m", "ruff"]
    shaped = subprocess.run([*ruff, "format", *(["--check"] if check else [])], cwd=ROOT).returncode
    sound = subprocess.run([*ruff, "check", *([] if check else ["--fix"])], cwd=ROOT).returncode
    return shaped or sound
