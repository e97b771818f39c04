"""Paths of the clone and its chapters, and the atomic writing of files."""

import errno
import os
import re
import tempfile
import time
from contextlib import chdir, contextmanager, suppress
from glob import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPOSITORY_URL = "https://github.com/transformers-by-pencil/transformers-by-pencil"
FORGOTTEN = 600  # seconds after which a temporary file counts as abandoned
NUMBER = r"\d\d[a-z]?"  # of a chapter: 13, or 13b for its sequel


def site(repository=REPOSITORY_URL):  # address of a repository -> (host, folder) of the pages that GitHub makes of it
    """https://github.com/us/book -> us.github.io, /book/"""
    owner, name = repository.rstrip("/").split("/")[-2:]
    return f"{owner.lower()}.github.io", f"/{name}/"


def user_path(text):  # "~/run" -> Path
    """A path as somebody typed it, ~ for a home folder. Raises ValueError for a home folder that there is not."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f"{text}: this machine knows no home folder of that name; name another place") from None


@contextmanager
def top_of_clone(arguments):  # list of str -> list of str
    """Work at the top of a clone for the `with` block: of that around this folder, or, where pages are named, of the one that this package lies in.

    Gives the arguments, those that are paths as seen from there.
    """
    around = (*Path.cwd().parents, *[ROOT] * bool(arguments))
    top = next((folder for folder in around if (folder / "_toc.yml").is_file() and (folder / "notebooks").is_dir()), None)
    if top is None or Path("notebooks").is_dir():
        yield arguments
        return
    seen = [_seen_from(top, Path(asked).resolve()) if Path(asked).exists() else asked for asked in arguments]
    with chdir(top):
        yield seen


def _seen_from(top, path):  # -> str; what is not below `top`, such as on another drive, keeps its whole path
    return str(path.relative_to(top) if path.is_relative_to(top) else path)


def write_whole(path, text):
    """Write a text atomically."""
    with moved_into_place(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def moved_into_place(path):  # -> Path of an empty file to write into
    """A temporary file beside `path`, which replaces it at the end of the `with` block; on an error the old file stays.

    Temporary files of killed runs are removed after ten minutes.
    """
    path = Path(path).resolve()  # of a link, the file that it points to is written
    for left in half_files(path):
        with suppress(FileNotFoundError):  # another process may have removed it
            if time.time() - left.stat().st_mtime > FORGOTTEN:
                left.unlink()
    beside = _new_file_beside(path)
    try:
        yield beside
        with beside.open("rb+") as written:
            os.fsync(written.fileno())
        beside.chmod(0o666 & ~_umask())  # the usual permissions; mkstemp's are private
        os.replace(beside, path)
    except BaseException as wrong:
        beside.unlink(missing_ok=True)
        if isinstance(wrong, OSError) and wrong.filename is None:  # a full disk names no file
            wrong.filename = str(path)
        raise


def _new_file_beside(path):
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)  # unique, for several processes may write
    except OSError as wrong:  # about the file that was asked for; a folder such as /proc answers as if it were not there
        number = errno.ENOTDIR if wrong.errno == errno.ENOENT else wrong.errno
        raise OSError(number, "its folder takes no new file" if number == errno.ENOTDIR else wrong.strerror, str(path)) from None
    os.close(handle)
    return Path(name)


def half_files(path):  # -> list of Path
    """The temporary files of `moved_into_place` for this path."""
    return list(path.parent.glob(f".{escape(path.name)}.*.part"))


def _umask():  # it can only be read by setting it
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def chapter_number(path):  # "notebooks/05_soft_lookup.ipynb" -> "05"
    """The number that the name of a chapter's file or page begins with; "" where it is no chapter."""
    number, _, name = Path(path).stem.partition("_")
    return number if name and re.fullmatch(NUMBER, number) else ""


def chapter_sources(folder):  # -> list of Path
    """The sources of the chapters in a folder, in reading order; what a _toc.yml above the folder does not name is none."""
    named = chapters_named(folder)
    found = (path for path in folder.glob("*.md") if chapter_number(path) and (named is None or path.stem in named))
    return sorted(found, key=lambda path: path.stem)


def chapters_named(folder):  # -> set of names, or None where no _toc.yml names any
    """The chapters in a folder that the table of contents beside it names."""
    contents, name = folder.resolve().parent / "_toc.yml", re.escape(folder.resolve().name)
    listed = contents.read_text(encoding="utf-8") if contents.is_file() else ""
    return set(re.findall(rf"file: {name}/(\S+?)(?:\.ipynb)?\s*$", listed, re.M)) or None


def chapter_named(name, folder):  # "soft_lookup" -> the path of 05_soft_lookup.md, or None
    """The source of the chapter that has this name behind its number."""
    return next((path for path in chapter_sources(folder) if path.stem.partition("_")[2] == name), None)
