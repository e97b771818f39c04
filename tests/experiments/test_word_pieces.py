"""The record of chapter 01: how tokenizers of today split words."""

from base64 import b64encode

import pytest

from pencil.experiments import records
from pencil.experiments.facts import word_pieces
from pencil.reference import train_bpe


def ranked(*pieces):
    return {piece.encode(): rank for rank, piece in enumerate(pieces)}


def test_a_file_has_a_piece_and_its_rank_on_each_line(tmp_path):
    lines = [f"{b64encode(piece).decode()} {rank}" for rank, piece in enumerate((b" ", b"a", b" a"))]
    file = tmp_path / "toy.tiktoken"
    file.write_text("\n".join(lines) + "\n", encoding="ascii")
    assert word_pieces.read(file) == {b" ": 0, b"a": 1, b" a": 2}


def test_the_pair_of_lowest_rank_is_joined_first():
    ranks = ranked("a", "b", "c", "bc", "ab")
    assert word_pieces.split(b"abc", ranks) == [b"a", b"bc"]
    assert word_pieces.split(b"abc", ranks | {b"abc": 5}) == [b"abc"]  # a piece stays whole
    with pytest.raises(ValueError, match="none of the 5 pieces"):
        word_pieces.split(b"abd", ranks)


def test_it_splits_as_the_joins_of_the_chapter_do():
    """Ranks in the order of learning are the merges of `pencil.reference.bpe`."""
    words = ["the", "cat", "sat", "on", "the", "mat", "that", "hat", "heat"]
    bpe = train_bpe(words, num_merges=6)
    ranks = ranked(*bpe.pieces)
    for word in [*words, "than", "teeth", "honest"]:
        assert [piece.decode() for piece in word_pieces.split(word.encode(), ranks)] == list(bpe.tokenize(word))


def test_the_record_says_what_the_chapter_says():
    facts = records.read("word_pieces")
    assert facts["o200k_base"]["words"][" strawberry"] == [" strawberry"] and facts["o200k_base"]["words"]["strawberry"] == ["st", "raw", "berry"]
    for found in (facts[name] for name in word_pieces.NAMES):
        assert all("".join(pieces) == word and len(pieces) == len(found["ids"][word]) for word, pieces in found["words"].items())


@pytest.mark.slow
def test_the_record_is_what_the_files_give(real_data):
    real_data("tiktoken", "cl100k_base.tiktoken"), real_data("tiktoken", "o200k_base.tiktoken")
    facts = records.read("word_pieces")
    assert word_pieces.measure() == {name: facts[name] for name in word_pieces.NAMES}
