"""Remove what was built. `.venv` stays; delete .venv by hand to start from nothing."""

import shutil

from pencil.cli.arguments import nothing
from pencil.paths import ROOT

BUILT = ("_build", ".pytest_cache", ".ruff_cache", ".hypothesis", "tests/lighthouse/node_modules")


def main(argv):
    """`python -m pencil clean`."""
    nothing(argv, "clean", __doc__)
    for name in BUILT:
        shutil.rmtree(ROOT / name, ignore_errors=True)
    return 0
