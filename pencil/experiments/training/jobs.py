"""Long measurements as lists of jobs. Each result is saved to a folder outside the clone; a restart runs only the missing ones."""

import json
import os
from pathlib import Path

from pencil.experiments import records
from pencil.paths import user_path, write_whole


def scratch(name):  # -> Path
    """The folder for an experiment's results: in $PENCIL_EXPERIMENTS if that is set, else in the cache of the data sets."""
    if named := os.environ.get("PENCIL_EXPERIMENTS"):
        return user_path(named) / name
    from pencil.data.downloads import where

    return where()["cache"] / "experiments" / name


def run_all(jobs, folder, only_done=False, log=print):  # {key: function without arguments -> JSON-able dict}
    """Run the jobs that have no result yet, in order; none with `only_done`. Each result is written atomically, with the date and the commit.

    Raises ValueError with `only_done` where no result is there at all: a record of nothing would take the place of the one that stands.
    """
    if only_done:
        if not results(jobs, folder):
            raise ValueError(f"none of the {len(jobs)} measurements is done in {folder}, so nothing was written; leave out --done")
        return
    code = records.code()
    for number, (key, job) in enumerate(jobs.items(), start=1):
        if not result_file(folder, key).is_file():
            log(f"{number} of {len(jobs)}: {key}")
            write(folder, key, job() | {"date": records.now(), **code})


def write(folder, key, result):
    """Write a job's result atomically."""
    file = result_file(folder, key)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps(result))


def results(jobs, folder):  # -> {key: result}
    """The results of the jobs that are done."""
    return {key: json.loads(result_file(folder, key).read_text(encoding="utf-8")) for key in jobs if result_file(folder, key).is_file()}


def result_file(folder, key):  # -> Path
    """The file of a job's result."""
    return Path(folder) / f"{key}.json"
