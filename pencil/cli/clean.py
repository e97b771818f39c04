"""Remove everything that was built, except for `.venv`."""

import shutil

from pencil.cli.arguments import no_arguments
from pencil.errors import TaskError
from pencil.paths import ROOT

BUILT = ("_build", ".pytest_cache", ".ruff_cache", ".hypothesis", "tests/lighthouse/node_modules")


def main(argv):
    """`python -m pencil clean`. Raises TaskError where something is left, such as another user's."""
    no_arguments(argv, "clean", __doc__)
    left = {}
    for name in BUILT:
        path = ROOT / name
        if path.is_symlink():  # what it leads to stays
            path.unlink()
        elif path.exists():
            shutil.rmtree(path, onerror=lambda _, place, wrong: left.setdefault(place, wrong[1].strerror or str(wrong[1])))
    if left:
        path, reason = next(iter(left.items()))
        more = f", and {len(left) - 1} more" if len(left) > 1 else ""
        raise TaskError(f"{path}{more} could not be removed: {reason}. Whoever it belongs to can remove it, or the system's administrator.")
    return 0
