"""A text into tokens: its pieces, in the order in which they stand. What counts as a piece is a choice."""

import re

MARKS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'  # what Keras' Tokenizer filters out; the apostrophe is not among them
_TO_BLANKS = str.maketrans(dict.fromkeys(MARKS, " "))
_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")


def tokens(text):  # str -> list of str
    """The words of a text: small letters, marks to blanks, split at blanks (the rule of Keras' Tokenizer).

    A mark is gone for good, an apostrophe stays: "Don't!" is ["don't"]. Raises ValueError for what is no text.
    """
    _refuse(text)
    return [piece for piece in text.lower().translate(_TO_BLANKS).split(" ") if piece]


def words_and_marks(text):  # str -> list of str
    """The words and the marks of a text, each a token, with capitals as they stand: "It ends." is ["It", "ends", "."].

    A run of letters, digits and low lines is a word; any other sign that is no blank is a mark. Source: the pattern of
    NLTK's wordpunct_tokenize, which keeps a run of marks together. Raises ValueError for what is no text.
    """
    _refuse(text)
    return _WORD_OR_MARK.findall(text)


def _refuse(text):
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is a {type(text).__name__}, not a text; hand in one text at a time, as a str")
