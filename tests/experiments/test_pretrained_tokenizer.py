"""A tokenizer.json of someone else's: what is read, and that whatever does not fit is refused by its name.

That what is read is right is shown in tests/peers, beside transformers.
"""

import json
import re

import pytest

from pencil.experiments.pretrained import tokenizer
from pencil.reference.bpe import BPE
from pencil.reference.byte_bpe import ByteBPE, byte_letters

LETTERS = list(byte_letters())
MERGES = [["Ġ", "a"], ["Ã", "©"], ["Ġa", "b"]]
PIECES = ["<|endoftext|>", *LETTERS, *("".join(pair) for pair in MERGES)]


def split_by(pattern):
    split = {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}
    return {"type": "Sequence", "pretokenizers": [split, {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}]}


def template(*parts, added=None):
    known = {"<|endoftext|>": {"id": "<|endoftext|>", "ids": [0], "tokens": ["<|endoftext|>"]}} if added is None else added
    return {"type": "TemplateProcessing", "single": list(parts), "pair": [], "special_tokens": known}


BEGIN, BODY = ({what: {"id": name, "type_id": 0}} for what, name in (("SpecialToken", "<|endoftext|>"), ("Sequence", "A")))
NO_TEMPLATE = "its post_processor is TemplateProcessing; TemplateProcessing with tokens in front alone is read here"


def whole(**changed):
    model = {"type": "BPE", "vocab": {piece: i for i, piece in enumerate(PIECES)}, "merges": MERGES} | changed.pop("model", {})
    split = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True} | changed.pop("split", {})
    said = {"model": model, "pre_tokenizer": split, "added_tokens": [{"id": 0, "content": "<|endoftext|>", "special": True}]}
    return said | changed


def tokenizer_of(folder, said):
    (folder / "tokenizer.json").write_text(said if isinstance(said, str) else json.dumps(said), encoding="utf-8")
    return tokenizer.read(folder)


@pytest.mark.parametrize(
    "flags, text, pieces",
    [
        (({}, {"normalized": True}), "xab", ["x", "ab"]),  # as Hugging Face's: a token that is normalized is looked for in what the others leave
        (({}, {}), "xab", ["xab"]),
        (({"normalized": True}, {"normalized": True}), "xxabab", ["x", "xab", "ab"]),
        (({"special": False}, {}), "xab", ["xab"]),
    ],
)
def test_added_tokens_may_overlap(tmp_path, flags, text, pieces):
    first, other = ({"id": len(PIECES) + i, "content": ("ab", "xab")[i], "special": True} | flags[i] for i in (0, 1))
    found = tokenizer_of(tmp_path, whole(added_tokens=[first, other]))
    assert [found.pieces[i] for i in found.encode(text)] == pieces


def test_every_text_comes_back_and_a_special_token_is_one_piece(tmp_path):
    found = tokenizer_of(tmp_path, whole())
    assert [found.pieces[i] for i in found.encode("é ab<|endoftext|>")] == ["Ã©", "Ġab", "<|endoftext|>"]
    for text in ("", "é ab<|endoftext|> \x00\ud800 漢", "".join(map(chr, range(0x300)))):
        assert found.decode(found.encode(text)) == text or "\ud800" in text
    with pytest.raises(ValueError, match="id 999 is none of the 260 pieces"):
        found.decode([999])
    with pytest.raises(ValueError, match="hand in a str"):
        found.encode(b"bytes")
    with pytest.raises(ValueError, match="the byte 98 of 'ab' is none of the 1 pieces"):
        ByteBPE(BPE((), ("a",))).encode("ab b")


