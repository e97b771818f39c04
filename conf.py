"""The book as plain Sphinx sees it: all from _config.yml. Jupyter Book does not read this file; `python -m pencil book --sphinx` does."""

import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))  # the package pencil is not installed beside Sphinx

from pencil.cli.plain_sphinx import settings  # noqa: E402 - only now can it be found

made, folders = settings(yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8")))
sys.path += [str(ROOT / folder) for folder in folders]
globals().update(made)
