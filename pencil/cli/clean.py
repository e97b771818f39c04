"""Remove everything that was built, except for `.venv`."""

import shutil

from pencil.cli.arguments import no_arguments
from pencil.paths import ROOT

BUILT = ("_build", ".pytest_cache", ".ruff_cache", ".hypothesis", "tests/lighthouse/node_modules")


def main(argv):
    """`python -m pencil clean`."""
    no_arguments(argv, "clean", __doc__)
    for name in BUILT:
        shutil.rmtree(ROOT / name, ignore_errors=True)
    return 0