@pytest.mark.parametrize(
    "changed, says",
    [
        ({"model": {"type": "Unigram"}}, "its model is Unigram; BPE and WordPiece are read here"),
        ({"model": {"byte_fallback": True}}, "byte_fallback=True"),
        ({"model": {"end_of_word_suffix": "</w>"}}, "end_of_word_suffix='</w>'"),
        ({"model": {"merges": [["Ġ", "zz"]]}}, "merges 'Ġ' and 'zz', which are not among its pieces"),
        ({"model": {"merges": "Ġ a"}}, "its merges are no list of pairs"),
        ({"model": {"vocab": {"<|endoftext|>": 0, "a": 2}}}, "its 2 pieces have not the ids 0 to 1, one each"),
        ({"model": {"vocab": {piece: str(i) for i, piece in enumerate(PIECES)}}}, "its 260 pieces have not the ids 0 to 259, one each"),
        ({"model": {"vocab": {piece: float(i) for i, piece in enumerate(PIECES)}}}, "its 260 pieces have not the ids 0 to 259, one each"),
        ({"model": {"vocab": {"<|endoftext|>": 0, "▁a": 1}}}, "its piece '▁a' is not written in the letters of bytes"),
        ({"model": {"vocab": [1, 2]}}, "its vocab is [1, 2]; an object of pieces and ids is wanted"),
        ({"model": {"vocab": None}}, "its vocab is None"),
        ({"added_tokens": ["x"]}, "its added_tokens are no list of objects with a content each"),
        ({"added_tokens": {"x": 0}}, "its added_tokens are no list"),
        ({"added_tokens": [{"id": 0}]}, "its added_tokens are no list of objects with a content each"),
        ({"added_tokens": [{"id": 0, "content": ["x"]}]}, "its added_tokens are no list of objects with a content each"),
        ({"added_tokens": [{"content": "<|endoftext|>"}]}, "its 260 pieces have not the ids 0 to 259, one each"),
        ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": None}}, "its pre_tokenizer is None; ByteLevel"),
        ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": 7}}, "its pre_tokenizer is 7; ByteLevel"),
        ({"pre_tokenizer": {"type": "Sequence"}}, "its pre_tokenizer is None; ByteLevel"),
        ({"pre_tokenizer": "Sequence"}, "its pre_tokenizer is 'Sequence'; ByteLevel"),
        ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": ["ByteLevel"]}}, "its pre_tokenizer is 'ByteLevel'; ByteLevel"),
        ({"pre_tokenizer": split_by("x")}, "it splits by 'x'; the patterns of GPT-2 and of Llama 3 are read here"),
        ({"pre_tokenizer": split_by({"Regex": ["x"]})}, "it splits by {'Regex': ['x']}; the patterns"),
        ({"post_processor": template(BEGIN, BODY, BEGIN)}, NO_TEMPLATE),
        ({"post_processor": template(BODY, BODY)}, NO_TEMPLATE),
        ({"post_processor": template()}, NO_TEMPLATE),
        ({"post_processor": template("x", BODY)}, NO_TEMPLATE),
        ({"post_processor": template(BEGIN, BODY, added=[])}, NO_TEMPLATE),
        ({"post_processor": template(BEGIN, BODY, added={})}, "its post_processor puts '<|endoftext|>' in front, which is not one of its pieces"),
        ({"post_processor": template(BEGIN, BODY, added={"<|endoftext|>": {"ids": [3]}})}, "puts '<|endoftext|>' in front"),
        ({"post_processor": template({"SpecialToken": {"id": ["x"]}}, BODY)}, "puts ['x'] in front"),
        ({"post_processor": {"type": "RobertaProcessing"}}, "its post_processor is RobertaProcessing"),
        ({"post_processor": {"type": "Sequence", "processors": 7}}, "its post_processor is 7"),
        ({"post_processor": "x"}, "its post_processor is 'x'"),
        ({"normalizer": {"type": "NFC"}}, "it has a normalizer (NFC)"),
        ({"split": {"type": "Metaspace"}}, "its pre_tokenizer is Metaspace"),
        ({"split": {"add_prefix_space": True}}, "add_prefix_space"),
        ({"split": {"use_regex": False}}, "its pre_tokenizer is ByteLevel"),
        ({"pre_tokenizer": None}, "its pre_tokenizer is None"),
        ({"added_tokens": [{"id": 0, "content": "<|endoftext|>", "lstrip": True}]}, "'<|endoftext|>' takes the blanks beside it"),
    ],
)
def test_a_tokenizer_that_is_of_another_kind_is_refused_by_what_it_is(tmp_path, changed, says):
    with pytest.raises(ValueError, match=f"has no tokenizer that can be read: .*{re.escape(says)}"):
        tokenizer_of(tmp_path, whole(**changed))


def wordpiece(**changed):
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##able", "É"]
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    model |= {"vocab": {piece: i for i, piece in enumerate(words)}} | changed.pop("model", {})
    cleans = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    around = [{"SpecialToken": {"id": "[CLS]"}}, {"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "[SEP]"}}]
    said = {"model": model, "normalizer": cleans | changed.pop("normalizer", {}), "pre_tokenizer": {"type": "BertPreTokenizer"}}
    said |= {"added_tokens": [{"id": i, "content": words[i], "special": True} for i in range(4)]}
    return said | {"post_processor": {"type": "TemplateProcessing", "single": around}} | changed


def test_a_wordpiece_is_read_with_its_special_tokens_and_its_case(tmp_path):
    found = tokenizer_of(tmp_path, wordpiece())
    assert found.tokenize("Unable[PAD]un É", add_special_tokens=True) == ["[CLS]", "un", "##able", "[PAD]", "un", "[UNK]", "[SEP]"]
    assert tokenizer_of(tmp_path, wordpiece(normalizer={"lowercase": False})).tokenize("É Un") == ["É", "[UNK]"]


@pytest.mark.parametrize(
    "changed, says",
    [
        ({"normalizer": {"strip_accents": True}}, "its normalizer has strip_accents=True; BERT's WordPiece with None is read here"),
        ({"normalizer": {"type": "Lowercase"}}, "its normalizer has type='Lowercase'"),
        ({"pre_tokenizer": None}, "its pre_tokenizer has type=None"),
        ({"pre_tokenizer": "x"}, "its pre_tokenizer is 'x'"),
        ({"model": {"continuing_subword_prefix": "@@"}}, "its model has continuing_subword_prefix='@@'"),
        ({"model": {"max_input_chars_per_word": 7}}, "max_input_chars_per_word=7"),
        ({"model": {"vocab": {"[UNK]": 9}}, "added_tokens": []}, "its 1 pieces have not the ids 0 to 0, one each"),
        ({"model": {"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2}}, "added_tokens": []}, "[SEP] is none of the 3 pieces"),
        ({"post_processor": None}, "its post_processor does not put [CLS] in front of a text and [SEP] behind it"),
        ({"post_processor": {"single": ["x"]}}, "its post_processor does not put [CLS] in front"),
        ({"post_processor": 7}, "its post_processor is 7"),
    ],
)
def test_a_wordpiece_that_is_not_berts_is_refused_by_what_it_is(tmp_path, changed, says):
    with pytest.raises(ValueError, match=f"has no tokenizer that can be read: .*{re.escape(says)}"):
        tokenizer_of(tmp_path, wordpiece(**changed))


def test_a_folder_without_a_tokenizer_is_refused(tmp_path):
    with pytest.raises(ValueError, match=re.escape("there is no tokenizer.json, nor vocab.json and merges.txt")):
        tokenizer.read(tmp_path)
