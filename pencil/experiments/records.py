"""Recorded results of long runs, with their provenance. Pages read them, so no measured number is typed in by hand.

A record is pencil/experiments/recorded/NAME.json; `python -m pencil record NAME` measures it again. If it was measured in several sessions,
each part has its own date and commit, and the record itself has those of the last session. `commit` is the code that measured; `command`
and the names of the values are those of today. `renamed` says which of them were changed in the file after the run; of changes before
2026-11-28, CHANGELOG.md lists some.
"""

import json
import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from pencil.paths import ROOT, write_whole
from pencil.rounding import settle

RECORDED = Path(__file__).parent / "recorded"
PACKAGES = ("numpy", "torch", "transformers", "keras", "scikit-learn", "tokenizers")


@dataclass(frozen=True)
class Record:
    """A result and its provenance; `record["key"]` is an entry of the result."""

    name: str
    provenance: dict
    result: dict

    def __getitem__(self, key):
        if key not in self.result:
            raise KeyError(f"the record {self.name} has no {key!r}; it has {', '.join(self.result)}")
        return self.result[key]

    def __repr__(self):
        known = self.provenance
        with_what = ", ".join(f"{name} {number}" for name, number in known["versions"].items())
        return f"Recorded {self._when()} on {known['device']}, seed {known['seed']}, with {with_what}. Measure it anew: {known['command']}"

    def _when(self):  # -> 2026-11-21 to 2026-11-22, in several sittings
        parts = [part for value in self.result.values() for part in (value if isinstance(value, list) else [value])]
        sessions = [part for part in parts if isinstance(part, dict) and "commit" in part] or [self.provenance]
        days = sorted({one["date"][:10] for one in sessions})
        return " to ".join(dict.fromkeys([days[0], days[-1]])) + ", in several sittings," * (len({one["commit"] for one in sessions}) > 1)


def read(name, folder=RECORDED):  # -> Record
    """Load the record `name` from a folder. Raises FileNotFoundError, whose message lists the existing records."""
    file = Path(folder) / f"{name}.json"
    if not file.is_file():
        known = ", ".join(sorted(path.stem for path in Path(folder).glob("*.json"))) or "none"
        raise FileNotFoundError(f"there is no record {name!r}; there are: {known}. `python -m pencil record` lists what can be measured")
    stored = json.loads(file.read_text(encoding="utf-8"))
    result = stored.pop("result")
    return Record(name, stored, result)


def write(file, result, provenance):
    """Write a record to a file, as `read` expects it."""
    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps({**provenance, "result": result}, indent=1, ensure_ascii=False) + "\n")


def provenance(command, seed, device, data=None, packages=PACKAGES):  # -> JSON-able dict
    """How a result is measured: command, date, commit, seed, device and package versions.

    - `device`: a description in words
    - `data`: {name of a data set: its sha256}
    - `packages`: whose versions are listed, if they are installed
    """
    return {
        "command": command,
        "date": now(),
        **code(),
        "seed": seed,
        "device": device,
        "data": dict(data or {}),
        "versions": {"python": platform.python_version()} | {name: number for name in packages if (number := _version(name))},
    }


def now():  # -> str
    """The current time in UTC, in ISO format."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def code(folder=ROOT):  # -> {"commit", "changed_since"}, both None where there is no git
    """The current commit, and whether the code differs from it. Call it before a long run: HEAD may have moved by its end."""
    changed = _git(
        folder, "status", "--porcelain", "--", "pencil", "benchmarks", "requirements*.txt", "constraints.txt", ":!pencil/experiments/recorded"
    )
    return {"commit": _git(folder, "rev-parse", "HEAD"), "changed_since": None if changed is None else bool(changed)}


def as_recorded(x):  # number, row or matrix -> float or lists of them
    """Round to at most twelve significant digits and ten decimals, which hides the rounding noise between machines."""
    return [as_recorded(part) for part in x] if np.ndim(x) else float(settle(x))


def cpu(threads):  # -> str
    """A description of the CPU, with the widest vector instructions that torch uses on it."""
    import torch  # not at the top: reading a record needs no torch

    return f"{platform.machine()} CPU with {torch.backends.cpu.get_cpu_capability()}, {threads} thread(s)"


def _git(folder, *args):
    try:
        done = subprocess.run(["git", *args], cwd=folder, capture_output=True, encoding="utf-8")
    except FileNotFoundError:  # git is not installed
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _version(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return None
