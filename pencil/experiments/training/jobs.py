"""Long measurements as a list of jobs: each result is kept in a folder outside the clone, and a new start does only what is left."""

import json
import os
from pathlib import Path

from pencil.experiments import records
from pencil.paths import write_whole


def scratch(name):  # -> Path
    """The folder for an experiment's results: inside PENCIL_EXPERIMENTS where that is set, else in the cache beside the data."""
    if named := os.environ.get("PENCIL_EXPERIMENTS"):
        return Path(named) / name
    from pencil.data.fetch import where

    return where()["cache"] / "experiments" / name


def run_all(jobs, folder, log=print):  # {key: function without arguments -> JSON-able dict}
    """Run every job that has no result yet, in order. A result is written whole or not at all, with its date and the commit."""
    code = records.code()
    for number, (key, job) in enumerate(jobs.items(), start=1):
        if not result_file(folder, key).is_file():
            log(f"{number} of {len(jobs)}: {key}")
            write(folder, key, job() | {"date": records.now(), **code})


def write(folder, key, result):
    """Write a job's result, in one move."""
    file = result_file(folder, key)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps(result))


def results(jobs, folder):  # -> {key: result}
    """The results of those jobs that are done."""
    return {key: json.loads(result_file(folder, key).read_text(encoding="utf-8")) for key in jobs if result_file(folder, key).is_file()}


def result_file(folder, key):  # -> Path
    """Where a job's result lies."""
    return Path(folder) / f"{key}.json"
