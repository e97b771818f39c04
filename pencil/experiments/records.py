"""Recorded results: what a long run measured, with where it came from. A page reads them, nobody types them in.

A record is pencil/experiments/recorded/NAME.json. `python -m pencil record NAME` measures it anew. Where it was measured in several sessions,
each of its parts has a date and a commit of its own, and the record's are those of the last session.
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
    """A result and its provenance; `record["key"]` is a part of the result."""

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
    """The record of that name. Raises FileNotFoundError that names the records there are."""
    file = Path(folder) / f"{name}.json"
    if not file.is_file():
        known = ", ".join(sorted(path.stem for path in Path(folder).glob("*.json"))) or "none"
        raise FileNotFoundError(f"there is no record {name!r}; there are: {known}. `python -m pencil record` lists what can be measured")
    stored = json.loads(file.read_text(encoding="utf-8"))
    result = stored.pop("result")
    return Record(name, stored, result)


def write(file, result, provenance):
    """Write a record: where `read` finds it, or to any other file."""
    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps({**provenance, "result": result}, indent=1, ensure_ascii=False) + "\n")


def provenance(command, seed, device, data=None, packages=PACKAGES):  # -> {name: what is known}
    """Where, when and with what something is measured; `data` is {name of a set: its sha256}, `device` in words."""
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
    """The time in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def code(folder=ROOT):  # -> {"commit", "changed_since"}, both None where there is no git
    """Which code measures: the last commit, and whether a program differs from it. Ask before the work: meanwhile another may commit."""
    changed = _git(
        folder, "status", "--porcelain", "--", "pencil", "benchmarks", "requirements*.txt", "constraints.txt", ":!pencil/experiments/recorded"
    )
    return {"commit": _git(folder, "rev-parse", "HEAD"), "changed_since": None if changed is None else bool(changed)}


def as_recorded(x):  # number, row or matrix -> float or lists of them
    """Twelve significant digits and ten decimals at most, so that the rounding noise of different computers is gone."""
    return [as_recorded(part) for part in x] if np.ndim(x) else float(settle(x))


def cpu(threads):  # -> str
    """The processor, in words, with the widest instructions that torch uses on it, for its speed depends on them."""
    import torch  # pages read records without it

    return f"{platform.machine()} CPU with {torch.backends.cpu.get_cpu_capability()}, {threads} thread(s)"


def _git(folder, *args):
    try:
        done = subprocess.run(["git", *args], cwd=folder, capture_output=True, encoding="utf-8")
    except FileNotFoundError:  # no git here
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _version(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return None
