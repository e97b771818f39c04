"""The tensors of a safetensors checkpoint, in one file or in shards. Names, shapes and types are read at once, tensors lazily."""

import json
from pathlib import Path

import torch
from safetensors import SafetensorError

from pencil.safetensors_file import each_once, open_stored

ONE, LISTED = "model.safetensors", "model.safetensors.index.json"  # a single file, or the index of the shards
FLOATS = ("F16", "BF16", "F32", "F64")  # supported dtypes, as safetensors names them


class Weights:
    """The tensors of a folder by name.

    Args:
        folder: a folder with `model.safetensors`, or with shards and `model.safetensors.index.json`.

    Raises ValueError for a folder without weights, for a file that is not safetensors, and for an index that contradicts its shards.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.shapes, self.types, self._files = {}, {}, {}  # by tensor name
        files, listed = self._shards()
        for file in files:
            with opened(file) as stored:
                for name in stored.keys():  # noqa: SIM118 (no dictionary)
                    if name in self._files:
                        raise ValueError(f"{name} is both in {self._files[name].name} and in {file.name}; keep one of them")
                    found = stored.get_slice(name)
                    self.shapes[name], self.types[name], self._files[name] = tuple(found.get_shape()), found.get_dtype(), file
        found = {name: file.name for name, file in self._files.items()}
        if listed is not None and listed != found:
            odd = next(name for name in (*listed, *found) if listed.get(name) != found.get(name))
            raise ValueError(f"{odd} is in {found.get(odd, 'no file')}, and {LISTED} says: in {listed.get(odd, 'no file')}")

    def read(self, name, dtype=None):  # str -> tensor
        """A tensor, memory-mapped unless `dtype` converts it. Raises ValueError for values that are not finite in float32."""
        with opened(self._files[name]) as stored:
            tensor = stored.get_tensor(name)
        if tensor.numel() and not all(torch.isfinite(end.float()) for end in tensor.aminmax()):
            raise ValueError(f"{name} in {self._files[name]} holds numbers that are not finite in float32")
        return tensor if dtype is None else tensor.to(dtype)

    def _shards(self):  # -> list of Paths, and the index {name: file}, or None for a single file
        if (self.folder / ONE).exists():
            return [self.folder / ONE], None
        if not (self.folder / LISTED).exists():
            pickled = sorted(path.name for path in self.folder.glob("*.bin")) if self.folder.is_dir() else []
            also = f"; {pickled[0]} is a pickle, which may run code when it is read: save it anew as safetensors" if pickled else ""
            raise ValueError(f"{self.folder} has no {ONE}{also}")
        listed = read_json(self.folder / LISTED).get("weight_map")
        if not isinstance(listed, dict) or not all(isinstance(file, str) and file == Path(file).name for file in listed.values()):
            raise ValueError(f"{LISTED} has no weight_map of names and files beside it")
        return [self.folder / name for name in sorted(set(listed.values()))], listed


def opened(file):  # -> safetensors' reader
    """Open a safetensors file. Raises ValueError if it is not one."""
    try:
        return open_stored(file, "pt")
    except (SafetensorError, OSError, ValueError) as wrong:
        raise ValueError(f"{file} is no safetensors file that can be read ({wrong}); download it again") from None


def read_json(file):  # -> dict
    """Read a JSON file that contains an object. Raises ValueError for anything else, and for a name that is in it twice."""
    try:
        if not Path(file).is_file():
            raise ValueError("there is no regular file of that name")
        found = json.loads(Path(file).read_text(encoding="utf-8"), object_pairs_hook=each_once)
    except (OSError, ValueError, RecursionError) as wrong:
        raise ValueError(f"{file} is no JSON that can be read ({wrong})") from None
    if not isinstance(found, dict):
        raise ValueError(f"{file} holds a {type(found).__name__}; an object is wanted")
    return found
