"""Shared argparse helpers: numbers with bounds, and tasks without arguments."""

import argparse
import math

from pencil.errors import Parser

MOST_THREADS = 1024  # with hundreds of thousands torch ends without a word


def no_arguments(argv, task, description):
    """Parse the arguments of a task that takes none: exit with an error for any argument, and with the description for --help."""
    Parser(prog=f"python -m pencil {task}", description=description).parse_args(argv)


def integer(least, most=None):  # -> a type for argparse
    """Integers from `least` to `most`, inclusive."""
    return _bounded(
        int, "whole number", f"from {least}" + (" on" if most is None else f" to {most}"), lambda n: n >= least and (most is None or n <= most)
    )


def above(low):  # -> a type for argparse
    """Finite floats above `low`."""
    return _bounded(float, "number", f"above {low}", lambda x: low < x < math.inf)


def share(text):
    """A type for argparse: a float in [0, 1)."""
    return _bounded(float, "number", "from 0 on and below 1", lambda x: 0 <= x < 1)(text)


def up_to_one(text):
    """A type for argparse: a float in (0, 1]."""
    return _bounded(float, "number", "above 0 and up to 1", lambda x: 0 < x <= 1)(text)


def _bounded(kind, noun, bounds, is_right):
    def read(text):
        try:
            number = kind(text)
        except ValueError:
            number = math.nan
        if not is_right(number):
            raise argparse.ArgumentTypeError(f"{text!r} is no {noun} {bounds}")
        return number

    return read
