"""Open safetensors files, and the JSON that comes with them, with bounds: they may be of foreign make."""

import json
from pathlib import Path

from safetensors import safe_open

MOST_HEADER = 4_000_000  # bytes; the header of Llama 3.1 405B takes about a hundred thousand


def open_stored(file, framework):  # -> safetensors' reader
    """Open a safetensors file. Raises ValueError for no file, for a header that would take minutes to read, and for a name that is in it twice."""
    if not Path(file).is_file():
        raise ValueError("there is no regular file of that name")  # opening a named pipe would block
    with open(file, "rb") as raw:
        length = int.from_bytes(raw.read(8), "little")
        if MOST_HEADER < length < Path(file).stat().st_size:
            raise ValueError(f"its header takes {length} bytes, and the names and shapes of a model {MOST_HEADER} at most")
        stored = safe_open(file, framework)
        json.loads(raw.read(length), object_pairs_hook=each_once)  # safetensors would take the last of two with one name, and say nothing
    return stored


def each_once(pairs):  # the pairs of an object in JSON -> dict
    """An object_pairs_hook for json. Raises ValueError for a name that is there twice."""
    found = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} is in it twice; keep one of them")
        found[name] = value
    return found
