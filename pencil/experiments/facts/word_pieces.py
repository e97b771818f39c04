"""The tokenizers of GPT-4 and GPT-4o at work: the size of their vocabularies, and how they split words."""

from base64 import b64decode
from itertools import pairwise

from pencil.data.downloads import find

NAMES = ("cl100k_base", "o200k_base")  # of GPT-4 and of GPT-4o
WORDS = (" strawberry", "strawberry", "Strawberry", " letters", " ltteres", " unwatchable")


def read(path):  # -> {bytes: rank}
    """The pieces of a `.tiktoken` file: on each line the bytes of a piece, in base 64, and its rank, which is its id."""
    pairs = (line.split() for line in path.read_text(encoding="ascii").splitlines())
    return {b64decode(piece): int(rank) for piece, rank in pairs}


def split(chunk, ranks):  # bytes, {bytes: rank} -> list of bytes
    """The pieces of a chunk, such as a word with the blank before it: join the two neighbours whose piece has the lowest rank, again and again.

    A chunk that is a piece stays whole. Raises ValueError for a byte that is no piece.
    """
    parts = [bytes([byte]) for byte in chunk]
    if missing := [part for part in parts if part not in ranks]:
        raise ValueError(f"the byte {missing[0]!r} is none of the {len(ranks)} pieces")
    if chunk in ranks:
        return [chunk]
    while len(parts) > 1:
        joined = [ranks.get(one + other, len(ranks)) for one, other in pairwise(parts)]
        first = min(range(len(joined)), key=joined.__getitem__)
        if joined[first] == len(ranks):
            break
        parts[first : first + 2] = [parts[first] + parts[first + 1]]
    return parts


def measure():  # -> JSON-able, for `python -m pencil record word_pieces`
    """By tokenizer: how many pieces it has, and the pieces and ids of each word."""
    found = {}
    for name, path in zip(NAMES, find("tiktoken"), strict=True):
        ranks = read(path)
        words = {word: split(word.encode(), ranks) for word in WORDS}
        found[name] = {
            "pieces": len(ranks),
            "words": {word: [part.decode() for part in parts] for word, parts in words.items()},
            "ids": {word: [ranks[part] for part in parts] for word, parts in words.items()},
        }
    return found
