"""Checkpoint files of a TinyGPT: invalid ones are refused before a model is built."""

import json
import os
import struct

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from pencil.experiments.writer import tiny_gpt
from pencil.experiments.writer.tiny_gpt import TinyGPT
from pencil.experiments.writer.writer_file import read
from pencil.model import Config, state_arrays

TEXT = "the cat sat on the mat. the cat ate the rat. " * 3
SIZES = {"d_model": 8, "n_heads": 2, "n_layers": 2, "max_len": 6}


@pytest.fixture(scope="module")
def writer():
    tokenizer = tiny_gpt.train_tokenizer(TEXT, 3)
    return TinyGPT(tiny_gpt.build_model(Config(**SIZES), tokenizer), tokenizer)


def kept(writer, **said):
    """The arrays and the metadata of a right file, with some of the metadata said otherwise."""
    metadata = {"sizes": SIZES, "pieces": writer.tokenizer.pieces, "merges": writer.tokenizer.merges} | said
    return state_arrays(writer.model), {name: value if isinstance(value, str) else json.dumps(value) for name, value in metadata.items()}


def test_a_right_file_is_read_in_every_float(tmp_path, writer):
    arrays, metadata = kept(writer)
    for kind in (np.float16, np.float32, np.float64):
        save_file({name: array.astype(kind) for name, array in arrays.items()}, tmp_path / "w", metadata)
        sizes, tokenizer, found = read(tmp_path / "w")
        assert sizes == Config(**SIZES, vocab_size=len(writer.tokenizer.pieces)) and tokenizer == writer.tokenizer
        assert all(array.dtype == np.float32 and np.allclose(array, arrays[name], atol=1e-3) for name, array in found.items())


@pytest.mark.parametrize("merges", [0, 25])
def test_a_writer_comes_back_whole(tmp_path, merges):
    tokenizer, _, _ = tiny_gpt.make_splits(TEXT, merges)
    writer = TinyGPT(tiny_gpt.build_model(Config(**SIZES), tokenizer, seed=4), tokenizer)
    tiny_gpt.save(tmp_path / "w", writer)
    again = tiny_gpt.load_writer(tmp_path / "w")
    assert again.tokenizer == tokenizer and all(
        np.array_equal(array, state_arrays(writer.model)[name]) for name, array in state_arrays(again.model).items()
    )
    assert tiny_gpt.write(again, "the ", 20) == tiny_gpt.write(writer, "the ", 20)


