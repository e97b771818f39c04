"""A model in a file, with its description inside."""

import json
from dataclasses import replace

import numpy as np
import pytest
import safetensors.torch
import torch
from hypothesis import given
from hypothesis import strategies as st
from model_draws import configs

from pencil import reference
from pencil.model import Config, Decoder, Encoder, LoRALinear, ViT, load, replace_linear, save, state_arrays

SMALL = Config.qwen3(8, 2, d_k=4, n_kv_heads=1, d_ff=5, n_layers=2, vocab_size=9)


@given(st.data(), st.booleans(), st.sampled_from([Decoder, Encoder]))
def test_a_model_comes_back_as_it_was(tmp_path_factory, data, padding, kind):
    config, file = data.draw(configs(decoder=kind is Decoder)), tmp_path_factory.mktemp("saved") / "model.safetensors"
    model = kind(config, padding=padding, dropout=0.25).eval()
    save(model, file)
    again, ids = load(file), torch.tensor([[1, 1, 0]]) if padding else torch.tensor([[1, 0, 1]])
    assert type(again) is kind and again.config == config and (again.padding, again.dropout) == (padding, 0.25)
    assert torch.equal(again(ids), model(ids)) and not again.training


def test_an_image_model_and_other_types(tmp_path):
    model = ViT(Config.vit(8, 2, n_layers=1, patch_size=2, channels=1, n_classes=3, max_len=5)).bfloat16()
    save(model, tmp_path / "vit", made_by="a test")
    assert next(load(tmp_path / "vit").parameters()).dtype == torch.bfloat16
    wide = load(tmp_path / "vit", dtype=torch.float64)
    assert wide(torch.ones(4, 4, dtype=torch.float64)).shape == (3,)
    for name, array in state_arrays(model).items():
        np.testing.assert_array_equal(state_arrays(wide)[name], array)


def other(tmp_path, **changed):
    save(Decoder(SMALL), tmp_path / "right")
    with safetensors.safe_open(tmp_path / "right", "pt") as stored:
        notes, arrays = stored.metadata(), {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
    config = json.loads(notes["config"]) | changed.pop("config", {})
    arrays |= changed.pop("arrays", {})
    (tmp_path / "wrong").write_bytes(safetensors.torch.save(arrays, notes | {"config": json.dumps(config)} | changed))
    return tmp_path / "wrong"


@pytest.mark.parametrize(
    "changed, says",
    [
        ({"model": "Reader"}, "which model it is"),
        ({"config": {"d_model": 16}}, "has the shape"),
        ({"config": {"activation": {"is": "system"}}}, "'system' is no choice of a model"),
        ({"config": {"activation": {"is": "Vocabulary"}}}, "'Vocabulary' is no choice of a model"),
        ({"config": {"activation": "silu"}}, "activation='silu' is a str; take relu"),
        ({"config": {"colour": 1}}, "colour"),
        ({"options": json.dumps({"padding": True})}, "its description is not that of a model"),
        ({"arrays": {"more": torch.ones(1)}}, "'more' is not known here"),
        ({"options": json.dumps(["dropout", "padding"])}, "its description is not that of a model"),
        ({"options": json.dumps({"padding": "no", "dropout": 0.0})}, "its description is not that of a model"),
        ({"options": json.dumps({"padding": True, "dropout": 7})}, "its description is not that of a model"),
        ({"config": {"n_layers": 10**7}}, "it says n_layers=10000000, and its arrays have 2"),
        ({"config": {"n_heads": 10**7, "n_kv_heads": 10**6}}, "it says n_heads=10000000, and its arrays have 2"),
        ({"config": {"linear_layers": [1], "linear_heads": 10**7}}, "it says linear_heads=10000000, and its arrays have 2"),
        ({"config": {"eps": "1"}}, "eps='1' is a str; give it a number"),
        ({"config": {"norm": {"is": "softmax"}}}, "norm=softmax has no torch form"),
        ({"arrays": {"embedding": torch.full((9, 8), torch.nan)}}, "embedding has numbers that are not finite"),
        ({"arrays": {"embedding": torch.ones(9, 8, dtype=torch.int64)}}, "embedding has numbers that are not finite, or no floats"),
    ],
    ids=str,
)
def test_another_file_is_refused_by_name(tmp_path, changed, says):
    with pytest.raises(ValueError, match=f"wrong holds no model that `save` wrote: .*({says})"):
        load(other(tmp_path, **changed))


def test_what_cannot_be_saved(tmp_path):
    file = tmp_path / "model"
    for model, says in (
        (Decoder.from_params(Decoder(SMALL).config.decoder_params(), reference.BlockConfig()), "made from a Config can be saved"),
        (torch.nn.Linear(1, 1), "a Linear made from NoneType"),
        (Decoder(SMALL, cross=True), "half of a model"),
        (Decoder(replace(SMALL, position_encoding=reference.Rotary(positions=np.arange(3.0)))), "leave out positions of your own"),
        (Decoder(SMALL.decoder_params(), replace(SMALL, d_model=16)), "has the shape .*; merge the adapters first"),
        (Decoder(replace(SMALL, activation=torch.nn.functional.silu)), "silu is no function of pencil.reference"),
    ):
        with pytest.raises(ValueError, match=says):
            save(model, file)
    adapted = Decoder(SMALL)
    replace_linear(adapted, lambda layer: LoRALinear(layer, 2))
    with pytest.raises(ValueError, match="merge the adapters first"):
        save(adapted, file)
    for notes in ({"config": "mine"}, {"step": 3}):
        with pytest.raises(ValueError, match="a note is a text"):
            save(Decoder(SMALL), file, **notes)
    broken = Decoder(SMALL)
    torch.nn.init.constant_(broken.embedding, torch.nan)
    with pytest.raises(ValueError, match="embedding has numbers that are not finite"):
        save(broken, file)
    assert not file.exists()
    with pytest.raises(ValueError, match="there is no regular file of that name"):
        load(file)
