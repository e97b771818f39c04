"""BERT checkpoints, opened by the book's code, beside transformers' BertModel and its tokenizer: random ones of odd sizes, and a real one.

The real one is all-MiniLM-L6-v2, whose files are those of a package; sentence-transformers makes its vectors. In float64 every value that
the library lets out is ours within 1e-10, in float32 within 1e-5.
"""

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # must stand before the first import

import random

import numpy as np
import pytest
import torch
import transformers
from agree import assert_close
from pairs import DOUBLE, SINGLE, keep, shaken, shares
from pairs_transformers import bert_config, random_ids
from sentence_transformers import SentenceTransformer
from tokenizers import BertWordPieceTokenizer, Tokenizer

from pencil.experiments import records
from pencil.experiments.pretrained import checkpoint, minilm, reviews, tokenizer
from pencil.reference import encoder

every = pytest.mark.parametrize
SHAPES = [(1, 1, 2, 1, 1), (3, 6, 12, 3, 20), (2, 9, 10, 5, 11)]  # batch, words, width, heads, width of the MLP


def named_bert(peer, ids, types=None):  # -> {our name: value}
    tables, modules, heads = peer.embeddings, {}, peer.config.num_attention_heads
    for i, one in enumerate(peer.encoder.layer, start=1):
        look = one.attention
        modules |= {f"block{i}.{name}": module for name, module in {
            "query": look.self.query, "key": look.self.key, "value": look.self.value, "attn_out": look.output.dense,
            "norm1.affine": look.output.LayerNorm, "hidden": one.intermediate.dense, "activated": one.intermediate,
            "mlp_out": one.output.dense, "norm2.affine": one.output.LayerNorm, "out": one,
        }.items()}  # fmt: skip
    kept = keep(modules | {"embedding": tables.word_embeddings, "embedding_norm.affine": tables.LayerNorm})
    with torch.no_grad():
        answer = peer(ids, attention_mask=(ids != 0).long(), token_type_ids=types, output_attentions=True)
    for i, weights in enumerate(answer.attentions, start=1):
        kept |= shares(weights, f"block{i}.")
        for what in ("query", "key", "value"):
            parts = kept.pop(f"block{i}.{what}").chunk(heads, -1)
            kept |= {f"block{i}.{f'head{h}.' if heads > 1 else ''}{what}": part for h, part in enumerate(parts, start=1)}
    return kept


def assert_opened_as(found, ids, named, types=None, dtype=torch.float64):
    """The reference and the model, value by value, at every token that is not padding; and the model without a note."""
    ours, theirs, tolerance = {}, {}, DOUBLE if dtype is torch.float64 else SINGLE
    model, real = found.model(dtype), ids.numpy() != 0
    encoder(ids.numpy(), found.params(dtype), config=found.config, token_type_ids=None if types is None else types.numpy(), note=ours.setdefault)
    with torch.no_grad():
        model(ids, token_type_ids=types, note=theirs.setdefault)
        plain = model(ids, token_type_ids=types)
    for name, value in named.items():
        for found_values in (ours, theirs):
            assert_close(np.asarray(found_values[name])[real], value.numpy()[real], tolerance, name)
    last = max((name for name in named if name.endswith(".out")), key=lambda name: int(name[5:-4]))
    assert_close(plain.numpy()[real], named[last].numpy()[real], tolerance, "without a note")


@every("shape", SHAPES, ids=str)
@every("two_sentences", [False, True])
def test_a_bert(tmp_path, shape, two_sentences):
    peer = shaken(transformers.BertModel(bert_config(shape, depth=3, eps=1e-4)), 0, torch.float64)
    peer.save_pretrained(tmp_path)
    ids = torch.tensor(random_ids(0, *shape[:2], padded=True))
    types = torch.tensor(np.random.default_rng(0).integers(0, 2, ids.shape)) if two_sentences else None
    named = named_bert(peer, ids, types)
    assert len(named) >= 2 + 3 * 7
    assert_opened_as(checkpoint.read(tmp_path), ids, named, types)


# ---- the tokenizer

LETTERS = (
    "aaabcdeéßİǅ  '' .,!?-_/\\\t\n\r\v\x00\x1c\x85\u00a0\u200b\u3000\u2028()[]<>&;:\"#$%+*=@^`|~0123½Ⅻ٣漢字かな한글あ̈😀👩‍👩‍👧стuvwSTVLREMD\ufffd"
)
TEXTS = ["The cat sat on the mat. The cat's mat!", "unaffable DON'T we'Ll  two  blanks\n\n\nlines 12345 ½", "", "a" * 101 + " " + "a" * 100]
TEXTS += ["naïve café CAFÉ Ångström Straße 東京 😀 [SEP] on [MASK] [mask] [UNK][PAD]", "Привет мир, ελληνικά, हिन्दी, ไทย, العربية", "C'est l'été…"]


def random_texts(seed, count=200):
    rng = random.Random(seed)
    return TEXTS + ["".join(rng.choices(LETTERS, k=rng.randint(0, 80))) for _ in range(count)]