SAID = {  # what the metadata say instead, and what is answered
    "a million layers": ({"sizes": SIZES | {"n_layers": 1_000_000}}, "it says n_layers=1000000, and its arrays have 2"),
    "no layers": ({"sizes": SIZES | {"n_layers": 0}}, "n_layers=0, and its arrays have 2"),
    "a huge width": ({"sizes": SIZES | {"d_model": 10**30}}, f"d_model={10**30}, and its arrays have 8"),
    "fewer heads": ({"sizes": SIZES | {"n_heads": 1}}, "n_heads=1, and its arrays have 2"),
    "heads that do not divide": ({"sizes": SIZES | {"n_heads": 3}}, "n_heads=3"),
    "longer texts": ({"sizes": SIZES | {"max_len": 7}}, "max_len=7, and its arrays have 6"),
    "a size of -1": ({"sizes": SIZES | {"max_len": -1}}, "max_len=-1"),
    "a fraction": ({"sizes": SIZES | {"d_model": 8.0}}, "d_model=8.0"),
    "NaN": ({"sizes": SIZES | {"d_model": float("nan")}}, "d_model=nan"),
    "a text": ({"sizes": SIZES | {"d_model": "8"}}, "d_model='8'"),
    "true": ({"sizes": SIZES | {"n_layers": True}}, "n_layers=True"),
    "null": ({"sizes": SIZES | {"n_layers": None}}, "n_layers=None"),
    "a size too many": ({"sizes": SIZES | {"d_ff": 10**9}}, "its sizes have to be d_model, n_heads, n_layers, max_len"),
    "a size too few": ({"sizes": {"d_model": 8}}, "its sizes have to be"),
    "a list of sizes": ({"sizes": [8, 2, 2, 6]}, "its sizes have to be"),
    "no sizes": ({"sizes": None}, "its sizes have to be"),
    "no JSON": ({"sizes": "{"}, "is no checkpoint that can be read"),
    "deep JSON": ({"sizes": "[" * 200_000}, "is no checkpoint that can be read"),
    "an endless number": ({"sizes": '{"d_model": ' + "9" * 5000 + "}"}, "is no checkpoint that can be read"),
    "pieces in one text": ({"pieces": '"abc"'}, "its pieces are no list of texts"),
    "pieces that are numbers": ({"pieces": [1, 2]}, "its pieces are no list of texts"),
    "an empty piece": ({"pieces": ["a", ""]}, "its pieces are no list of texts"),
    "a piece twice": ({"pieces": ["a", "a"]}, "it has a piece twice"),
    "no pieces": ({"pieces": [], "merges": []}, "its embedding has 15 rows, and there are 0 pieces"),
    "a piece too few": ({"pieces": list("abc"), "merges": []}, "and there are 3 pieces"),
    "merges of three": ({"merges": [["a", "b", "c"]]}, "its merges are no list of pairs"),
    "merges that are texts": ({"merges": ["ab"]}, "its merges are no list of pairs"),
    "merges that are a map": ({"merges": {"a": "b"}}, "its merges are no list of pairs"),
    "a merge of numbers": ({"merges": [[1, 2]]}, "it merges 1 and 2, which are not among its pieces"),
    "a merge twice": ({"merges": [["a", "b"]] * 2, "pieces": ["a", "b", "ab"]}, "it has a merge twice"),
    "a size twice": ({"sizes": '{"n_layers": 9, ' + json.dumps(SIZES)[1:]}, "'n_layers' is in it twice"),
    "a merge of strangers": ({"merges": [["q", "z"]]}, "it merges 'q' and 'z'"),
}


@pytest.mark.parametrize("said, answer", SAID.values(), ids=SAID)
def test_what_the_metadata_say_is_held_against_the_arrays(tmp_path, writer, said, answer):
    save_file(*kept(writer)[:1], tmp_path / "w", kept(writer, **said)[1])
    check_refused(tmp_path / "w", answer)


def without(name):
    return lambda arrays: {each: array for each, array in arrays.items() if each != name}


def other(name, array):
    return lambda arrays: arrays | {name: array}


ARRAYS = {  # what the arrays are instead, and what is answered
    "none": (lambda arrays: {}, "d_model=8, and its arrays have 0"),
    "no embedding": (without("embedding"), "d_model=8, and its arrays have 0"),
    "no positions": (without("positions"), "max_len=6, and its arrays have 0"),
    "a bias too few": (without("block1.norm1.bias"), "'block1.norm1.bias' is missing"),
    "one too many": (other("lm_head.weight", np.ones((2, 2), np.float32)), "'lm_head.weight' is not known here"),
    "a block too many": (other("block3.norm1.bias", np.ones(8, np.float32)), "n_layers=2, and its arrays have 3"),
    "a flat embedding": (other("embedding", np.ones(120, np.float32)), "d_model=8, and its arrays have 0"),
    "a scalar": (other("positions", np.array(1, np.float32)), "max_len=6, and its arrays have 0"),
    "another shape": (other("norm.gain", np.ones(7, np.float32)), r"norm.gain has the shape \(7,\); \(8,\) is wanted"),
    "an empty row": (other("norm.gain", np.ones(0, np.float32)), r"norm.gain has the shape \(0,\)"),
    "whole numbers": (other("norm.gain", np.ones(8, np.int8)), "norm.gain is of the type I8"),
    "True and False": (other("norm.gain", np.ones(8, bool)), "norm.gain is of the type BOOL"),
    "NaN": (other("norm.gain", np.full(8, np.nan, np.float32)), "norm.gain holds numbers that are not finite"),
    "too large for float32": (other("norm.gain", np.full(8, 1e200)), "norm.gain holds numbers that are not finite"),
}


