"""A folder of someone else's checkpoint: what is read, and that whatever does not fit is refused by its name.

That what is read is right is shown in tests/peers, beside transformers.
"""

import json
import os
import re
import struct
import time

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

from pencil import __main__ as command
from pencil.experiments.pretrained import checkpoint
from pencil.experiments.pretrained.layouts import layout_of
from pencil.experiments.pretrained.opened import Opened
from pencil.experiments.pretrained.weights import Weights
from pencil.model import Cache
from pencil.params import flatten
from pencil.reference import decoder, encoder, gelu_erf
from pencil.reference.byte_bpe import byte_letters

GPT2 = {"model_type": "gpt2", "n_embd": 6, "n_head": 3, "n_layer": 2, "vocab_size": 11, "n_positions": 7}
LLAMA = {"model_type": "llama", "hidden_size": 8, "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2}
LLAMA |= {"vocab_size": 11, "intermediate_size": 5}
SMOLLM3 = LLAMA | {"model_type": "smollm3", "no_rope_layers": [1, 0]}

BERT = {"model_type": "bert", "hidden_size": 6, "num_attention_heads": 3, "num_hidden_layers": 2, "vocab_size": 11}
BERT |= {"intermediate_size": 5, "max_position_embeddings": 7}


def tensors_of(said, prefix=""):
    draw = np.random.default_rng(0)
    return {prefix + name: draw.normal(size=one.shape).astype(np.float32) for name, one in layout_of(said).sources.items()}


def put(folder, said, arrays, name="model.safetensors"):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(said if isinstance(said, str) else json.dumps(said))
    save_file(arrays, str(folder / name))
    return folder


@pytest.mark.parametrize("said, prefix", [(GPT2, ""), (GPT2, "transformer."), (LLAMA, "model."), (LLAMA, "")])
def test_reference_and_model_agree_with_names_with_and_without_their_prefix(tmp_path, said, prefix):
    arrays = tensors_of(said)
    arrays = {name if name.startswith("lm_head") else prefix + name: array for name, array in arrays.items()}
    found = checkpoint.read(put(tmp_path, said, arrays))
    ids, model, cache = np.array([[3, 1, 10, 0, 0]]), found.model(torch.float64), Cache()
    reference = decoder(ids, found.params(torch.float64), config=found.config)
    with torch.no_grad():
        np.testing.assert_allclose(model(torch.tensor(ids)).numpy(), reference, rtol=0, atol=1e-10)
        steps = [model(torch.tensor(ids[:, k : k + 1]), cache=cache) for k in range(5)]
    np.testing.assert_allclose(torch.cat(steps, 1).numpy(), reference, rtol=0, atol=1e-10)
    assert found.model().embedding.dtype == torch.float32 and not model.training
    assert all(matrix.T.is_contiguous() for matrix in model.parameters() if matrix.ndim == 2)  # the fast way for one row


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_an_encoder_of_berts_files_is_the_reference_on_their_numbers(tmp_path, prefix):
    arrays = {prefix + name: array for name, array in tensors_of(BERT).items()}
    arrays |= {f"{prefix}embeddings.position_ids": np.arange(7)[None], f"{prefix}pooler.dense.weight": np.ones((6, 6), np.float32)}
    found = checkpoint.read(put(tmp_path, BERT, arrays))
    params, ids, types = found.params(), np.array([[3, 1, 10, 0, 0]]), np.array([[0, 0, 1, 0, 0]])
    second = params.blocks[0].attention.heads[1]
    np.testing.assert_array_equal(second.key, arrays[f"{prefix}encoder.layer.0.attention.self.key.weight"][2:4])
    np.testing.assert_array_equal(second.value_bias, arrays[f"{prefix}encoder.layer.0.attention.self.value.bias"][2:4])
    np.testing.assert_array_equal(params.token_types, arrays[f"{prefix}embeddings.token_type_embeddings.weight"])
    assert (found.config.norm_first, found.config.eps, found.config.activation) == (False, 1e-12, gelu_erf)
    wanted = encoder(ids, found.params(torch.float64), config=found.config, token_type_ids=types)
    with torch.no_grad():
        given = found.model(torch.float64)(torch.tensor(ids), token_type_ids=torch.tensor(types))
    np.testing.assert_allclose(given[0, :3].numpy(), wanted[0, :3], rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    "changed, says",
    [
        ({"is_decoder": True}, "config.json says is_decoder=True; what is read here has is_decoder=False"),
        ({"position_embedding_type": "relative_key"}, "position_embedding_type='relative_key'"),
        ({"pad_token_id": 1}, "config.json says pad_token_id=1; what is read here has pad_token_id=0"),
        ({"type_vocab_size": 3}, "embeddings.token_type_embeddings.weight has the shape (2, 6); (3, 6) is wanted"),
        ({"num_hidden_layers": 3}, "config.json says 3 blocks, and the weights are of 2"),
    ],
)
def test_a_bert_of_another_kind_is_refused(tmp_path, changed, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        checkpoint.read(put(tmp_path, BERT | changed, tensors_of(BERT)))


def test_an_encoder_writes_nothing(tmp_path, capsys):
    assert command.main(["experiment", "open", "--checkpoint", str(put(tmp_path, BERT, tensors_of(BERT)))]) == 1
    assert "is an encoder, which predicts no next token; open a decoder, such as GPT-2" in capsys.readouterr().err


def test_what_is_read_for_the_reference_stays_in_the_file_until_it_is_used(tmp_path):
    found = checkpoint.read(put(tmp_path, GPT2, tensors_of(GPT2)))
    params = found.params()
    assert not any(array.flags.owndata for array in flatten(params).values())
    assert params.blocks[0].attention.heads[0].query.base is not None


def test_shards_are_read_as_their_list_says(tmp_path):
    arrays = tensors_of(LLAMA)
    names = sorted(arrays)
    whole = checkpoint.read(put(tmp_path / "whole", LLAMA, arrays)).params()
    for number, part in enumerate((names[:5], names[5:])):
        put(tmp_path / "parts", LLAMA, {name: arrays[name] for name in part}, f"shard-{number}.safetensors")
    index = {name: f"shard-{int(k >= 5)}.safetensors" for k, name in enumerate(names)}
    listed = tmp_path / "parts" / "model.safetensors.index.json"
    listed.write_text(json.dumps({"weight_map": index}))
    parts = flatten(checkpoint.read(tmp_path / "parts").params())
    assert all(np.array_equal(array, parts[name]) for name, array in flatten(whole).items())
    swapped = {names[0]: index[names[5]], names[5]: index[names[0]]}
    for wrong, odd in ((swapped, f"{names[0]} is in shard-0"), ({"ghost.weight": "shard-1.safetensors"}, "ghost.weight is in no file")):
        listed.write_text(json.dumps({"weight_map": index | wrong}))
        with pytest.raises(ValueError, match=rf"{odd}.*, and model\.safetensors\.index\.json says: in shard-1\.safetensors"):
            checkpoint.read(tmp_path / "parts")
    listed.write_text(json.dumps({"weight_map": {name: file for name, file in index.items() if name != names[5]}}))
    with pytest.raises(ValueError, match=rf"{names[5]} is in shard-1\.safetensors, and .* says: in no file"):
        checkpoint.read(tmp_path / "parts")
    listed.write_text(json.dumps({"weight_map": index | {names[0]: "../shard-0.safetensors"}}))
    with pytest.raises(ValueError, match="no weight_map of names and files beside it"):
        checkpoint.read(tmp_path / "parts")
    listed.write_text(json.dumps({"weight_map": index | {names[0]: "shard-2.safetensors"}}))
    with pytest.raises(ValueError, match=r"shard-2.safetensors is no safetensors file that can be read \(there is no regular file"):
        checkpoint.read(tmp_path / "parts")


def test_what_a_file_leaves_out_is_as_in_the_library():
    bare = {name: value for name, value in LLAMA.items() if name != "num_key_value_heads"} | {"num_attention_heads": 8, "num_hidden_layers": 9}
    mistral, smollm3 = (layout_of(bare | {"model_type": kind}).config for kind in ("mistral", "smollm3"))
    assert (mistral.window, mistral.kv_heads, mistral.tie_embeddings) == (4096, 8, False)
    assert layout_of(bare | {"model_type": "mistral", "sliding_window": None}).config.window is None
    assert (smollm3.kv_heads, smollm3.tie_embeddings, smollm3.position_encoding.base) == (4, True, 2e6)
    assert smollm3.layers_without_positions == (4, 8) and smollm3.window is None


def test_buffers_of_older_files_and_a_table_that_is_there_twice(tmp_path):
    arrays = tensors_of(GPT2)
    old = {f"h.{k}.attn.bias": np.tri(7)[None, None].astype(np.uint8) for k in range(2)} | {"h.0.attn.masked_bias": np.array(-1e4, np.float32)}
    plain = flatten(checkpoint.read(put(tmp_path / "plain", GPT2, arrays)).params())
    more = flatten(checkpoint.read(put(tmp_path / "old", GPT2, arrays | old | {"lm_head.weight": arrays["wte.weight"]})).params())
    assert all(np.array_equal(array, more[name]) for name, array in plain.items()) and len(plain) == len(more)
    with pytest.raises(ValueError, match=re.escape("says that lm_head.weight is the embedding, and its numbers are others")):
        checkpoint.read(put(tmp_path / "other", GPT2, arrays | {"lm_head.weight": arrays["wte.weight"] + 1}))


NO_LLAMA_FITS = [
    ({"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}, "rope_type='dynamic'; known are default, linear, llama3, yarn"),
    ({"rope_scaling": {"rope_type": "yarn", "factor": 2.0}}, "original_max_position_embeddings=None"),
    ({"rope_scaling": {"rope_type": "linear", "factor": 2.0}, "rope_parameters": {"rope_type": "default"}}, "rope_type='default' in rope_parameters"),
    ({"rope_scaling": {"rope_type": ["linear"]}}, "rope_type=['linear']; known are"),
    ({"attention_bias": True, "mlp_bias": False}, "attention_bias=True and mlp_bias=False"),
    ({"rope_scaling": 2.0}, "rope_scaling=2.0; an object is wanted"),
    ({"rope_parameters": {"rope_type": "llama3", "rope_theta": 1e4}}, "factor=None; a number above 0"),
    ({"rope_parameters": {"type": "linear", "factor": -4.0, "rope_theta": 1e4}}, "factor=-4.0; a number above 0"),
    ({"rope_parameters": {"rope_type": "linear", "factor": 4.0, "mscale": 1.0}}, "mscale=1.0 in rope_parameters"),
    ({"rope_parameters": [1e4]}, "rope_parameters=[10000.0]; an object is wanted"),
    ({"rope_parameters": {"partial_rotary_factor": 0.5}}, "partial_rotary_factor=0.5"),
    ({"rope_parameters": {"rope_type": "default"}, "rope_theta": 0}, "rope_theta=0; a number above 0"),
    ({"attention_bias": True, "mlp_bias": False}, "mlp_bias=False"),
    ({"hidden_act": "relu6"}, "hidden_act='relu6'"),
    ({"head_dim": 3}, "q_proj.weight has the shape (8, 8); (12, 8) is wanted"),
    ({"num_key_value_heads": 3}, "n_heads=4 are not shared out to n_kv_heads=3; try 2 or 4"),
    ({"tie_word_embeddings": True}, "lm_head.weight is the embedding, and its numbers are others"),
    ({"partial_rotary_factor": 0.5}, "partial_rotary_factor=0.5; what is read here has partial_rotary_factor=1"),
    ({"pretraining_tp": True}, "pretraining_tp=True"),
    ({"rope_theta": 1e308}, "rope_theta=1e+308; a number above 0"),
    ({"rope_theta": -1}, "rope_theta=-1; a number above 0"),
    ({"is_causal": False}, "is_causal=False; what is read here has is_causal=True"),
]
NO_SMOLLM3_FITS = [
    ({"no_rope_layers": [1]}, "no_rope_layers=[1]; a 1 for each layer that rotates and a 0 for each other is wanted, 2"),
    ({"no_rope_layers": [1, 2]}, "no_rope_layers=[1, 2]; a 1"),
    ({"no_rope_layers": [True, False]}, "no_rope_layers=[True, False]; a 1"),
    ({"no_rope_layers": "10"}, "no_rope_layers='10'; a 1"),
    ({"use_sliding_window": True}, "use_sliding_window=True; what is read here has use_sliding_window=False"),
    ({"no_rope_layer_interval": 0}, "no_rope_layer_interval=0; a whole number"),
    ({"model_type": "mistral", "sliding_window": 0}, "sliding_window=0; a whole number from 1 on"),
    ({"model_type": "mistral", "sliding_window": 2.0}, "sliding_window=2.0; a whole number from 1 on"),
]
NO_GPT2_FITS = [
    ({"model_type": "opt"}, "model_type='opt'; known are gpt2, bert, llama"),
    ({"model_type": None}, "model_type=None"),
    ({"model_type": ["gpt2"]}, "model_type=['gpt2']; known are gpt2, bert, llama"),
    ({"activation_function": ["gelu"]}, "activation_function=['gelu']; known are gelu_new"),
    ({"n_embd": None}, "n_embd=None; a whole number from 1 on is wanted"),
    ({"n_head": 4}, "d_model=6 does not split into n_heads=4; try 3 or 6"),
    ({"n_head": True}, "n_head=True"),
    ({"n_layer": 3}, "config.json says 3 blocks, and the weights are of 2"),
    ({"n_layer": 10**9}, "config.json says 1000000000 blocks"),
    ({"n_head": 10**9}, "1000000000 heads"),
    ({"n_embd": 10**6, "n_head": 10**6}, "a width of 1000000, and no tensor has it"),
    ({"vocab_size": 12}, "wte.weight has the shape (11, 6); (12, 6) is wanted"),
    ({"n_inner": 23}, "c_fc.weight has the shape (6, 24); (6, 23) is wanted"),
    ({"activation_function": "swishy"}, "activation_function='swishy'; known are gelu_new"),
    ({"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx=True"),
    ({"scale_attn_weights": False}, "scale_attn_weights=False"),
    ({"add_cross_attention": True}, "add_cross_attention=True"),
    ({"quantization_config": {"bits": 4}}, "quantization_config="),
    ({"tie_word_embeddings": False}, "lm_head.weight is missing"),
    ({"tie_word_embeddings": "yes"}, "tie_word_embeddings='yes'; true or false"),
    ({"layer_norm_epsilon": "small"}, "layer_norm_epsilon='small'"),
    ({"layer_norm_epsilon": 10**400}, "a number above 0 that float32 can hold is wanted"),
    ({"layer_norm_epsilon": 1e300}, "layer_norm_epsilon=1e+300; a number above 0 that float32 can hold"),
    ({"scale_attn_weights": 1}, "scale_attn_weights=1; what is read here has scale_attn_weights=True"),
    ({"is_causal": False}, "is_causal=False; what is read here has is_causal=True"),
    ({"num_attention_heads": 1}, "num_attention_heads=1; what is read here has num_attention_heads=3"),
    ({"hidden_size": 12}, "hidden_size=12; what is read here has hidden_size=6"),
    ({"max_position_embeddings": 8}, "max_position_embeddings=8; what is read here has max_position_embeddings=7"),
    ({"num_hidden_layers": 1}, "num_hidden_layers=1; what is read here has num_hidden_layers=2"),
]


@pytest.mark.parametrize(
    "said, wrong, says",
    [(GPT2, *one) for one in NO_GPT2_FITS] + [(LLAMA, *one) for one in NO_LLAMA_FITS] + [(SMOLLM3, *one) for one in NO_SMOLLM3_FITS],
)
def test_a_config_that_does_not_fit_is_refused_by_the_name_of_its_setting(tmp_path, said, wrong, says):
    put(tmp_path, said | wrong, tensors_of(said))
    with pytest.raises(ValueError, match=f"cannot be opened: .*{re.escape(says)}"):
        checkpoint.read(tmp_path)


@pytest.mark.parametrize(
    "said, base",
    [
        ({}, 1e4),
        ({"rope_theta": 5e5}, 5e5),
        ({"rope_parameters": {"rope_type": "default"}, "rope_theta": 5e5}, 5e5),
        ({"rope_parameters": {"type": "default", "rope_theta": 5e5}}, 5e5),
        ({"rope_parameters": {"rope_theta": 5e5}, "rope_theta": 2e4}, 5e5),
        ({"rope_parameters": None, "rope_theta": 5e5}, 5e5),
    ],
)
def test_the_base_of_the_angles_is_found_in_either_place(said, base):
    assert layout_of(LLAMA | said).config.position_encoding.base == base


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda a: a.pop("h.1.mlp.c_fc.bias"), "h.1.mlp.c_fc.bias is missing"),
        (lambda a: a.update({"h.1.mlp.c_gate.weight": np.ones(3, np.float32)}), "h.1.mlp.c_gate.weight has no place in a model"),
        (lambda a: a.update({"h.0.attn.c_attn.weight": a["h.0.attn.c_attn.weight"].T.copy()}), "(18, 6); (6, 18) is wanted"),
        (lambda a: a.update({"wpe.weight": a["wpe.weight"].astype(np.int32)}), "wpe.weight is of the type I32"),
        (lambda a: a.update({"transformer.wpe.weight": a["wpe.weight"]}), "is there twice, with transformer. in front and without"),
    ],
)
def test_weights_that_do_not_fit_are_refused_by_their_name(tmp_path, change, says):
    arrays = tensors_of(GPT2)
    change(arrays)
    with pytest.raises(ValueError, match=f"cannot be opened: .*{re.escape(says)}"):
        checkpoint.read(put(tmp_path, GPT2, arrays))


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1e300])
def test_numbers_that_are_not_finite_are_refused_when_they_are_read(tmp_path, odd):
    arrays = tensors_of(GPT2)
    arrays["h.1.ln_2.bias"] = np.array([0, 0, 0, odd, 0, 0])  # float64
    found = checkpoint.read(put(tmp_path, GPT2, arrays))
    for use in (found.params, found.model):
        with pytest.raises(ValueError, match=r"h\.1\.ln_2\.bias in .*model\.safetensors holds numbers that are not finite in float32"):
            use()


