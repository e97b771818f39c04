"""Measure what the pages quote, and write it to pencil/labs/recorded with where it came from."""

import argparse
import importlib
import inspect
import shlex

from pencil.labs import records
from pencil.tasks import TaskError

RECORDINGS = {  # name: (module and function, the data sets it reads, what it measures)
}


def main(argv):
    """`python -m pencil record NAME [--seed 0] [--threads 2]`; without a name it lists what there is."""
    parser = argparse.ArgumentParser(prog="python -m pencil record", description=__doc__)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2, help="of the CPU: 2")
    given = parser.parse_args(argv)
    if given.name is None:
        for name, (_, sets, says) in RECORDINGS.items():
            print(f"  {name:<20} {says}" + (f" (reads {', '.join(sets)})" if sets else ""))
        return 0
    if given.name not in RECORDINGS:
        raise TaskError(f"there is no recording {given.name!r}; take one of {', '.join(RECORDINGS) or 'none yet'}")
    place, sets, _ = RECORDINGS[given.name]
    module, function = place.split(":")
    measure = getattr(importlib.import_module(module), function)
    known = {"seed": given.seed, "threads": given.threads}
    result = measure(**{name: value for name, value in known.items() if name in inspect.signature(measure).parameters})
    file = records.RECORDED / f"{given.name}.json"
    command = "python -m pencil record " + shlex.join(argv)
    records.write(file, result, records.provenance(command, given.seed, records.cpu(given.threads), _hashes(sets)))
    print(f"wrote {file}")
    return 0


def _hashes(sets):  # -> {name of a set: its sha256}
    from pencil.data.fetch import sha256_of  # only where data is read

    return {name: sha256_of(name) for name in sets}
