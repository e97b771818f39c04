"""What the options of the tasks have in common: numbers in their bounds, and tasks that take no word at all."""

import argparse
import math


def nothing(argv, task, says):
    """End with a sentence where a task that takes nothing is given a word, and with its help for --help."""
    argparse.ArgumentParser(prog=f"python -m pencil {task}", description=says).parse_args(argv)


def whole(least, most=None):  # -> a type for argparse
    """Whole numbers from `least` on."""
    return _bounded(
        int, "whole number", f"from {least}" + (" on" if most is None else f" to {most}"), lambda n: n >= least and (most is None or n <= most)
    )


def above(low):  # -> a type for argparse
    """Finite numbers above `low`."""
    return _bounded(float, "number", f"above {low}", lambda x: low < x < math.inf)


def share(text):
    """A number from 0 on and below 1."""
    return _bounded(float, "number", "from 0 on and below 1", lambda x: 0 <= x < 1)(text)


def up_to_one(text):
    """A number above 0, up to 1."""
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