def test_a_setting_that_is_there_twice_is_refused(tmp_path):
    put(tmp_path, GPT2, tensors_of(GPT2))
    (tmp_path / "config.json").write_text('{"n_layer": 1, ' + json.dumps(GPT2)[1:])
    with pytest.raises(ValueError, match="'n_layer' is in it twice; keep one of them"):
        checkpoint.read(tmp_path)


def test_a_million_tensors_are_refused_within_seconds(tmp_path):
    empty = json.dumps({"dtype": "F32", "shape": [0], "data_offsets": [0, 0]})
    header = ("{" + ", ".join(f'"h.{i}.ln_1.weight": {empty}' for i in range(1_000_000)) + "}").encode()
    (tmp_path / "config.json").write_text(json.dumps(GPT2))
    (tmp_path / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header)
    start = time.perf_counter()
    with pytest.raises(ValueError, match=r"its header takes 7[0-9]{7} bytes, and the names and shapes of a model 4000000 at most"):
        checkpoint.read(tmp_path)
    assert time.perf_counter() - start < 5


def test_numbers_that_grow_beyond_all_bounds_are_told(tmp_path):
    found = checkpoint.read(put(tmp_path, GPT2, {name: np.full_like(array, 3e38) for name, array in tensors_of(GPT2).items()}))
    with pytest.raises(ValueError, match=r"the model's numbers overflow on this text \(.*overflow"):
        Opened(np.array([1, 2, 3]), found.params(), found.config).next_token_probs()


