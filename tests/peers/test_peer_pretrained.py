"""Checkpoints that transformers writes, opened by the book's code: a GPT-2 and a Llama from random configs, and their tokenizers. Nothing is fetched.

In float64 every value that the library lets out is ours within 1e-10. Its RMSNorm and its angles fall back to float32 whatever they are
given, so torch's RMSNorm and our angles stand in for them.
"""

import json
import random
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import torch
import transformers
from agree import assert_close
from hypothesis import example, given
from hypothesis import strategies as st
from opened_peers import Angles, assert_every_block_agrees, assert_opened_as, assert_the_same_greedy_text, llama_config, scope
from pairs import keep, shaken
from pairs_modern import in_full
from pairs_transformers import NO_IDS, gpt2_config, inside
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from pencil.data.downloads import verify
from pencil.experiments.pretrained import checkpoint, tokenizer
from pencil.model import NextToken
from pencil.reference import decoder
from pencil.reference.byte_bpe import byte_letters

every = pytest.mark.parametrize
SHAPES = [(1, 1, 2, 1, 1), (2, 9, 12, 3, 20), (1, 6, 10, 5, None)]  # batch, words, width, heads, width of the MLP


def named_gpt2(peer, ids):  # -> logits, {our name: value}
    body, modules = peer.transformer, {}
    for i, one in enumerate(body.h, start=1):
        modules |= {f"block{i}.{name}": module for name, module in {
            "norm1.affine": one.ln_1, "qkv": one.attn.c_attn, "attn_out": one.attn.c_proj, "norm2.affine": one.ln_2,
            "hidden": one.mlp.c_fc, "activated": one.mlp.act, "mlp_out": one.mlp.c_proj, "out": one,
        }.items()}  # fmt: skip
    kept = keep(modules | {"norm.affine": body.ln_f, "embedding": body.wte})
    answer = peer(ids, use_cache=False, output_attentions=True, output_hidden_states=True)
    heads = peer.config.n_head
    for i in range(1, len(body.h) + 1):
        for what, rows in zip(("query", "key", "value"), kept.pop(f"block{i}.qkv").chunk(3, -1), strict=True):
            kept |= {f"block{i}.{scope(heads, h)}{what}": part for h, part in enumerate(rows.chunk(heads, -1), start=1)}
        kept[f"block{i}.residual"] = kept[f"block{i}.out"] - kept[f"block{i}.mlp_out"]
    return answer.logits, kept | {"x": answer.hidden_states[0], "logits": answer.logits} | inside(answer, "norm.affine")


@every("shape", SHAPES, ids=str)
@every("tied", [True, False])
def test_a_gpt2(tmp_path, shape, tied):
    config = gpt2_config(shape, depth=3, eps=1e-4)
    config.tie_word_embeddings = tied
    peer = shaken(transformers.GPT2LMHeadModel(config), 0, torch.float64)
    peer.save_pretrained(tmp_path)
    ids = torch.tensor(np.random.default_rng(0).integers(0, 13, shape[:2]))
    with torch.no_grad():
        logits, named = named_gpt2(peer, ids)
    assert len(named) >= 3 * 11
    found = checkpoint.read(tmp_path)
    assert_opened_as(found, ids, logits, named)
    assert_the_same_greedy_text(found, peer, ids, min(8, config.n_positions - ids.shape[1]))


@every("sizes", [(2, 1, 1, 2, 1), (12, 6, 3, 8, 9), (10, 2, 2, 4, 11), (8, 4, 1, 2, 7)], ids=str)
@every("tied, bias, base", [(False, False, 10_000.0), (True, True, 500_000.0)])
def test_a_llama(tmp_path, sizes, tied, bias, base):
    peer = shaken(transformers.LlamaForCausalLM(llama_config(*sizes, tied, bias, base)), 0, torch.float64)
    peer.save_pretrained(tmp_path, max_shard_size=2000)
    body = in_full(peer, 1e-5).model
    body.rotary_emb = Angles(sizes[3], base)
    modules = {"embedding": body.embed_tokens, "norm.affine": body.norm}
    for i, one in enumerate(body.layers, start=1):
        attention, mlp = one.self_attn, one.mlp
        modules |= {f"block{i}.{name}": module for name, module in {
            "norm1.affine": one.input_layernorm, "norm2.affine": one.post_attention_layernorm, "attn_out": attention.o_proj,
            "gate": mlp.gate_proj, "hidden": mlp.up_proj, "activated": mlp.act_fn, "mlp_out": mlp.down_proj, "value": attention.v_proj, "out": one,
        }.items()}  # fmt: skip
    kept, ids = keep(modules), torch.tensor(np.random.default_rng(0).integers(0, 13, (2, 7)))
    with torch.no_grad():
        logits = peer(ids, use_cache=False).logits
    heads, pairs = sizes[1:3]
    for i in (1, 2):
        values = kept.pop(f"block{i}.value").chunk(pairs, -1)
        kept |= {f"block{i}.{scope(heads, 1 + k * heads // pairs)}value": one for k, one in enumerate(values)}
        kept[f"block{i}.residual"] = kept[f"block{i}.out"] - kept[f"block{i}.mlp_out"]
    found = checkpoint.read(tmp_path)
    assert_opened_as(found, ids, logits, kept | {"logits": logits})
    assert_the_same_greedy_text(found, peer, ids)


