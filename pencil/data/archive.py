"""Packed files, read member by member; nothing of them is unpacked to disk, and a path that climbs out of its folder is refused."""

import gzip
import lzma
import re
import tarfile
import zipfile
import zlib
from contextlib import contextmanager

from pencil.data import DataError

# what a file raises that was cut off, overwritten, or packed by somebody else
BROKEN = (EOFError, tarfile.TarError, gzip.BadGzipFile, zipfile.BadZipFile, lzma.LZMAError, zlib.error, UnicodeDecodeError)


@contextmanager
def whole(file):
    """Read a packed file inside this. Raises DataError for one that is broken."""
    try:
        yield
    except BROKEN as broken:
        raise DataError(f"{file} cannot be read to its end ({broken}): remove it and fetch it anew") from None


def members(file):  # .tar.gz -> (path inside, its bytes), one after the other
    """The plain files of an archive. Raises DataError for one that is broken, and for a path or a link that leads outside."""
    # tarfile's own reader of .gz takes a file that was cut off for a short one; gzip does not, when it is read to its end
    with whole(file), gzip.open(file) as content, tarfile.open(fileobj=content, mode="r|") as packed:
        for member in packed:
            _refuse_climber(file, member.name)
            if member.islnk() or member.issym():
                raise DataError(f"{file} holds a link, {member.name}, and such an archive has none: remove the file and fetch it anew")
            if member.isfile():
                yield member.name, packed.extractfile(member).read()
        while content.read(1 << 20):
            pass


def _refuse_climber(file, path):
    if ".." in re.split(r"[/\\]", path) or path.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", path):
        raise DataError(f"{file} holds {path}, which leads out of its folder; nothing was read: remove the file and fetch it from its home")


def unpacked(file):  # .gz -> bytes
    """The content of one gzipped file. Raises DataError for one that is broken."""
    with whole(file), gzip.open(file) as packed:
        return packed.read()