@pytest.mark.parametrize("said", ["", "[]", "{", "7", "nul", "[" * 100_000])
def test_a_config_that_is_no_object_is_refused(tmp_path, said):
    put(tmp_path, said, tensors_of(GPT2))
    with pytest.raises(ValueError, match=r"config\.json (is no JSON that can be read|holds a (list|int); an object is wanted)"):
        checkpoint.read(tmp_path)


def test_files_of_other_kinds_are_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no folder or file of that name"):
        checkpoint.read(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=re.escape("config.json is no JSON that can be read (there is no regular file")):
        checkpoint.read(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(GPT2))
    with pytest.raises(ValueError, match=r"has no model\.safetensors$"):
        checkpoint.read(tmp_path)
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(ValueError, match=re.escape("pytorch_model.bin is a pickle, which may run code when it is read: save it anew as safetensors")):
        checkpoint.read(tmp_path)
    whole = (put(tmp_path, GPT2, tensors_of(GPT2)) / "model.safetensors").read_bytes()
    for content in (b"", b"GGUF" + bytes(60), whole[:-1], whole[: len(whole) // 2], b"\xff" * 64, whole + b"x"):
        (tmp_path / "model.safetensors").write_bytes(content)
        with pytest.raises(ValueError, match=r"model\.safetensors is no safetensors file that can be read"):
            checkpoint.read(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    os.mkfifo(tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match="there is no regular file of that name"):
        Weights(tmp_path)


def test_a_tokenizer_with_more_pieces_than_the_embedding_has_rows_is_refused(tmp_path):
    pieces = ["<|endoftext|>", *byte_letters()]
    model = {"type": "BPE", "vocab": {piece: i for i, piece in enumerate(pieces)}, "merges": []}
    split = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": model, "pre_tokenizer": split, "added_tokens": []}), encoding="utf-8")
    with pytest.raises(ValueError, match="the tokenizer has 257 pieces, and the embedding has 11 rows"):
        checkpoint.read(put(tmp_path, GPT2, tensors_of(GPT2))).tokenizer()
