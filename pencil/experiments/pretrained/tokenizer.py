"""Hugging Face tokenizer files: `tokenizer.json` as ByteBPE or WordPiece, or GPT-2's `vocab.json` and `merges.txt` as ByteBPE."""

from pathlib import Path

from pencil.experiments.pretrained.weights import read_json
from pencil.experiments.writer.writer_file import bpe_of
from pencil.reference.byte_bpe import GPT2_PATTERN, LLAMA3_PATTERN, ByteBPE, byte_letters
from pencil.reference.wordpiece import BEGIN, LONGEST, UNKNOWN, WordPiece
from pencil.reference.wordpiece import END as END_OF_TEXT

WHOLE, VOCABULARY, MERGES = "tokenizer.json", "vocab.json", "merges.txt"
END = "<|endoftext|>"  # GPT-2's only special token
SPELT = {  # the regular expressions as the files have them: ours
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": GPT2_PATTERN,
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+": LLAMA3_PATTERN,
}


def read(folder):  # -> ByteBPE or WordPiece
    """Read the tokenizer of a folder. Raises ValueError, with the folder's name, for a missing or unsupported tokenizer."""
    folder = Path(folder)
    try:
        if (folder / WHOLE).exists():
            return _whole(read_json(folder / WHOLE))
        if not (folder / VOCABULARY).exists():
            raise ValueError(f"there is no {WHOLE}, nor {VOCABULARY} and {MERGES}")
        vocabulary = read_json(folder / VOCABULARY)
        return _built(vocabulary, _lines(folder / MERGES), [END] if END in vocabulary else [])
    except ValueError as wrong:
        raise ValueError(f"{folder} has no tokenizer that can be read: {wrong}") from None


def _lines(file):  # -> list of "first second"
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as wrong:
        raise ValueError(f"{file.name} cannot be read ({wrong})") from None
    return [line for k, line in enumerate(lines) if line and not (k == 0 and line.startswith("#version"))]


def _whole(values):
    model = values.get("model")
    if _type(model) == "WordPiece":
        return _wordpiece(values, model)
    if not isinstance(model, dict) or model.get("type", "BPE") != "BPE":
        raise ValueError(f"its model is {_type(model)}; BPE and WordPiece are read here")
    for name in ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"):
        if model.get(name):
            raise ValueError(f"its model has {name}={model[name]!r}; byte pairs without it are read here")
    if values.get("normalizer"):
        raise ValueError(f"it has a normalizer ({_type(values['normalizer'])}), which changes the text; none is read here")
    vocabulary, tokens = _vocabulary(values, model)
    special, begin = [token["content"] for token in tokens], _begin(values.get("post_processor"), vocabulary)
    normalized = [token["content"] for token in tokens if token.get("normalized", not token.get("special", False))]
    options = {"pattern": _pattern(values.get("pre_tokenizer")), "ignore_merges": bool(model.get("ignore_merges")), "begin": begin}
    return _built(vocabulary, model.get("merges"), special, **options, normalized=tuple(normalized))


def _vocabulary(values, model):  # -> {piece: id}, the tokens that are added to it among them, and those
    vocabulary, tokens = model.get("vocab"), values.get("added_tokens") or []
    if not isinstance(vocabulary, dict):
        raise ValueError(f"its vocab is {_type(vocabulary)}; an object of pieces and ids is wanted")
    if not isinstance(tokens, list) or not all(isinstance(token, dict) and isinstance(token.get("content"), str) for token in tokens):
        raise ValueError("its added_tokens are no list of objects with a content each")
    if odd := next((token for token in tokens if token.get("lstrip") or token.get("rstrip") or token.get("single_word")), None):
        raise ValueError(f"its token {odd['content']!r} takes the blanks beside it; none such is read here")
    return vocabulary | {token["content"]: token.get("id") for token in tokens}, tokens


WORDPIECE = {  # part of a tokenizer.json: what is read, as BERT has it; of the normalizer `lowercase` may be false, which keeps the accents too
    "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "model": {"continuing_subword_prefix": "##", "max_input_chars_per_word": LONGEST, "unk_token": UNKNOWN},
}


