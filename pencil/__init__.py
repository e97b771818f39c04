"""Attention and the transformer, worked by pencil: one NumPy reference, traced, shown and proven.

Read the package in this order: `pencil.reference` (the models in NumPy), `pencil.model` (the same in PyTorch),
`pencil.trace` (a recorded run), `pencil.worked` (its lines as a student writes them), `pencil.drawings` (its pictures),
`pencil.checker` (every number of a page against a run) and `pencil.publish` (from a chapter's source to its notebook).

They are used by the chapters' words and numbers (`examples`), data sets (`data`), training runs (`experiments`), questions that are
marked (`exercises`), labs (`widgets`), the rules of a chapter's form (`rules`) and the tasks of `python -m pencil` (`__main__`, `cli`).
The lowest layer is `rounding`, `formats`, `note`, `params`, `random`, `paths`, `errors`, `safetensors_file`, and the JavaScript of the pages
(`web`).
"""

import sys

__version__ = "0.1.0"

if sys.version_info < (3, 11):  # noqa: UP036 - said here, before an older Python meets a file that it cannot read; this one it can
    sys.exit("Python 3.11 or newer is needed, this is " + ".".join(map(str, sys.version_info[:2])) + ". Name another one: make PYTHON=python3.12")
