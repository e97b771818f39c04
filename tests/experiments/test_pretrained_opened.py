"""Interpretability of a decoder: its predictions are the model's, and the command prints the same for a folder and for a TinyGPT file."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

from pencil import __main__ as command
from pencil.experiments.exported import CONFIG
from pencil.experiments.pretrained import checkpoint
from pencil.experiments.pretrained.opened import LOOKS, Opened, report
from pencil.experiments.writer import page_writer, tiny_gpt
from pencil.model import Config, Decoder
from pencil.params import flatten
from pencil.reference import Alibi, decoder, stable_softmax, without_head
from pencil.reference.byte_bpe import byte_letters

TEXT = "The queen sat on the throne and she wore h"


@pytest.fixture(scope="module")
def page():
    return page_writer.read()


@pytest.fixture(scope="module")
def opened(page):
    return Opened(page.ids(TEXT), page.params, CONFIG)


def as_gpt2(folder, page):
    """The book's writer as GPT-2's files have it, with a piece for each of its letters; others stand in the places of the other bytes."""
    flat, d = flatten(page.params), page.params.embedding.shape[1]
    found = {"wte.weight": flat["embedding"], "wpe.weight": flat["positions"], "ln_f.weight": flat["norm.gain"], "ln_f.bias": flat["norm.bias"]}
    for i in (1, 2):
        ours, theirs = f"block{i}.", f"h.{i - 1}."
        heads = [f"{ours}attention.head{h}." for h in (1, 2, 3, 4)]
        found[f"{theirs}attn.c_attn.weight"] = np.concatenate([flat[f"{head}{what}"] for what in ("query", "key", "value") for head in heads]).T
        found[f"{theirs}attn.c_attn.bias"] = np.concatenate([flat[f"{head}{what}_bias"] for what in ("query", "key", "value") for head in heads])
        pairs = {"attn.c_proj": "attention.output", "mlp.c_fc": "feed_forward.up", "mlp.c_proj": "feed_forward.down"}
        for name, of in pairs.items():
            found |= {f"{theirs}{name}.weight": flat[ours + of].T, f"{theirs}{name}.bias": flat[f"{ours}{of}_bias"]}
        found |= {f"{theirs}ln_{k}.{end}": flat[f"{ours}norm{k}.{of}"] for k in (1, 2) for end, of in (("weight", "gain"), ("bias", "bias"))}
    written = [byte_letters()[ord(letter)] for letter in page.vocabulary]
    rest = [letter for letter in byte_letters() if letter not in written]
    found["wte.weight"] = np.concatenate([found["wte.weight"], np.zeros((len(rest), d))])
    save_file({name: np.ascontiguousarray(array) for name, array in found.items()}, str(folder / "model.safetensors"))
    said = {"model_type": "gpt2", "n_embd": d, "n_head": 4, "n_layer": 2, "vocab_size": 256, "n_positions": page.positions}
    (folder / "config.json").write_text(json.dumps(said))
    (folder / "vocab.json").write_text(json.dumps({piece: k for k, piece in enumerate(written + rest)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    return folder


def test_the_answer_is_that_of_the_model_and_so_is_the_last_row_of_the_lens(page, opened):
    model = Decoder.from_params(page.params, CONFIG).eval()
    with torch.no_grad():
        wanted = model(torch.tensor(opened.ids)[None])[0, -1].softmax(-1).numpy()
    np.testing.assert_allclose(opened.next_token_probs(), wanted, rtol=0, atol=1e-10)
    np.testing.assert_allclose(opened.logit_lens()[-1], wanted, rtol=0, atol=1e-10)
    assert opened.logit_lens().shape == (3, len(page.vocabulary))


def test_without_a_head_is_the_model_with_that_head_s_columns_at_zero(page, opened):
    for (block, head), found in opened.ablated_probs().items():
        model = Decoder.from_params(page.params, CONFIG).eval()
        with torch.no_grad():
            model.stack.blocks[block - 1].attention.output.weight[:, 12 * (head - 1) : 12 * head] = 0
            wanted = model(torch.tensor(opened.ids)[None])[0, -1].softmax(-1).numpy()
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10)


@pytest.mark.parametrize("own", [{"layers_without_positions": (2,)}, {"window": 3, "window_layers": (1,)}], ids=str)
def test_without_a_head_the_layers_keep_their_numbers(page, opened, own):
    config = replace(CONFIG, position_encoding=Alibi(), **own)
    found = Opened(opened.ids, page.params, config).ablated_probs()[2, 1]
    whole = decoder(opened.ids, without_head(page.params, block=2, head=1), config=config)[-1]
    np.testing.assert_allclose(found, stable_softmax(whole), rtol=0, atol=1e-12)


def test_without_positions_the_first_block_reads_the_scaled_embeddings(page, opened):
    params, config = replace(page.params, positions=None), replace(CONFIG, scale_embeddings=True)
    found = Opened(opened.ids, params, config).ablated_probs()[1, 1]
    wanted = decoder(opened.ids, without_head(params, block=1, head=1), config=config)[-1]
    np.testing.assert_allclose(found, stable_softmax(wanted), rtol=0, atol=1e-12)


def test_a_head_with_uniform_attention_has_the_uniform_scores(page, opened):
    assert set(opened.scores()) == set(opened.uniform_scores()) == set(LOOKS)
    assert set(Opened(opened.ids[:3], page.params, CONFIG).scores()) == {"the one before", "the first"}  # no letter comes again in "The"
    assert all(0 <= score <= 1 for scores in opened.scores().values() for score in scores.values())


def test_the_book_s_writer_in_gpt2s_files_is_the_book_s_writer(tmp_path, page, opened):
    found = checkpoint.read(as_gpt2(tmp_path, page))
    ids = found.tokenizer().encode(TEXT)
    np.testing.assert_array_equal(ids, opened.ids)
    again = Opened(ids, found.params(), found.config)
    np.testing.assert_allclose(again.run["logits"][:, : len(page.vocabulary)], opened.run["logits"], rtol=0, atol=1e-12)


def test_rows_that_fill_up_an_embedding_get_no_probability(page, opened):
    rows, d = page.params.embedding.shape
    filled = np.concatenate([page.params.embedding, np.full((7, d), 9.0)])
    again = Opened(opened.ids, replace(page.params, embedding=filled), CONFIG, n_pieces=rows)
    np.testing.assert_allclose(again.next_token_probs(), opened.next_token_probs(), rtol=1e-12)
    np.testing.assert_allclose(again.logit_lens(), opened.logit_lens(), rtol=1e-12)
    assert report(again, page.vocabulary) == report(opened, page.vocabulary)


def test_the_command_prints_the_report(tmp_path, page, opened, capsys):
    assert command.main(["experiment", "open", "--checkpoint", "writer", "--prompt", TEXT]) == 0
    assert capsys.readouterr().out.splitlines() == report(opened, page.vocabulary)
    assert command.main(["experiment", "open", "--checkpoint", str(as_gpt2(tmp_path, page)), "--prompt", TEXT]) == 0
    assert "42 tokens: 'T' 'h' 'e'" in capsys.readouterr().out


def test_a_writer_that_a_reader_trained_is_opened(tmp_path, capsys):
    text = "the queen sat on the throne. " * 9
    sizes = Config(8, 2, n_layers=1, max_len=6)
    tokenizer = tiny_gpt.train_tokenizer(text, 3)
    writer = tiny_gpt.TinyGPT(tiny_gpt.build_model(sizes, tokenizer).double().eval(), tokenizer)
    tiny_gpt.save(tmp_path / "mine.safetensors", writer)
    assert command.main(["experiment", "open", "--checkpoint", str(tmp_path / "mine.safetensors"), "--prompt", "the queen"]) == 0
    ids = tokenizer.encode("the queen")[-6:]
    with torch.no_grad():
        likeliest = int(writer.model(torch.tensor(ids)[None])[0, -1].argmax())
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "6 tokens: " + " ".join(repr(tokenizer.pieces[i]) for i in ids)
    assert printed[2].startswith(f"what comes next: {tokenizer.pieces[likeliest]!r} ")


def test_the_command_looks_at_the_token_in_front_too(tmp_path, page, capsys):
    pieces = json.loads((as_gpt2(tmp_path, page) / "vocab.json").read_text())
    (front,) = (piece for piece, i in pieces.items() if i == 255)  # stands for one that no text has
    added = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": front}}, {"Sequence": {"id": "A"}}]}
    said = {"model": {"type": "BPE", "vocab": pieces, "merges": []}, "added_tokens": [{"id": 255, "content": front}]}
    said |= {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False}}
    said |= {"post_processor": added | {"special_tokens": {front: {"id": front, "ids": [255]}}}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(said))
    assert command.main(["experiment", "open", "--checkpoint", str(tmp_path), "--prompt", "The queen"]) == 0
    assert f"10 tokens: {front!r} 'T' 'h' 'e'" in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv, says",
    [
        (["--checkpoint", "nowhere"], "nowhere cannot be opened: there is no folder or file of that name"),
        (["--checkpoint", "writer", "--prompt", ""], "the text is empty"),
        (["--checkpoint", "gpt2"], "type `python -m pencil data fetch gpt2`"),
    ],
)
def test_what_cannot_be_opened_is_one_line(argv, says, capsys, monkeypatch, tmp_path):
    from pencil.data import downloads

    monkeypatch.setenv("PENCIL_DATA", str(tmp_path))
    monkeypatch.setattr(downloads, "DEVELOPMENT", tmp_path / "none")
    monkeypatch.setattr(downloads, "_cache", lambda: tmp_path / "cache")
    assert command.main(["experiment", "open", *argv]) == 1
    said = capsys.readouterr().err
    assert says in said and "Traceback" not in said