QWENS = {"qwen2": (transformers.Qwen2Config, transformers.Qwen2ForCausalLM), "qwen3": (transformers.Qwen3Config, transformers.Qwen3ForCausalLM)}


@every("sizes", [(2, 1, 1, 2, 1), (12, 6, 3, 8, 9), (8, 4, 1, 6, 7)], ids=str)
@every("kind, tied", [("qwen2", True), ("qwen3", False), ("qwen3", True)])
def test_a_qwen(tmp_path, kind, sizes, tied):
    d, heads, pairs, d_k, d_ff = sizes
    d_k = d_k if kind == "qwen3" else max(2, d // heads)
    theirs = {"hidden_size": d, "num_attention_heads": heads, "num_key_value_heads": pairs, "head_dim": d_k, "intermediate_size": d_ff}
    theirs |= {"num_hidden_layers": 2, "vocab_size": 13, "tie_word_embeddings": tied, "rms_norm_eps": 1e-5, "rope_theta": 1e6}
    config, model = QWENS[kind]
    peer = shaken(model(config(**theirs, attn_implementation="sdpa", **NO_IDS)), 0, torch.float64)
    peer.save_pretrained(tmp_path)
    assert_every_block_agrees(checkpoint.read(tmp_path), peer, d_k=d_k, base=1e6, length=7)


TODAY = {
    "mistral": (
        transformers.MistralConfig,
        transformers.MistralForCausalLM,
        [{"sliding_window": 3}, {"sliding_window": 1}, {"sliding_window": None}],
    ),
    "smollm3": (transformers.SmolLM3Config, transformers.SmolLM3ForCausalLM, [{}, {"no_rope_layers": [0, 1, 1, 0]}, {"no_rope_layer_interval": 2}]),
}


@every("sizes", [(2, 1, 1, 2, 1), (12, 6, 3, 2, 9), (8, 4, 1, 2, 7)], ids=str)
@every("kind, number", [(kind, number) for kind in TODAY for number in range(3)])
def test_a_window_and_layers_without_positions(tmp_path, kind, number, sizes):
    d, heads, pairs, d_k, d_ff = sizes
    theirs = {"hidden_size": d, "num_attention_heads": heads, "num_key_value_heads": pairs, "intermediate_size": d_ff}
    theirs |= {"num_hidden_layers": 4, "vocab_size": 13, "tie_word_embeddings": bool(number), "rms_norm_eps": 1e-5, "rope_theta": 1e4}
    config, model, options = TODAY[kind]
    peer = shaken(model(config(**theirs, **options[number], attn_implementation="sdpa", **NO_IDS)), 0, torch.float64)
    peer.save_pretrained(tmp_path)
    found = checkpoint.read(tmp_path)
    assert (found.config.window or None) == getattr(peer.config, "sliding_window", None)
    assert_every_block_agrees(found, peer, d_k=d_k, base=1e4, length=9)


LLAMA31 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8}