def _wordpiece(values, model):  # -> WordPiece
    for part, wanted in WORDPIECE.items():
        for name, value in wanted.items():
            found = _part(values, part).get(name)
            if found != value:
                raise ValueError(f"its {part} has {name}={found!r}; BERT's WordPiece with {value!r} is read here")
    vocabulary, tokens = _vocabulary(values, model)
    single = _part(values, "post_processor").get("single")
    if not isinstance(single, list) or [_token(part) for part in single] != [BEGIN, None, END_OF_TEXT]:
        raise ValueError(f"its post_processor does not put {BEGIN} in front of a text and {END_OF_TEXT} behind it, as BERT's does")
    special = tuple(token["content"] for token in tokens)
    return WordPiece(tuple(_in_order(vocabulary)), lowercase=bool(values["normalizer"].get("lowercase")), special=special)


def _part(values, name):  # -> dict, empty where there is none
    found = values.get(name) or {}
    if not isinstance(found, dict):
        raise ValueError(f"its {name} is {found!r}; an object is wanted")
    return found


def _token(part):  # of a template -> the token, or None for the text itself
    return part["SpecialToken"].get("id") if isinstance(part, dict) and isinstance(part.get("SpecialToken"), dict) else None


def _begin(after, vocabulary):  # the post_processor of a tokenizer.json -> the tokens that it puts before a text
    parts = after.get("processors") if _type(after) == "Sequence" else [after]
    parts = parts if isinstance(parts, list) else [parts]
    adding = [part for part in parts if part is not None and _type(part) != "ByteLevel"]  # ByteLevel only adjusts offsets
    if not adding:
        return ()
    single, added = (adding[0].get(name) if _type(adding[0]) == "TemplateProcessing" else None for name in ("single", "special_tokens"))
    *front, text = single if isinstance(single, list) and single else [None]
    begin = tuple(one["SpecialToken"].get("id") for one in front if isinstance(one, dict) and isinstance(one.get("SpecialToken"), dict))
    if len(adding) > 1 or len(begin) < len(front) or not isinstance(text, dict) or list(text) != ["Sequence"] or not isinstance(added, dict):
        raise ValueError(f"its post_processor is {' and '.join(map(_type, parts))}; TemplateProcessing with tokens in front alone is read here")
    for token in begin:
        values = added.get(token) if isinstance(token, str) else None
        if not isinstance(values, dict) or token not in vocabulary or values.get("ids") != [vocabulary[token]]:
            raise ValueError(f"its post_processor puts {token!r} in front, which is not one of its pieces with that id")
    return begin


def _pattern(split):  # the pre_tokenizer of a tokenizer.json -> our pattern
    parts = split.get("pretokenizers") if _type(split) == "Sequence" else [split]
    kinds = [_type(part) for part in parts] if isinstance(parts, list) else [repr(parts)]
    if kinds == ["ByteLevel"] and parts[0].get("use_regex", True):
        pattern = GPT2_PATTERN
    elif kinds == ["Split", "ByteLevel"] and not parts[1].get("use_regex", True):
        pattern = next((ours for spelt, ours in SPELT.items() if parts[0].get("pattern") == {"Regex": spelt}), None)
        if not pattern or parts[0].get("behavior") != "Isolated" or parts[0].get("invert"):
            raise ValueError(f"it splits by {parts[0].get('pattern')!r}; the patterns of GPT-2 and of Llama 3 are read here")
    else:
        raise ValueError(f"its pre_tokenizer is {' and '.join(kinds)}; ByteLevel, or Split and ByteLevel, is read here")
    if parts[-1].get("add_prefix_space", True):
        raise ValueError("it puts a blank in front of each text (add_prefix_space); none such is read here")
    return pattern


def _type(part):
    return str(part.get("type")) if isinstance(part, dict) else repr(part)


def _in_order(vocabulary):  # {piece: id} -> the pieces by their ids
    if not all(type(i) is int for i in vocabulary.values()) or sorted(vocabulary.values()) != list(range(len(vocabulary))):
        raise ValueError(f"its {len(vocabulary)} pieces have not the ids 0 to {len(vocabulary) - 1}, one each")
    return sorted(vocabulary, key=vocabulary.get)


def _built(vocabulary, merges, special, **options):  # {piece: id}, pairs or "first second", tokens -> ByteBPE
    pieces = _in_order(vocabulary)
    letters = set(byte_letters())
    if odd := next((piece for piece in pieces if piece not in special and not letters >= set(piece)), None):
        raise ValueError(f"its piece {odd!r} is not written in the letters of bytes")
    if not isinstance(merges, list) or not all(isinstance(pair, list | str) for pair in merges):
        raise ValueError("its merges are no list of pairs")
    bpe = bpe_of(pieces, [pair.split(" ") if isinstance(pair, str) else pair for pair in merges])
    return ByteBPE(bpe, tuple(special), **options)
