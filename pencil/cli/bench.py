"""Run the benchmarks one after the other, so that they do not compete for the CPU."""

import subprocess
import sys

from pencil.cli.arguments import help_of_words
from pencil.errors import TaskError, did_you_mean
from pencil.paths import ROOT


def main(argv):
    """`python -m pencil bench [NAME ...]`: all of benchmarks/*.py, or those named."""
    found = {path.stem: path for path in sorted((ROOT / "benchmarks").glob("*.py"))}
    help_of_words(argv, "bench", "[NAME ...]", f"Run the benchmarks, or those named: {', '.join(found)}.")
    unknown = [name for name in argv if name not in found]
    if unknown:
        raise TaskError(f"There is no benchmark '{unknown[0]}'; there are: {', '.join(found) or 'none yet'}.{did_you_mean(unknown[0], found)}")
    codes = [subprocess.run([sys.executable, str(found[name])], cwd=ROOT).returncode for name in argv or found]
    return int(any(codes))  # not max: the code is negative if a signal ended the process
