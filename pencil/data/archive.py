"""Read archives member by member, without extracting to disk; members with a path outside their folder are refused."""

import gzip
import lzma
import re
import tarfile
import zipfile
import zlib
from contextlib import contextmanager

from pencil.data import DataError

LONGEST = 1_000_000  # letters of a line

# raised for truncated or corrupt files
BROKEN = (EOFError, tarfile.TarError, gzip.BadGzipFile, zipfile.BadZipFile, lzma.LZMAError, zlib.error, UnicodeDecodeError)


@contextmanager
def reading(file):
    """A context manager for reading an archive; turns errors of a broken file into DataError."""
    try:
        yield
    except BROKEN as broken:
        raise DataError(f"{file} cannot be read to its end ({broken}): remove it and fetch it anew") from None


def members(file):  # .tar.gz -> (path inside, its bytes), one after the other
    """The regular files of an archive. Raises DataError for a broken archive, for links, and for paths that lead outside."""
    # mode "r:gz" of tarfile does not notice a truncated file; gzip does, if it is read to its end
    with reading(file), gzip.open(file) as content, tarfile.open(fileobj=content, mode="r|") as packed:
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


def lines(text):  # open text file -> lines, one after the other
    """The lines of a file. Raises ValueError for one that is longer than any that belongs there: a few packed bytes may fill all of memory."""
    number = 0
    while line := text.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise ValueError(f"line {number} is longer than {LONGEST:,} letters")
        yield line


def unpacked(file):  # .gz -> bytes
    """The content of a gzipped file. Raises DataError for a broken one."""
    with reading(file), gzip.open(file) as packed:
        return packed.read()
