"""Chapter 06 shows a machine in Keras and does not run it. Here the very cell is run."""

import os

os.environ["KERAS_BACKEND"] = "torch"

import json
from pathlib import Path

import pytest

from pencil.prose import Published

CHAPTER = Path(__file__).parents[2] / "notebooks/06_look_across.ipynb"


@pytest.fixture(scope="module")
def machine():
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    source = next("".join(c["source"]) for c in cells if "".join(c["source"]).startswith("def keras_machine"))
    published = Published.read(CHAPTER)

    class Dictionary:
        rows = int(published.find("table_rows").exact)

    sizes = {"MAX_LEN": "max_len", "EMBEDDING_DIM": "embedding_dim", "N_HEADS": "n_heads", "KEY_DIM": "key_dim", "WORKERS": "workers"}
    names = {python: int(published.find(name).exact) for python, name in sizes.items()} | {"dictionary": Dictionary}
    exec(source, names)
    return names["keras_machine"]()


def test_it_has_as_many_dials_as_the_chapter_counts(machine):
    assert machine.count_params() == Published.read(CHAPTER).find("dials_in_all").exact


def test_its_attention_layer_has_the_dials_of_the_source(machine):
    counts = {type(layer).__name__: layer.count_params() for layer in machine.layers}
    assert counts["MultiHeadAttention"] == 8416
    assert counts["Embedding"] == 320_064
