"""What the commands' arguments have in common: numbers with bounds, tasks without arguments, and files that can be written."""

import argparse
import math
from pathlib import Path
from tempfile import TemporaryFile

from pencil.errors import Parser, TaskError, did_you_mean
from pencil.paths import chapter_sources, user_path

MOST_THREADS = 1024  # with hundreds of thousands torch ends without a word


def no_arguments(argv, task, description):
    """Parse the arguments of a task that takes none: exit with an error for any argument, and with the description for --help."""
    Parser(prog=f"python -m pencil {task}", description=description).parse_args(argv)


def help_of_words(argv, task, words, description):
    """Exit with the description where --help is among the words of a task that parses none itself."""
    if {"-h", "--help"} & set(argv):
        Parser(prog=f"python -m pencil {task}", usage=f"%(prog)s [-h] {words}", description=description).parse_args(["--help"])


def find_chapter(asked, folder):  # "5", "05" or "soft_lookup", Path -> Path
    """The source of the chapter that was asked for. Raises TaskError, with the nearest, for one that there is not."""
    from pencil.checker.library import chapter_source  # only now: tasks without a chapter start without the checker's packages

    if source := chapter_source(asked, folder):
        return source
    stems = [path.stem for path in chapter_sources(folder)]
    names = [stem.partition("_")[2] for stem in stems]
    raise TaskError(f"There is no chapter {asked!r}.{did_you_mean(Path(asked).stem, [*names, *stems])}")


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


def typed_path(text):
    """A type for argparse: a path, ~ for a home folder."""
    try:
        return user_path(text)
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from None


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


def refuse_unwritable(file, remedy):
    """Create the folder of a file, and raise TaskError, with a remedy, if the file cannot be written."""
    file = file.resolve()  # of a link, the file that it points to is written
    try:
        if (existed := file.exists()) and not file.is_file():
            raise OSError(f"{file} is no regular file")
        file.parent.mkdir(parents=True, exist_ok=True)
        if existed:
            with open(file, "ab"):  # append mode keeps the contents
                pass
        with TemporaryFile(dir=file.parent):  # saving is atomic, through a temporary file in the same folder
            pass
    except OSError as wrong:
        raise TaskError(f"{file} could not be written ({wrong}); nothing was begun: {remedy}") from None