@pytest.mark.parametrize("change, answer", ARRAYS.values(), ids=ARRAYS)
def test_arrays_of_foreign_make_are_refused(tmp_path, writer, change, answer):
    arrays, metadata = kept(writer)
    save_file(change(arrays), tmp_path / "w", metadata)
    check_refused(tmp_path / "w", answer)


def as_bytes(header, body=b""):
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + body


def one(**said):
    return as_bytes({"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]} | said}, bytes(4))


FILES = {
    "empty": b"",
    "a text": b"a text",
    "zeros": bytes(100),
    "a header without end": struct.pack("<Q", 2**63) + b"{}",
    "a header of a million names": as_bytes(b" " * 5_000_000 + b"{}"),
    "a header cut off": struct.pack("<Q", 100) + b"{",
    "a header of noise": as_bytes(b"\xff\xfe" * 8),
    "a list for a header": as_bytes(b"[1]"),
    "a negative shape": one(shape=[-1]),
    "a shape that overflows": one(shape=[2**40, 2**40]),
    "bytes that are not there": one(data_offsets=[0, 400]),
    "another's bytes": one(data_offsets=[4, 0]),
    "a type of another day": one(dtype="F7"),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_bytes_that_are_no_safetensors_are_refused(tmp_path, content):
    (tmp_path / "w").write_bytes(content)
    check_refused(tmp_path / "w", "is no checkpoint that can be read")


def test_a_name_that_is_twice_in_the_header_is_refused(tmp_path):
    header = b'{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}'
    (tmp_path / "w").write_bytes(as_bytes(header, bytes(4)))
    with safe_open(tmp_path / "w", "numpy") as stored:  # the library takes the last, and says nothing
        assert stored.get_tensor("x").shape == (1,)
    check_refused(tmp_path / "w", "'x' is in it twice; keep one of them")


@pytest.mark.parametrize("kind, size", [("BF16", 2), ("F8_E5M2", 1), ("C64", 8)])
def test_floats_that_numpy_does_not_have_are_told_by_name(tmp_path, kind, size):
    header = {"x": {"dtype": kind, "shape": [1], "data_offsets": [0, size]}, "__metadata__": {"sizes": "{}", "pieces": "[]", "merges": "[]"}}
    (tmp_path / "w").write_bytes(as_bytes(header, bytes(size)))
    check_refused(tmp_path / "w", f"x is of the type {kind}, and a writer's numbers are F16, F32, F64")


def test_arrays_without_metadata_are_told(tmp_path):
    save_file({"x": np.ones(2)}, tmp_path / "w")
    check_refused(tmp_path / "w", "does not say its sizes, pieces and merges")


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "w")
    for path in (tmp_path / "w", tmp_path):
        check_refused(path, "no regular file")
    check_refused(tmp_path / "nowhere", "is not there yet")


def check_refused(file, answer):
    with pytest.raises(ValueError, match=answer) as refused:
        tiny_gpt.load_writer(file)
    assert str(file) in str(refused.value) and "experiment tiny-gpt --checkpoint " in str(refused.value) and len(str(refused.value)) < 6000


def test_a_write_that_is_broken_off_leaves_the_writer_that_stood(tmp_path, writer, monkeypatch):
    tiny_gpt.save(tmp_path / "w", writer)
    before = (tmp_path / "w").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        tiny_gpt.save(tmp_path / "w", TinyGPT(tiny_gpt.build_model(Config(**SIZES), writer.tokenizer, seed=9), writer.tokenizer))
    assert (tmp_path / "w").read_bytes() == before and [path.name for path in tmp_path.iterdir()] == ["w"]