@every("scaling", [LLAMA31, LLAMA31 | {"factor": 32.0, "original_max_position_embeddings": 3}, {"rope_type": "linear", "factor": 4.0}], ids=str)
@every("key", ["rope_scaling", "rope_parameters"])
def test_scaled_rotary_positions(tmp_path, scaling, key):
    config = llama_config(12, 6, 3, 8, 9, base=100.0)
    config.rope_parameters = {"rope_theta": 100.0} | scaling
    peer = shaken(transformers.LlamaForCausalLM(config), 0, torch.float32)
    peer.save_pretrained(tmp_path)
    written = json.loads((tmp_path / "config.json").read_text())
    said = written.pop("rope_parameters")
    (tmp_path / "config.json").write_text(json.dumps(written | {"rope_theta": said.pop("rope_theta")} | {key: said}))
    ids, ours = torch.tensor([[3, 1, 12, 0, 0, 5, 7, 2, 9] * 3]), checkpoint.read(tmp_path)
    frequencies = 1 / (100.0 ** (np.arange(0, 8, 2) / 8) * ours.config.position_encoding.stretch(8))
    np.testing.assert_allclose(frequencies, peer.model.rotary_emb.inv_freq.numpy(), rtol=1e-6)
    with torch.no_grad():
        assert_close(ours.model()(ids), peer(ids).logits, 1e-4, "logits")
        unscaled = ours.model(torch.float64)
        np.testing.assert_allclose(unscaled(ids)[0], decoder(ids[0].numpy(), ours.params(torch.float64), config=ours.config), rtol=1e-10, atol=1e-10)


@every("said", [{"rope_parameters": {"rope_type": "default"}}, {}, {"rope_parameters": {"rope_theta": 500_000.0}, "rope_theta": 20_000.0}], ids=str)
def test_a_base_that_stands_where_the_library_finds_it_too(tmp_path, said):
    shaken(transformers.LlamaForCausalLM(llama_config(12, 6, 3, 8, 9)), 0, torch.float32).save_pretrained(tmp_path)
    written = json.loads((tmp_path / "config.json").read_text())
    del written["rope_parameters"]
    (tmp_path / "config.json").write_text(json.dumps(written | {"rope_theta": 500_000.0} | said))
    ids, ours = torch.tensor([[3, 1, 12, 0, 0, 5, 7, 2, 9]]), checkpoint.read(tmp_path)
    with torch.no_grad():
        theirs = transformers.LlamaForCausalLM.from_pretrained(tmp_path)(ids).logits
        assert_close(ours.model()(ids), theirs, 1e-4, "logits")
        (tmp_path / "config.json").write_text(json.dumps(written))  # the usual base
        assert (checkpoint.read(tmp_path).model()(ids) - theirs).abs().max() > 1e-2  # at a width of 8 it is heard


def test_half_precision_is_read_as_it_is(tmp_path):
    peer = shaken(transformers.GPT2LMHeadModel(gpt2_config(SHAPES[1], depth=1)), 0, torch.bfloat16)
    peer.save_pretrained(tmp_path)
    found = checkpoint.read(tmp_path)
    wanted = peer.transformer.wte.weight.detach().float()
    assert torch.equal(found.model().embedding, wanted) and np.array_equal(found.params().embedding, wanted.numpy())


# ---- the real GPT-2, where it is; `-rs` says where it is not

BEGUN = "Alan Turing theorized that computers would one day become"
BEGUN_IDS = [36235, 39141, 18765, 1143, 326, 9061, 561, 530, 1110, 1716]
GREEDY = " the most powerful machines on the planet."  # picoGPT's README and others, of the same weights


def test_the_real_gpt2(real_data):
    folder = real_data("gpt2", "gpt2/model.safetensors").parent
    verify("gpt2")
    found = checkpoint.read(folder)
    ours, byte_pairs = found.model(), found.tokenizer()
    assert byte_pairs.encode(BEGUN).tolist() == BEGUN_IDS
    ids = torch.tensor([BEGUN_IDS])
    with torch.no_grad():
        assert_close(ours(ids), transformers.GPT2LMHeadModel.from_pretrained(folder)(ids).logits, 1e-4, "logits")
        next_token, text = NextToken(ours, top_k=1), list(BEGUN_IDS)
        for _ in range(8):
            text.append(int(next_token(text)[0].argmax()))
    assert byte_pairs.decode(text[len(BEGUN_IDS) :]) == GREEDY


# ---- tokenizers

LETTERS = "aaabcdeéßİǅ  '' .,!?-_/\\\t\n\r\v\x1c\x85\u00a0\u3000\u2028()[]<>&;:\"#$%+*=@^`|~0123½Ⅻ٣漢字かなあ̈😀👩‍👩‍👧стuvwSTVLREMD'llvere"
TEXTS = ["The cat sat on the mat. The cat's mat!", "don't DON'T we'Ll they've I'm  two  blanks\n\n\nlines 12345 ½"]
TEXTS += ["naïve café 東京 😀 <|endoftext|> on", ""]


