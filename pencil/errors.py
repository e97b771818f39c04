"""The error of the commands of `python -m pencil`, and what a misspelt word may have meant."""

import argparse
import sys
from difflib import get_close_matches


class TaskError(Exception):
    """A command cannot go on; the message is a sentence that says what to do."""


def did_you_mean(word, known):  # str, names -> str
    """A question for the known name that is nearest to a misspelt one, with a blank in front; "" where none is near."""
    spelt = {str(name).lower(): str(name) for name in known}
    near = get_close_matches(str(word).lower(), spelt, n=1)
    return f" Did you mean {spelt[near[0]]!r}?" if near else ""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that says which word or option a misspelt one may have meant, in its subcommands too, which parse by parse_known_args.

    Of a description, which is often a module's docstring, the first line is shown; a Python without docstrings (PYTHONOPTIMIZE=2) shows none.
    An option has to be typed whole.
    """

    def __init__(self, *args, description=None, **options):
        super().__init__(*args, description=(description or "").partition("\n")[0], allow_abbrev=False, **options)

    def _check_value(self, action, value):
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as wrong:
            wrong.message += f".{did_you_mean(str(value), action.choices)}"
            raise

    def _print_message(self, message, file=None):
        if message:  # argparse drops an OSError, such as that of a full disk
            (file or sys.stderr).write(message)

    def parse_known_args(self, args=None, namespace=None):
        given, left = super().parse_known_args(args, namespace)
        if left:
            odd = next((word for word in left if word.startswith("-")), left[0])
            known = [option for action in self._actions for option in action.option_strings]
            self.error(f"unrecognized arguments: {' '.join(left)}.{did_you_mean(odd.partition('=')[0], known)}")
        return given, left
