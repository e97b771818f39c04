"""Read a TinyGPT checkpoint, and validate its metadata against its arrays before a model is built from it."""

import json
import shlex
from pathlib import Path

import numpy as np
from safetensors import SafetensorError

from pencil.model.config import Config
from pencil.params import check_same, flatten, unflatten
from pencil.reference.bpe import BPE
from pencil.safetensors_file import each_once, open_stored

METADATA = ("sizes", "pieces", "merges")
FLOATS = ("F16", "F32", "F64")  # supported dtypes, as safetensors names them
REMEDY = "`python -m pencil experiment tiny-gpt --checkpoint FILE` writes one that is right"


def read(file):  # -> Config, BPE, {name: array}
    """The sizes, the tokenizer and the arrays of a file. Raises ValueError for an unreadable or inconsistent file."""
    metadata, arrays = _contents(file)
    try:
        tokenizer = bpe_of(metadata["pieces"], metadata["merges"])
        sizes = _sizes(metadata["sizes"], arrays)
        check_same(flatten(sizes.decoder_params()), arrays)
        if len(arrays["embedding"]) != len(tokenizer.pieces):
            raise ValueError(f"its embedding has {len(arrays['embedding'])} rows, and there are {len(tokenizer.pieces)} pieces")
        if odd := [name for name, array in arrays.items() if not np.isfinite(array).all()]:
            raise ValueError(f"{odd[0]} holds numbers that are not finite in float32")
    except ValueError as wrong:
        raise ValueError(f"{file} holds no writer: {wrong}; {REMEDY}") from None
    return sizes, tokenizer, arrays


def read_params(file):  # -> DecoderParams, Config, BPE
    """A writer for `pencil.reference.decoder`, and its tokenizer. Raises ValueError as `read` does."""
    sizes, tokenizer, arrays = read(file)
    return unflatten(sizes.decoder_params(), arrays), sizes, tokenizer


def _contents(file):  # -> {name: metadata parsed from JSON}, {name: float32 array}
    if not Path(file).exists():
        raise ValueError(f"{file} is not there yet; `python -m pencil experiment tiny-gpt --checkpoint {shlex.quote(str(file))}` trains one")
    try:
        with open_stored(file, "numpy") as stored:
            metadata = {name: json.loads(text, object_pairs_hook=each_once) for name, text in (stored.metadata() or {}).items() if name in METADATA}
            types = {name: stored.get_slice(name).get_dtype() for name in stored.keys()}  # noqa: SIM118 (no dictionary)
            if other := next((name for name, kind in types.items() if kind not in FLOATS), None):
                raise ValueError(f"{other} is of the type {types[other]}, and a writer's numbers are {', '.join(FLOATS)}")
            with np.errstate(over="ignore"):  # overflow becomes infinite, which `read` refuses
                arrays = {name: stored.get_tensor(name).astype(np.float32) for name in types}
    except (SafetensorError, OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file} is no checkpoint that can be read ({error}); {REMEDY}") from None
    if len(metadata) < len(METADATA):
        raise ValueError(f"{file} does not say its sizes, pieces and merges; {REMEDY}")
    return metadata, arrays


def _sizes(stored, arrays):  # sizes in the metadata, {name: array} -> Config
    """Compare the sizes with the arrays, so that a wrong one does not allocate a huge model."""
    blocks = {name.partition(".")[0] for name in arrays if name.startswith("block")}
    heads = {name.split(".")[2] for name in arrays if name.startswith("block1.attention.head")}
    shapes = [arrays[name].shape if name in arrays and arrays[name].ndim == 2 else (0, 0) for name in ("embedding", "positions")]
    found = {"d_model": shapes[0][1], "n_heads": len(heads), "n_layers": len(blocks), "max_len": shapes[1][0]}
    if not isinstance(stored, dict) or set(stored) != set(found):
        raise ValueError(f"its sizes have to be {', '.join(found)}")
    for name, size in stored.items():
        if type(size) is not int or size != found[name]:
            raise ValueError(f"it says {name}={size!r}, and its arrays have {found[name]}")
    return Config(**stored, vocab_size=shapes[0][0])


def bpe_of(pieces, merges):  # list of str, list of pairs -> BPE
    """A BPE from JSON. Raises ValueError unless every merge consists of, and makes, one of the pieces."""
    if not isinstance(pieces, list) or not all(isinstance(piece, str) and piece for piece in pieces):
        raise ValueError("its pieces are no list of texts")
    known = set(pieces)
    if len(known) < len(pieces):
        raise ValueError("it has a piece twice")
    if not isinstance(merges, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in merges):
        raise ValueError("its merges are no list of pairs")
    for first, second in merges:
        if not (isinstance(first, str) and isinstance(second, str) and {first, second, first + second} <= known):
            raise ValueError(f"it merges {first!r} and {second!r}, which are not among its pieces")
    if len(set(map(tuple, merges))) < len(merges):
        raise ValueError("it has a merge twice")
    return BPE(tuple(map(tuple, merges)), tuple(pieces))
