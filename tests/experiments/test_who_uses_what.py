"""The table of who uses what: how a configuration is read and counted, and what the record says."""

import re
from types import SimpleNamespace

import pytest

from pencil.experiments.facts.who_uses_what import CLASSES, COLUMNS, entries, kept, rows
from pencil.experiments.records import read
from pencil.paths import ROOT

PLAIN = {"model_type": "plain", "num_hidden_layers": 4, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 16}


def made(**fields):
    return entries(SimpleNamespace(to_dict=lambda: PLAIN | fields))


def test_a_configuration_is_read_and_counted():
    found = made(attention_bias=True, num_experts=6, num_experts_per_tok=2, rope_parameters={"rope_type": "yarn", "rope_theta": 9.0})
    assert (found["bias"], found["n_experts"], found["experts_per_token"], found["rope"], found["rope_theta"]) == (True, 6, 2, ["yarn"], [9.0])
    assert (found["layer_types"], found["kept"], found["window"]) == ({"full_attention": 4}, 2 * 2 * 16, None)
    assert rows([found]) == [("plain", "8/2", "64", "4", "", "", "6/2")]


def test_layers_of_several_kinds():
    found = made(
        layer_types=["linear_attention", "linear_attention", "indexed_attention", "full_attention"], index_topk=7, no_rope_layers=[1, 0, 1, 0]
    )
    assert rows([found])[0][3:6] == ("1", "2s 1i", "7") and found["layers_without_positions"] == 2
    near = made(sliding_window=5)
    assert near["layer_types"] == {"sliding_attention": 4} and rows([near])[0][3:6] == ("0", "4w", "5")
    assert rows([made(layer_types=["heavily_compressed_attention"] * 4)])[0][2:5] == ("", "0", "4z")
    two = made(rope_parameters={"near": {"rope_type": "default", "rope_theta": 1.0}, "far": {"rope_type": "default", "rope_theta": 2.0}})
    assert (two["rope"], two["rope_theta"]) == (["default"], [1.0, 2.0])


@pytest.mark.parametrize(
    "fields, numbers",
    [
        ({"kv_lora_rank": 30, "qk_rope_head_dim": 4}, 34),
        ({"kv_lora_rank": 30, "qk_rope_head_dim": 0}, 30),
        ({"attention_k_eq_v": True}, 32),
        ({"head_dim": None}, None),
        ({"layer_types": ["linear_attention"] * 4}, None),
        ({"per_layer_config": {"03": {"head_dim": 32}}}, None),
    ],
)
def test_how_many_numbers_are_kept(fields, numbers):
    assert made(**fields)["kept"] == numbers


def test_the_record_has_every_class_and_says_its_release():
    record = read("who_uses_what")
    pinned = re.search(r"^transformers==(\S+)", (ROOT / "requirements-slow.txt").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert record["release"] == record.provenance["versions"]["transformers"] == pinned
    assert tuple(one["class"] for one in record["machines"]) == CLASSES
    for one in record["machines"]:
        assert sum(one["layer_types"].values()) == one["n_layers"] and one["kept"] == kept(one)
    by_type = {one["model_type"]: one for one in record["machines"]}
    assert by_type["deepseek_v3"]["kept"] == 512 + 64 and by_type["gpt_oss"]["bias"] is True
    assert all(len(row) == len(COLUMNS) for row in rows(record["machines"]))
