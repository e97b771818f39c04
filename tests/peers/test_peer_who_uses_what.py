"""The stored table of who uses what, against the configuration classes of the pinned transformers."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # must stand before the first import

import pytest
import transformers

from pencil.experiments.facts.who_uses_what import measure
from pencil.experiments.records import read

pytestmark = pytest.mark.slow


def test_the_record_is_what_the_release_says():
    assert read("who_uses_what").result == measure()


@pytest.mark.parametrize("one", read("who_uses_what")["machines"], ids=lambda one: one["class"])
def test_each_entry_is_a_default_of_its_class(one):
    config = getattr(transformers, one["class"])(allow_global_per_layer_attribute_access=True)
    for entry, field in (("n_layers", "num_hidden_layers"), ("n_heads", "num_attention_heads"), ("n_kv_heads", "num_key_value_heads")):
        assert one[entry] == getattr(config, field)
    for entry, field in (("latent_dim", "kv_lora_rank"), ("window", "sliding_window"), ("bias", "attention_bias"), ("indexed", "index_topk")):
        assert one[entry] == getattr(config, field, None), entry
    if one["n_experts"] is not None:
        assert one["n_experts"] == next(
            getattr(config, name) for name in ("num_local_experts", "num_experts", "n_routed_experts") if hasattr(config, name)
        )
