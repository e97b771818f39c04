"""The clone that the book is made in, and the error of whoever works in it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOME = "https://github.com/transformers-by-pencil/transformers-by-pencil"


class TaskError(Exception):
    """Something cannot go on; its message is a plain sentence that says what to do."""
