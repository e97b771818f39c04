"""Download, find and verify the public data sets.

A file gets its final name only after its hash has been verified. An interrupted download is resumed if the server supports ranges;
partial files of failed downloads are removed.
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
from pencil.errors import TaskError, did_you_mean
from pencil.paths import FORGOTTEN, ROOT, user_path

DEVELOPMENT = ROOT.parent / "shared" / "data"  # optional copies next to a clone, for development
TRIES, PAUSE, PATIENCE = 3, 2, 60  # attempts; seconds between them; timeout in seconds
INCOMING = ".incoming"


def where():  # -> {description: Path}
    """The data folders, in search order. Downloads go to $PENCIL_DATA if that is set, else to the cache."""
    return dict(zip(("PENCIL_DATA",), _own(), strict=False)) | {"beside the clone": DEVELOPMENT, "cache": _cache()}


def _own():  # -> [the folder of $PENCIL_DATA], or []
    named = os.environ.get("PENCIL_DATA")
    try:
        return [user_path(named)] if named else []
    except ValueError as wrong:
        raise TaskError(f"PENCIL_DATA={wrong}") from None


def _cache():
    with _pooch() as pooch:
        return Path(pooch.os_cache("transformers-by-pencil"))


@contextmanager
def _pooch():  # imported lazily, since it is slow and optional
    try:
        import filelock  # noqa: F401  (used below)
        import pooch
        import tqdm  # noqa: F401  (used below)
    except ModuleNotFoundError as missing:
        raise DataError(f"fetching data needs {missing.name}: type `pip install pooch tqdm filelock`") from None
    yield pooch


def known(name):  # -> Set
    """The data set of that name. Raises DataError, which lists the known names."""
    if name not in SETS:
        raise DataError(f"there is no data set {name!r}; take one of {', '.join(SETS)}.{did_you_mean(name, SETS)}")
    return SETS[name]


def find(name, file=None):  # -> Path, or a tuple of Paths for a set of several files
    """The first local copy of a data set, or of one of its files. Raises DataError, which says how to download it."""
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
    except DataError:  # without pooch there is no cache
        return None
    return cached if cached.is_file() else None


def sha256_of(name, file=None):  # -> hex
    """The hash of a file of a data set, or of the whole set: with several files, the hash of their `sha256sum` listing."""
    found = find(name, file)
    if isinstance(found, Path):
        return _sha256(found)
    return hashlib.sha256("".join(f"{_sha256(path)}  {path.name}\n" for path in found).encode()).hexdigest()


def _sha256(path):
    with open(path, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def verify(name):  # -> list of Paths
    """Verify the hash of each file. Raises DataError for a wrong one, which is not deleted, and for a missing one."""
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
    """Download the files of a data set that are missing or corrupt. Raises DataError if a download fails; the failed file is not there then."""
    files = known(name).files
    folder = user_path(folder) if folder else next(iter(_own()), None) or _cache()
    return [_bring(file, folder) for file in files]


def _bring(file, folder):
    target = folder / file.name
    with _readable_errors(file, folder):
        if target.is_file() and _sha256(target) == file.sha256:
            return target
        incoming = folder / INCOMING
        incoming.mkdir(parents=True, exist_ok=True)
        _sweep(incoming)
        free = shutil.disk_usage(folder).free
        if free < file.bytes:
            raise DataError(f"{file.name} needs {file.bytes:,} bytes, and the disk of {folder} has {free:,} left: {_ELSEWHERE}")
        with _temporary_folder(incoming) as folder_of_run:
            arrived = _transfer(file, folder_of_run)
            target.parent.mkdir(exist_ok=True)
            os.replace(arrived, target)  # atomic; the hash has been verified
    return target


_ELSEWHERE = "make room, or name another folder in the environment variable PENCIL_DATA"


@contextmanager
def _temporary_folder(incoming):
    """A folder for this run's partial files, with a lock that tells other runs whether this one is still alive."""
    from filelock import FileLock

    folder = incoming / f"{os.getpid()}-{token_hex(4)}"
    with FileLock(f"{folder}.lock"):
        folder.mkdir()
        try:
            yield folder
        finally:
            _remove(folder)


def _remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
    Path(f"{folder}.lock").unlink(missing_ok=True)


def _sweep(incoming):
    """Remove the partial files of killed runs, whose locks are free, and old files without a lock."""
    from filelock import FileLock, Timeout

    for lock in incoming.glob("*.lock"):
        with suppress(Timeout, FileNotFoundError), FileLock(lock, timeout=0):
            _remove(lock.with_suffix(""))
    for left in incoming.iterdir():
        with suppress(FileNotFoundError):  # another run may have removed it
            if left.is_file() and left.suffix != ".lock" and time.time() - left.stat().st_mtime > FORGOTTEN:
                left.unlink()