def random_texts(seed, count=60):
    rng = random.Random(seed)
    return TEXTS + ["".join(rng.choices(LETTERS, k=rng.randint(0, 80))) for _ in range(count)]


LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def trained(kind):  # -> tokenizers.Tokenizer
    made = Tokenizer(models.BPE(ignore_merges=kind == "llama3"))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if kind == "llama3":
        split = pre_tokenizers.Split(Regex(LLAMA3), "isolated")
        made.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    made.decoder = decoders.ByteLevel()
    learned = trainers.BpeTrainer(vocab_size=420, special_tokens=["<|endoftext|>"], initial_alphabet=list(byte_letters()), show_progress=False)
    made.train_from_iterator(random_texts(99, 300), learned)
    return made


@every("kind", ["gpt2", "llama3"])
@every("seed", range(4))
def test_a_tokenizer_json_gives_the_ids_of_the_library(tmp_path, kind, seed):
    theirs = trained(kind)
    theirs.save(str(tmp_path / "tokenizer.json"))
    ours = tokenizer.read(tmp_path)
    for text in random_texts(seed):
        ids = theirs.encode(text, add_special_tokens=False).ids
        assert ours.encode(text).tolist() == ids, text
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False) == text
    some = np.random.default_rng(seed).integers(0, len(ours.pieces), 50)  # bytes that make no letter
    assert ours.decode(some) == theirs.decode(some.tolist(), skip_special_tokens=False)


@every("front", [["<s>"], [], ["<s>", "<|endoftext|>"]], ids=str)
@every("alone", [True, False])
def test_tokens_in_front_are_those_of_the_library(tmp_path, front, alone):
    theirs = trained("llama3")
    theirs.add_special_tokens(["<s>"])
    named = [(token, theirs.token_to_id(token)) for token in ("<s>", "<|endoftext|>")]
    template = processors.TemplateProcessing(single=[*front, "$A"], pair=[*front, "$A", "$B"], special_tokens=named)
    theirs.post_processor = template if alone else processors.Sequence([processors.ByteLevel(trim_offsets=False), template])
    theirs.save(str(tmp_path / "tokenizer.json"))
    ours = tokenizer.read(tmp_path)
    assert list(ours.begin) == front
    for text in random_texts(0, 9):
        for adds in (True, False):
            assert ours.encode(text, add_special_tokens=adds).tolist() == theirs.encode(text, add_special_tokens=adds).ids, text


@given(
    st.lists(st.tuples(st.text("abx", min_size=1, max_size=3), st.booleans(), st.booleans()), min_size=1, max_size=5, unique_by=lambda t: t[0]),
    st.text("abxy ", max_size=12),
)
@example([("ab", True, False), ("xab", False, True)], "xab")
@example([("ab", True, False), ("abx", True, False)], "abxab")
def test_added_tokens_that_overlap_are_found_as_by_hugging_face(added, text):
    letters = byte_letters()
    theirs = Tokenizer(models.BPE({letter: i for i, letter in enumerate(letters)}, []))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    added = [(content, special, normalized) for content, special, normalized in added if len(content) > 1]
    theirs.add_tokens([AddedToken(content, special=special, normalized=normalized) for content, special, normalized in added])
    with TemporaryDirectory() as folder:
        theirs.save(f"{folder}/tokenizer.json")
        ours = tokenizer.read(folder)
    assert ours.encode(text).tolist() == theirs.encode(text).ids


@every("seed", range(4))
def test_vocab_and_merges_give_the_ids_of_gpt2s_tokenizer(tmp_path, seed):
    model = json.loads(trained("gpt2").to_str())["model"]
    (tmp_path / "vocab.json").write_text(json.dumps(model["vocab"]), encoding="utf-8")
    (tmp_path / "merges.txt").write_text("#version: 0.2\n" + "\n".join(" ".join(pair) for pair in model["merges"]) + "\n", encoding="utf-8")
    theirs = transformers.GPT2Tokenizer(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    ours = tokenizer.read(tmp_path)
    for text in random_texts(seed):
        assert ours.encode(text).tolist() == theirs(text)["input_ids"], text
