"""The Keras cell that chapter 08 shows but does not run."""

import os

os.environ["KERAS_BACKEND"] = "torch"

import json
from pathlib import Path

import pytest

from pencil.publish import Published

CHAPTER = Path(__file__).parents[2] / "notebooks/08_contest.ipynb"


@pytest.fixture(scope="module")
def machine():
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    source = next("".join(c["source"]) for c in cells if "def keras_machine" in "".join(c["source"]))
    names = {}
    exec(source, names)
    return names["keras_machine"]()


def test_it_has_as_many_parameters_as_the_chapter_counts(machine):
    assert machine.count_params() == Published.read(CHAPTER).find("parameters").exact


def test_its_attention_layer_has_the_parameters_of_the_source(machine):
    counts = {type(layer).__name__: layer.count_params() for layer in machine.layers}
    assert counts["MultiHeadAttention"] == 8416
    assert counts["Embedding"] == 320_064