def _transfer(file, folder):  # -> Path of the verified file
    with _pooch() as pooch:
        import requests

        pooch.get_logger().setLevel(logging.WARNING)
        for attempt in range(1, TRIES + 1):
            try:
                arrived = Path(pooch.retrieve(file.url, f"sha256:{file.sha256}", Path(file.name).name, folder, downloader=partial(_stream, file)))
            except (requests.exceptions.HTTPError, *_no_page()):
                raise
            except requests.exceptions.RequestException:  # the connection failed
                if attempt == TRIES:
                    raise
                time.sleep(PAUSE)
            else:
                plain = folder / "plain"
                plain.touch()
                shutil.copymode(plain, arrived)  # default permissions: pooch makes the file readable by its owner only
                return arrived


def _stream(file, url, output, _):
    """A downloader for pooch: resume an earlier attempt if possible, and refuse more bytes than the file has."""
    kept = Path(output).parent / "kept"
    have = kept.stat().st_size if kept.exists() else 0
    if have < file.bytes:  # otherwise the connection failed after the last byte
        _resume(file, url, kept, have)
    os.replace(kept, output)


def _resume(file, url, kept, have):
    import requests
    from tqdm import tqdm

    headers = {"Range": f"bytes={have}-", "Accept-Encoding": "identity"} if have else {}
    with requests.get(url, stream=True, timeout=PATIENCE, headers=headers) as answer:
        sent, says = answer.status_code, answer.headers.get("Content-Range", "")
        elsewhere = sent == requests.codes.partial_content and not says.startswith(f"bytes {have}-")
        if have and (elsewhere or sent == requests.codes.requested_range_not_satisfiable):
            kept.unlink()
            raise requests.exceptions.RequestException(f"{url} does not go on from byte {have}")  # the next attempt starts from the beginning
        answer.raise_for_status()
        have = have if sent == requests.codes.partial_content else 0
        with open(kept, "ab" if have else "wb") as content, tqdm(total=file.bytes, initial=have, unit="B", unit_scale=True, disable=None) as bar:
            for piece in answer.iter_content(1 << 16):
                bar.update(len(piece))
                have += len(piece)
                if have > file.bytes:
                    raise DataError(f"{url} sends more than the {file.bytes:,} bytes of {file.name}. Nothing was kept; an issue would be welcome")
                content.write(piece)


def _no_page():  # errors of an invalid URL, for which retrying is useless
    from requests import exceptions

    return exceptions.InvalidSchema, exceptions.InvalidURL, exceptions.MissingSchema, exceptions.TooManyRedirects


@contextmanager
def _readable_errors(file, folder):
    """Turn any error of a download into a DataError with a remedy."""
    try:
        yield
    except OSError as wrong:  # before ValueError: some errors of requests are both
        raise DataError(_why(wrong, file, folder)) from None
    except ValueError as wrong:  # pooch's error for a wrong hash
        if "does not match" not in str(wrong):
            raise
        said = str(wrong).split("but got ")[-1].split(".")[0]
        raise DataError(
            f"what {file.url} sent is not {file.name}: its sha256 is {said}, and {file.sha256} is wanted. Nothing was kept. "
            "Try again; if it stays so, a proxy stands between or the home has changed the file, and an issue would be welcome"
        ) from None


def _why(wrong, file, folder):
    by_hand = f", or bring it by hand: lay the file into {folder} as {file.name}, and `data verify` looks whether it is the right one"
    status = getattr(getattr(wrong, "response", None), "status_code", None)
    if status is not None:
        return f"{file.url} answers {status}: the file has moved or is not given out just now. Nothing was kept; try again later{by_hand}"
    if wrong.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk of {folder} is full, and nothing was kept: {_ELSEWHERE}"
    if isinstance(wrong, PermissionError) or wrong.errno == errno.EROFS:
        return f"{folder} may not be written to: name another folder in the environment variable PENCIL_DATA"
    if type(wrong).__module__.startswith("requests"):
        if isinstance(wrong, _no_page()):
            return f"{file.url} leads on to what is no web address ({wrong}). Nothing was kept; an issue would be welcome"
        return f"{file.url} could not be brought in {TRIES} tries ({type(wrong).__name__}): is there a network? Nothing was kept; try again{by_hand}"
    return f"{file.name} could not be written into {folder} ({wrong}): name another folder in the environment variable PENCIL_DATA"
