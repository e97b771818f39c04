"""A machine of two heads, built by hand, that says what came after a word before (chapter 22; after Elhage et al. 2021).

A row has eleven numbers: which word, at which position, and, to be written by the first head, which word came before.
"""

import numpy as np

from pencil.reference.attending import QKVParams

INDUCTION_NAMES = ("mat", "cat", "sat")
INDUCTION_POSITIONS = 5
INDUCTION_COLUMNS = [f"is_{name}" for name in INDUCTION_NAMES] + [f"at_{k}" for k in range(1, INDUCTION_POSITIONS + 1)]
INDUCTION_COLUMNS += [f"after_{name}" for name in INDUCTION_NAMES]
_WORD, _POSITION, _BEFORE = np.split(np.eye(11), [3, 8])  # matrices that read one part of a row


def induction_rows(words):  # up to five of the three names -> (T, 11)
    """The rows of a text before the first head: which word, at which position, and nothing yet of the word before."""
    return np.array([[*(float(word == name) for name in INDUCTION_NAMES), *np.eye(INDUCTION_POSITIONS)[k], 0, 0, 0] for k, word in enumerate(words)])


# Each head with its output projection. The first asks for the position before its own and writes the word that it finds there; the second
# asks for the word that its own word came before, and says that word four times as loud as its own.
INDUCTION_BACK = QKVParams(12 * np.roll(_POSITION, 1, axis=1) * (np.arange(11) != 8), _POSITION, _WORD), _BEFORE.T
INDUCTION_AFTER = QKVParams(10 * _WORD, _BEFORE, _WORD), 4 * _WORD.T
