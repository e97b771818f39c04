"""Bring a real set from its home, find it again, and say whether it is whole.

A file appears under its name only when its hash is right. What was begun and broken off leaves nothing behind, and is begun anew.
"""

import errno
import hashlib
import logging
import os
import shutil
import time
from contextlib import contextmanager, suppress
from pathlib import Path

from pencil.data import DataError
from pencil.data.registry import SETS
from pencil.paths import ROOT

DEVELOPMENT = ROOT.parent / "shared" / "data"  # copies beside a clone, for work on the book
TRIES, PAUSE, PATIENCE = 3, 2, 60  # a broken line is tried so often, so many seconds later; silence is broken after so many
FORGOTTEN = 600  # seconds after which a half file belongs to nobody
INCOMING = ".incoming"


def where():  # -> {what the folder is: its path}, in the order in which they are searched
    """The folders in which data is looked for. A fetch goes to PENCIL_DATA where that is set, else to the cache."""
    return dict(zip(("PENCIL_DATA",), _own(), strict=False)) | {"beside the clone": DEVELOPMENT, "cache": _cache()}


def _own():  # -> [the reader's own folder], or []
    named = os.environ.get("PENCIL_DATA")
    return [Path(named)] if named else []


def _cache():
    with _pooch() as pooch:
        return Path(pooch.os_cache("transformers-by-pencil"))


@contextmanager
def _pooch():  # it brings in requests and more, so only where it is used
    try:
        import pooch
        import tqdm  # noqa: F401  (its bar)
    except ModuleNotFoundError as missing:
        raise DataError(f"fetching data needs {missing.name}: type `pip install pooch tqdm`") from None
    yield pooch


def known(name):  # -> Set
    """The set of that name. Raises DataError that lists the names there are."""
    if name not in SETS:
        raise DataError(f"there is no data set {name!r}; take one of {', '.join(SETS)}")
    return SETS[name]


def find(name, file=None):  # -> Path, or a tuple of Paths for a set of several files
    """The first copy of the set on this machine, or of one of its files. Raises DataError that says how to fetch it."""
    wanted = [f.name for f in known(name).files if file in (None, f.name)]
    if not wanted:
        raise DataError(f"{name} has no file {file!r}; it has {', '.join(f.name for f in SETS[name].files)}")
    found = [_first(name, one) for one in wanted]
    if None in found:
        raise DataError(f"{name} is not on this machine ({wanted[found.index(None)]} is missing): type `python -m pencil data fetch {name}`")
    return found[0] if len(found) == 1 else tuple(found)


def _first(name, file):
    names = [file, *(copy.name for copy in SETS[name].copies if copy.of == file)]
    for folder in (*_own(), DEVELOPMENT):
        if hit := next((folder / n for n in names if (folder / n).is_file()), None):
            return hit
    try:
        cached = _cache() / file
    except DataError:  # no pooch, so no cache of its making
        return None
    return cached if cached.is_file() else None


def sha256_of(name, file=None):  # -> hex
    """The hash of the set's file, or of one of its files; of several, that of their list as `sha256sum` prints it."""
    found = find(name, file)
    if isinstance(found, Path):
        return _sha256(found)
    return hashlib.sha256("".join(f"{_sha256(path)}  {path.name}\n" for path in found).encode()).hexdigest()


def _sha256(path):
    with open(path, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def verify(name):  # -> the verified Paths
    """Hold each file against its hash. Raises DataError for one that is wrong, which is kept, and for one that is missing."""
    right = {thing.name: thing.sha256 for thing in (*known(name).files, *SETS[name].copies)}
    paths = [find(name, file.name) for file in SETS[name].files]
    for path in paths:
        if (is_now := _sha256(path)) != right[path.name]:
            raise DataError(
                f"{path}, {path.stat().st_size:,} bytes long, is not the file it should be: its sha256 is {is_now}, and "
                f"{right[path.name]} is wanted. Remove it and type `python -m pencil data fetch {name}`"
            )
    return paths


def fetch(name, folder=None):  # -> Paths
    """Bring every file of the set that is not yet there whole. Raises DataError, and then nothing new lies under its name."""
    files = known(name).files
    folder = Path(folder) if folder else next(iter(_own()), None) or _cache()
    return [_bring(file, folder) for file in files]


def _bring(file, folder):
    target = folder / file.name
    with _plainly(file, folder):
        if target.is_file() and _sha256(target) == file.sha256:
            return target
        incoming = folder / INCOMING
        incoming.mkdir(parents=True, exist_ok=True)
        _sweep(incoming)
        free = shutil.disk_usage(folder).free
        if free < file.bytes:
            raise DataError(f"{file.name} needs {file.bytes:,} bytes, and the disk of {folder} has {free:,} left: {_ELSEWHERE}")
        arrived = _transfer(file, incoming)
        os.replace(arrived, target)  # its hash is right; from now on it is there, and at once
    return target


_ELSEWHERE = "make room, or name another folder in the environment variable PENCIL_DATA"


def _sweep(incoming):  # half files of an earlier run
    for left in incoming.iterdir():
        with suppress(FileNotFoundError):  # another run was quicker
            if time.time() - left.stat().st_mtime > FORGOTTEN:
                left.unlink()


def _transfer(file, incoming):  # -> Path of the whole file
    with _pooch() as pooch:
        import requests

        pooch.get_logger().setLevel(logging.WARNING)
        for attempt in range(1, TRIES + 1):
            downloader = pooch.HTTPDownloader(progressbar=True, timeout=PATIENCE)
            arriving = f"{file.name}.{os.getpid()}"
            try:
                return Path(pooch.retrieve(file.url, f"sha256:{file.sha256}", arriving, incoming, downloader=downloader))
            except requests.exceptions.HTTPError:
                raise
            except requests.exceptions.RequestException:  # the line broke: begin anew
                if attempt == TRIES:
                    raise
                time.sleep(PAUSE)


@contextmanager
def _plainly(file, folder):
    """Whatever goes wrong becomes one sentence that says what it was and what to do."""
    try:
        yield
    except ValueError as wrong:  # pooch compares
        if "does not match" not in str(wrong):
            raise
        said = str(wrong).split("but got ")[-1].split(".")[0]
        raise DataError(
            f"what {file.url} sent is not {file.name}: its sha256 is {said}, and {file.sha256} is wanted. Nothing was kept. "
            "Try again; if it stays so, a proxy stands between or the home has changed the file, and an issue would be welcome"
        ) from None
    except OSError as wrong:
        raise DataError(_why(wrong, file, folder)) from None


def _why(wrong, file, folder):
    status = getattr(getattr(wrong, "response", None), "status_code", None)
    if status is not None:
        return f"{file.url} answers {status}: the file has moved or is not given out just now. Nothing was kept; try again later"
    if wrong.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk of {folder} is full, and nothing was kept: {_ELSEWHERE}"
    if isinstance(wrong, PermissionError) or wrong.errno == errno.EROFS:
        return f"{folder} may not be written to: name another folder in the environment variable PENCIL_DATA"
    if type(wrong).__module__.startswith("requests"):
        return f"{file.url} could not be brought in {TRIES} tries ({type(wrong).__name__}): is there a network? Nothing was kept; try again"
    return f"{file.name} could not be written into {folder} ({wrong}): name another folder in the environment variable PENCIL_DATA"
