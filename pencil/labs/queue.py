"""Long work, job by job: what is done is kept in a folder outside the clone, and a new start goes on with the rest."""

import json
import os
from pathlib import Path

from pencil.labs import records


def scratch(name):  # -> Path
    """The folder in which a lab keeps what it has done: in PENCIL_LABS where that is set, else in the cache beside the data."""
    if named := os.environ.get("PENCIL_LABS"):
        return Path(named) / name
    from pencil.data.fetch import where

    return where()["cache"] / "labs" / name


def work(jobs, folder, says=print):  # {key: function without arguments -> JSON-able dict}
    """Do every job that is not done, in order; a job's result is there whole or not at all, with its date and the sitting's commit."""
    code = records.code()
    for number, (key, job) in enumerate(jobs.items(), start=1):
        if not file_of(folder, key).is_file():
            says(f"{number} of {len(jobs)}: {key}")
            keep(folder, key, job() | {"date": records.now(), **code})


def keep(folder, key, result):
    """Write a job's result, in one move."""
    file = file_of(folder, key)
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(result), encoding="utf-8")
    os.replace(beside, file)


def done(jobs, folder):  # -> {key: result} of the jobs that are done
    """What there is so far."""
    return {key: json.loads(file_of(folder, key).read_text(encoding="utf-8")) for key in jobs if file_of(folder, key).is_file()}


def file_of(folder, key):  # -> Path
    """Where a job's result lies."""
    return Path(folder) / f"{key}.json"
