"""Bring a real set from its home, find it again, and say whether it is whole.

A file appears under its name only when its hash is right. Where the line breaks, the next try goes on from there, if the home can do so;
what was broken off for good leaves nothing behind, and is begun anew.
"""

import errno
import hashlib
import logging
import os
import shutil
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex

from pencil.data import DataError
from pencil.data.registry import SETS
from pencil.paths import FORGOTTEN, ROOT

DEVELOPMENT = ROOT.parent / "shared" / "data"  # copies beside a clone, for work on the book
TRIES, PAUSE, PATIENCE = 3, 2, 60  # a line that breaks is tried so often, so many seconds later; silence is broken after so many
INCOMING = ".incoming"


def where():  # -> {what the folder is: its path}, in the order in which they are searched
    """The folders in which data is looked for. A fetch goes to PENCIL_DATA where that is set, else to the cache."""
    return dict(zip(("PENCIL_DATA",), _own(), strict=False)) | {"beside the clone": DEVELOPMENT, "cache": _cache()}


def _own():  # -> [the reader's own folder], or []
    named = os.environ.get("PENCIL_DATA")
    return [Path(named).expanduser()] if named else []  # the shell leaves a ~ in quotes alone


def _cache():
    with _pooch() as pooch:
        return Path(pooch.os_cache("transformers-by-pencil"))


@contextmanager
def _pooch():  # it brings in requests and more, so only where it is used
    try:
        import filelock  # noqa: F401  (it says whether another run is alive)
        import pooch
        import tqdm  # noqa: F401  (its bar)
    except ModuleNotFoundError as missing:
        raise DataError(f"fetching data needs {missing.name}: type `pip install pooch tqdm filelock`") from None
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
    right = {Path(thing.name).name: thing.sha256 for thing in (*known(name).files, *SETS[name].copies)}
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
    folder = Path(folder).expanduser() if folder else next(iter(_own()), None) or _cache()
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
        with _corner(incoming) as corner:
            arrived = _transfer(file, corner)
            target.parent.mkdir(exist_ok=True)
            os.replace(arrived, target)  # its hash is right; from now on it is there, and at once
    return target


_ELSEWHERE = "make room, or name another folder in the environment variable PENCIL_DATA"


@contextmanager
def _corner(incoming):
    """A folder for this run's half files. Its lock goes with the run, so that the next one sees whether anybody is still at it."""
    from filelock import FileLock

    corner = incoming / f"{os.getpid()}-{token_hex(4)}"
    with FileLock(f"{corner}.lock"):
        corner.mkdir()
        try:
            yield corner
        finally:
            _remove(corner)


def _remove(corner):
    shutil.rmtree(corner, ignore_errors=True)
    Path(f"{corner}.lock").unlink(missing_ok=True)


def _sweep(incoming):
    """Half files of runs that are over: killed ones, whose lock is free, and old ones without a lock."""
    from filelock import FileLock, Timeout

    for lock in incoming.glob("*.lock"):
        with suppress(Timeout, FileNotFoundError), FileLock(lock, timeout=0):
            _remove(lock.with_suffix(""))
    for left in incoming.iterdir():
        with suppress(FileNotFoundError):  # another run was quicker
            if left.is_file() and left.suffix != ".lock" and time.time() - left.stat().st_mtime > FORGOTTEN:
                left.unlink()


def _transfer(file, corner):  # -> Path of the whole file
    with _pooch() as pooch:
        import requests

        pooch.get_logger().setLevel(logging.WARNING)
        for attempt in range(1, TRIES + 1):
            try:
                arrived = Path(pooch.retrieve(file.url, f"sha256:{file.sha256}", Path(file.name).name, corner, downloader=partial(_stream, file)))
            except (requests.exceptions.HTTPError, *_no_page()):
                raise
            except requests.exceptions.RequestException:  # the line broke
                if attempt == TRIES:
                    raise
                time.sleep(PAUSE)
            else:
                plain = corner / "plain"
                plain.touch()
                shutil.copymode(plain, arrived)  # pooch makes it for its owner alone, and the folder may be shared
                return arrived


def _stream(file, url, half, _):
    """Write what an address sends, and no more than the file has; what an earlier try left is gone on from where the address can do so."""
    kept = Path(half).parent / "kept"
    have = kept.stat().st_size if kept.exists() else 0
    if have < file.bytes:  # else the line broke behind the last byte
        _go_on(file, url, kept, have)
    os.replace(kept, half)


def _go_on(file, url, kept, have):
    import requests
    from tqdm import tqdm

    headers = {"Range": f"bytes={have}-", "Accept-Encoding": "identity"} if have else {}
    with requests.get(url, stream=True, timeout=PATIENCE, headers=headers) as answer:
        sent, says = answer.status_code, answer.headers.get("Content-Range", "")
        elsewhere = sent == requests.codes.partial_content and not says.startswith(f"bytes {have}-")
        if have and (elsewhere or sent == requests.codes.requested_range_not_satisfiable):
            kept.unlink()
            raise requests.exceptions.RequestException(f"{url} does not go on from byte {have}")  # the next try begins anew
        answer.raise_for_status()
        have = have if sent == requests.codes.partial_content else 0
        with open(kept, "ab" if have else "wb") as content, tqdm(total=file.bytes, initial=have, unit="B", unit_scale=True, disable=None) as bar:
            for piece in answer.iter_content(1 << 16):
                bar.update(len(piece))
                have += len(piece)
                if have > file.bytes:
                    raise DataError(f"{url} sends more than the {file.bytes:,} bytes of {file.name}. Nothing was kept; an issue would be welcome")
                content.write(piece)


def _no_page():  # errors of an address that leads to no web page, however often it is asked
    from requests import exceptions

    return exceptions.InvalidSchema, exceptions.InvalidURL, exceptions.MissingSchema, exceptions.TooManyRedirects


@contextmanager
def _plainly(file, folder):
    """Whatever goes wrong becomes one sentence that says what it was and what to do."""
    try:
        yield
    except OSError as wrong:  # first: some errors of an address are both
        raise DataError(_why(wrong, file, folder)) from None
    except ValueError as wrong:  # pooch compares
        if "does not match" not in str(wrong):
            raise
        said = str(wrong).split("but got ")[-1].split(".")[0]
        raise DataError(
            f"what {file.url} sent is not {file.name}: its sha256 is {said}, and {file.sha256} is wanted. Nothing was kept. "
            "Try again; if it stays so, a proxy stands between or the home has changed the file, and an issue would be welcome"
        ) from None


def _why(wrong, file, folder):
    status = getattr(getattr(wrong, "response", None), "status_code", None)
    if status is not None:
        return f"{file.url} answers {status}: the file has moved or is not given out just now. Nothing was kept; try again later"
    if wrong.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk of {folder} is full, and nothing was kept: {_ELSEWHERE}"
    if isinstance(wrong, PermissionError) or wrong.errno == errno.EROFS:
        return f"{folder} may not be written to: name another folder in the environment variable PENCIL_DATA"
    if type(wrong).__module__.startswith("requests"):
        if isinstance(wrong, _no_page()):
            return f"{file.url} leads on to what is no web address ({wrong}). Nothing was kept; an issue would be welcome"
        return f"{file.url} could not be brought in {TRIES} tries ({type(wrong).__name__}): is there a network? Nothing was kept; try again"
    return f"{file.name} could not be written into {folder} ({wrong}): name another folder in the environment variable PENCIL_DATA"
