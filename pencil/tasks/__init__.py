"""What `make` does, as plain Python: `python -m pencil TASK` runs the same on Windows, macOS and Linux.

One task a module; nothing heavy is imported until its task runs.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = "https://github.com/transformers-by-pencil/transformers-by-pencil"


class TaskError(Exception):
    """A task that cannot go on; its message is a plain sentence that says what to do."""
