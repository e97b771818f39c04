"""Quantization and adapters in small sizes, and their records."""

from copy import deepcopy

import numpy as np
import pytest
import torch

from pencil.experiments.facts import int8_speed
from pencil.experiments.records import read
from pencil.experiments.writer import fewer_bits
from pencil.experiments.writer.text_task import TextTask
from pencil.model import Config, Decoder, QuantizedLinear, replace_linear


def small():
    return Decoder(Config(32, 2, n_layers=1, vocab_size=9, max_len=8)).eval()


def test_bits_of_a_dial_count_the_scales():
    model = small()  # 12 · 32 · 32 numbers in four matrices of 96, 32, 128 and 32 rows
    size, found = 12 * 32 * 32, {scales: fewer_bits.bits_per_weight(model, 4, scales) for scales in ("matrix", "row", 32)}
    assert found == pytest.approx({"matrix": 4 + 32 * 4 / size, "row": 4 + 32 * 288 / size, 32: 5})


def test_the_bits_that_are_counted_are_those_of_the_layers_that_are_examined():
    model = small()
    size = sum(layer.weight.numel() for layer in fewer_bits.layers_of(model))
    for _, bits, scales, make in fewer_bits.ways((8, 3)):
        made = replace_linear(deepcopy(model), make)
        kept = sum(layer.scale.numel() * layer.scale.element_size() * 8 for layer in made.modules() if isinstance(layer, QuantizedLinear))
        assert fewer_bits.bits_per_weight(model, bits, scales) == pytest.approx(bits + kept / size)


def test_every_way_to_write_a_layer_gives_nearly_its_numbers():
    model, ids = small(), torch.tensor([[1, 2, 3, 4]])
    before, off = model(ids), {}
    for name, bits, scales, make in fewer_bits.ways((8, 3)):
        off[name, bits, scales] = (replace_linear(deepcopy(model), make)(ids) - before).norm() / before.norm()
    assert all(error < 0.02 if bits == 8 else 0.02 < error < 0.6 for (_, bits, _), error in off.items())


def test_one_scale_for_a_whole_matrix_is_one():
    layer = torch.nn.Linear(3, 5)
    made = fewer_bits.WholeMatrix(layer, bits=8)
    assert made.scale.numel() == 1 and made.weight.shape == (5, 3)
    assert (made.weight - layer.weight).abs().max() <= layer.weight.abs().max() / 127 * 0.5001
    torch.testing.assert_close(made(torch.ones(1, 3)), made.weight.sum(-1)[None] + layer.bias)


def test_each_way_to_go_on_learns_its_own_dials(monkeypatch):
    monkeypatch.setattr(fewer_bits, "GROUP", 8)
    ids, writer, count = np.arange(60) % 9, small(), lambda model: {"loss": sum(p.numel() for p in model.parameters())}
    found = fewer_bits.fine_tune(writer, small(), TextTask(ids, ids[:20], 8), count, steps=1, seed=0)
    narrow = (32 + 96) + (32 + 32) + (32 + 128) * 2
    assert found["adapters"]["n_parameters"] == found["adapters_on_nf4"]["n_parameters"] == narrow
    assert found["all_parameters"]["n_parameters"] == found["as_it_was"]["loss"] == found["merged"]["loss"] == found["adapters"]["loss"] - narrow


def test_the_four_ways_to_compute_agree_nearly():
    told = int8_speed.measure(widths=(32,), rows=(1, 3), rounds=2)
    assert told["bytes"] == [[4 * 32 * 32, 32 * 32 + 4 * 32]]
    for [ways] in told["by_rows"].values():
        assert ways["float32"]["off"] == 0 and all(0 < one["off"] < 0.04 for name, one in ways.items() if name != "float32")


def test_the_records_say_what_the_chapter_says():
    facts, speed = read("fewer_bits"), read("int8_speed")
    losses = {(way["name"], way["bits"], way["scales"]): way["loss"] for way in facts["curve"]}
    for scales in ("matrix", "row", 32):
        row = [losses["whole numbers", bits, scales] for bits in fewer_bits.BITS]
        assert max(row[:3]) < facts["loss"] + 0.01 and row[-1] > facts["loss"] + 0.3  # flat, and then a cliff
    assert losses["whole numbers", 2, "matrix"] > losses["whole numbers", 2, "row"] > losses["whole numbers", 2, 32]
    names = {name: one["names_loss"] for name, one in facts["adapted"].items()}
    assert names["all_parameters"] < names["adapters"] < names["as_it_was"] and names["merged"] == pytest.approx(names["adapters"])
    assert speed["rounds"] == int8_speed.ROUNDS and all(one["unpacked"]["ratio"][1] > 1 for by in speed["by_rows"].values() for one in by)
