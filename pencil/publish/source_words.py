"""What the source of a chapter calls things, where it has words of its own: `source_words` in the front matter.

    pencil:
      source_words: {query: WANT, W_Q: WANT grid}

The box of words shows them, and its switch puts them into lines, pictures and labs, and into the prose where {w} marks a word.
"""

import re

from pencil.checker.numerals import line_of, pieces
from pencil.worked.labels import plural

MARKED = r'<span class="pencil-w">\g<shown></span>'  # what becomes of {w}`query`
ARTICLE = re.compile(r"an?\s", re.I)
MARKS = re.compile(r"[\\`*\[\]<>|$~&{}]|(?<!\w)_|_(?!\w)")


class SourceWords:
    """The words of a page: `words` has {the field's: the source's}. Raises ValueError where {w} marks a word that is none of them."""

    def __init__(self, page):
        self.words = (page.front.get("pencil") or {}).get("source_words") or {}
        if not isinstance(self.words, dict) or not all(_is_word(word) for pair in self.words.items() for word in pair):
            raise ValueError(f"source_words is {self.words!r}; it reads FIELD: SOURCE, a word for a word")
        known = {form for word in self.words for one in (word, plural(word)) for form in (one, one[0].upper() + one[1:])}
        for line, shown in marked(page):
            if ARTICLE.sub("", shown, count=1) not in known:
                raise ValueError(f"line {line}: {{w}}`{shown}` — the source has no word for it; source_words has {', '.join(self.words) or 'none'}")

    def table(self):  # -> lines of Markdown
        """The words side by side, folded; no lines where the chapter has none."""
        if not self.words:
            return []
        rows = [f"| {_plain(field)} | {_plain(source)} |" for field, source in self.words.items()]
        return ["<details><summary>Word for word</summary>", "", "| the field | the source |", "|---|---|", *rows, "", "</details>"]


def _is_word(word):
    return isinstance(word, str) and word.strip() == word != ""


def _plain(word):  # W_Q stays, * and | are escaped: no word is a mark of Markdown
    return MARKS.sub(r"\\\g<0>", word)


def marked(page):  # Page -> (line, words)
    """The words that {w} marks on a page."""
    for block in page.blocks:
        for piece in pieces(block):
            if piece.kind == "word":
                yield line_of(block, piece.start), " ".join(block.text[slice(*piece.shown)].split())