@every("lowercase", [True, False])
@every("seed", range(2))
def test_a_trained_wordpiece_gives_the_ids_of_the_library(tmp_path, lowercase, seed):
    theirs = BertWordPieceTokenizer(lowercase=lowercase)
    theirs.train_from_iterator(random_texts(99 + seed, 300), vocab_size=500, show_progress=False)
    theirs.save_model(str(tmp_path))
    transformers.BertTokenizer(str(tmp_path / "vocab.txt"), do_lower_case=lowercase).save_pretrained(tmp_path)
    theirs, ours = Tokenizer.from_file(str(tmp_path / "tokenizer.json")), tokenizer.read(tmp_path)
    for text in random_texts(seed):
        for special in (True, False):
            assert ours.encode(text, add_special_tokens=special).tolist() == theirs.encode(text, add_special_tokens=special).ids, text


# ---- the real one


@pytest.fixture(scope="module")
def found():
    return checkpoint.read(minilm.folder())


SENTENCES = ["He sat on the bank of the river.", "She took the money to the bank, unaffably, and smiled at the naïve teller.", "Why?"]


@every("dtype", [torch.float32, torch.float64], ids=str)
def test_every_named_value_of_minilm(found, dtype):
    peer = transformers.BertModel.from_pretrained(minilm.folder(), attn_implementation="eager", dtype=dtype).eval()
    ids = minilm.padded(SENTENCES, found.tokenizer())
    assert (ids == 0).any()
    named = named_bert(peer, ids)
    assert len(named) == 2 + 6 * (7 + 4 * 12)
    assert_opened_as(found, ids, named, dtype=dtype)


def test_the_sentence_vectors_are_those_of_the_library(found):
    theirs = SentenceTransformer(str(minilm.folder()), device="cpu").encode(SENTENCES)
    assert_close(minilm.sentence_vectors(SENTENCES, found.model(), found.tokenizer()), theirs, SINGLE, "the vectors")


def test_the_ids_of_minilm_are_those_of_the_library(found):
    theirs, ours = transformers.BertTokenizer.from_pretrained(minilm.folder()), found.tokenizer()
    for text in [*SENTENCES, *random_texts(7, 1000)]:
        assert ours.encode(text, add_special_tokens=True).tolist() == theirs(text)["input_ids"], text
    assert len(ours.pieces) == 30_522


def test_a_batch_more_or_less_changes_no_vector(found):
    texts = [f"{sentence} {k}" for k in range(12) for sentence in SENTENCES]
    one_by_one = torch.cat([minilm.sentence_vectors([text], found.model(), found.tokenizer()) for text in texts])
    assert len(texts) > reviews.BATCH
    assert_close(reviews.vectors(texts, found.model(), found.tokenizer()), one_by_one, SINGLE, "the vectors")


# ---- the record, beside the library


def test_the_record_is_of_the_file_that_is_installed():
    assert records.read("minilm")["file"] == minilm.provenance()


def test_the_looks_and_the_banks_of_the_record_are_those_of_the_library():
    record = records.read("minilm")
    peer = transformers.BertModel.from_pretrained(minilm.folder(), attn_implementation="eager", dtype=torch.float64).eval()
    splits = transformers.BertTokenizer.from_pretrained(minilm.folder())

    def read(text):
        with torch.no_grad():
            return peer(**splits(text, return_tensors="pt"), output_attentions=True, output_hidden_states=True)

    before = []
    for text in record["texts"]:
        weights = torch.stack(read(text).attentions)[:, 0]  # (layers, heads, T, T)
        before.append(weights.diagonal(-1, 2, 3)[..., 1:-1].mean(-1).numpy())  # of the second word to the last
    assert_close(np.array(record["looks"]["before"]["shares"]), np.mean(before, 0), 1e-4, "before")
    bank, (river, money) = record["bank"], record["bank"]["texts"]
    rows = [torch.stack(read(text).hidden_states)[:, 0, bank["place"]] for text in (river[0], money[0])]
    assert_close(np.array(bank["pair"]), torch.cosine_similarity(*rows, dim=-1), 1e-8, "the pair")
    given = record["pencil"]
    weights = read(given["text"]).attentions[given["block"] - 1][0, given["head"] - 1, given["place"]].numpy()
    assert_close(np.array(given["weights"]), weights, 1e-8, "weights")
    first, second = weights[given["two"]]
    assert_close(given["share"], first / (first + second), 1e-8, "the share")


def test_the_ablations_of_the_record_are_those_of_hooks_in_the_library():
    record, turned = records.read("minilm"), {}
    peer = transformers.BertModel.from_pretrained(minilm.folder(), dtype=torch.float64).eval()
    splits, block, head = transformers.BertTokenizer.from_pretrained(minilm.folder()), 6, 4
    columns, dense, contexts = slice(32 * (head - 1), 32 * head), peer.encoder.layer[block - 1].attention.output.dense, []

    def vectors(change):
        hook = dense.register_forward_pre_hook(change)
        with torch.no_grad():
            rows = [peer(**splits(text, return_tensors="pt")).last_hidden_state[0].mean(0) for text in record["texts"]]
        hook.remove()
        return torch.stack(rows)

    def with_columns(value, rows):
        rows = rows.clone()
        rows[..., columns] = value
        return (rows,)

    whole = vectors(lambda _, given: contexts.append(given[0][0, :, columns]))
    for name, value in (("zero", 0.0), ("mean", torch.cat(contexts).mean(0))):
        other = vectors(lambda _, given, value=value: with_columns(value, given[0]))
        turned[name] = float((1 - torch.cosine_similarity(whole, other, dim=-1)).mean())
        assert abs(record["ablation"][name][block - 1][head - 1] - turned[name]) < 1e-6
    assert turned["zero"] != turned["mean"]
