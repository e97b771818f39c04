"""BPELab in Python: its pieces are those of `train_bpe`."""

import pytest

from pencil.examples import BPE_TEXT
from pencil.reference import tokenize, train_bpe
from pencil.widgets import BPELab


@pytest.mark.parametrize("text, joins", [(BPE_TEXT, 0), (BPE_TEXT, 3), ("Low slow lot!", 2), ("<b>", 1), ("", 3)])
def test_its_words_are_in_pieces(text, joins):
    lab = BPELab(text, joins)
    pairs = train_bpe(tokenize(text), num_merges=joins)
    assert lab.splits() == [pairs.tokenize(word) for word in tokenize(text)]
    assert "<b>" not in lab._repr_html_() and repr(lab).startswith(f"BPELab: {len(tokenize(text))} words")
