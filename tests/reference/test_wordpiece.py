"""WordPiece by hand: the split of a word, what is cleaned away, and what is refused. That it is BERT's is shown in tests/peers."""

import pytest

from pencil.reference import WordPiece

PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "##a", "cafe", "a", "!", "東", "un##aff")


@pytest.fixture
def wordpiece():
    return WordPiece(PIECES)


@pytest.mark.parametrize(
    "text, pieces",
    [
        ("unaffable", ["un", "##aff", "##able"]),
        ("una", ["un", "##a"]),
        ("unaffx", ["[UNK]"]),  # one letter without a piece, and the whole word has none
        ("UNA!a", ["un", "##a", "!", "a"]),
        ("Café", ["cafe"]),
        ("Cafe\u0301", ["cafe"]),
        ("un\u200ba", ["un", "##a"]),  # a format character is no letter
        ("un\ta\n a\u3000a", ["un", "a", "a", "a"]),
        ("a東a", ["a", "東", "a"]),
        ("a[SEP]a", ["a", "[SEP]", "a"]),
        ("[sep]", ["[UNK]"] * 3),
        ("a" * 101, ["[UNK]"]),
        ("a" * 100, ["a"] + ["##a"] * 99),
        ("", []),
    ],
)
def test_a_text_is_split_into_the_longest_pieces(wordpiece, text, pieces):
    assert wordpiece.tokenize(text) == pieces
    assert [PIECES[i] for i in wordpiece.encode(text)] == pieces
    assert wordpiece.tokenize(text, add_special_tokens=True) == ["[CLS]", *pieces, "[SEP]"]


def test_with_its_case_a_text_keeps_its_accents_too():
    assert WordPiece(PIECES, lowercase=False).tokenize("cafe Cafe café") == ["cafe", "[UNK]", "[UNK]"]


def test_ids_become_a_text(wordpiece):
    assert wordpiece.decode(wordpiece.encode("unaffable  cafe!", add_special_tokens=True)) == "[CLS] unaffable cafe ! [SEP]"
    for wrong in (13, -1, 0.5):
        with pytest.raises(ValueError, match="is none of the 13 pieces"):
            wordpiece.decode([wrong])


def test_what_does_not_fit_is_refused(wordpiece):
    with pytest.raises(ValueError, match="hand in a str"):
        wordpiece.encode(b"bytes")
    with pytest.raises(ValueError, match=r"\[SEP\] is none of the 3 pieces"):
        WordPiece(PIECES[:3])
    with pytest.raises(ValueError, match=r"\[MASK\] is none of the 13 pieces"):
        WordPiece(PIECES, special=("[UNK]", "[MASK]"))


def test_without_special_tokens_a_text_is_split_all_the_same():
    assert WordPiece(PIECES, special=()).tokenize("unaffable a") == ["un", "##aff", "##able", "a"]
