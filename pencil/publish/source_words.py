"""What the source of a chapter calls things, where it has words of its own: `source_words` in the front matter.

    pencil:
      source_words: {query: WANT, W_Q: WANT grid}

The box of words shows them, and its switch puts them into lines, pictures and labs, and into the prose where {w} marks a word.
Where no switch works, in a notebook, in the e-book and on paper, the first mention of a word after the box has the source's word beside it.
"""

import re

from pencil.checker.numerals import WORD, line_of, pieces
from pencil.worked.labels import plural

MARKED = '<span class="pencil-w">{}</span>'  # what becomes of {{w}}`query`
BESIDE = '<span class="pencil-source"> (the source: {})</span>'  # hidden where the switch works
MENTION = re.compile(WORD.pattern + r"(?P<after>\**(?:['’]s)?)")
ARTICLE = re.compile(r"an?\s", re.I)
BOX = 'class="pencil-box words"'
SILENT = re.compile(r'<details.*?</details>|<div class="pencil-box your-turn".*?(?=<details)|\[[^\]]*\]\(', re.S)  # folded, a question, a link
MARKS = re.compile(r"[\\`*\[\]<>|$~&{}]|(?<!\w)_|_(?!\w)")


class SourceWords:
    """The words of a page: `words` has {the field's: the source's}. Raises ValueError where {w} marks a word that is none of them."""

    def __init__(self, page):
        self.words, self._seen, self._is_told = (page.front.get("pencil") or {}).get("source_words") or {}, set(), False
        if not isinstance(self.words, dict) or not all(_is_word(word) for pair in self.words.items() for word in pair):
            raise ValueError(f"source_words is {self.words!r}; it reads FIELD: SOURCE, a word for a word")
        known = {form for word in self.words for one in (word, plural(word)) for form in (one, one[0].upper() + one[1:])}
        for line, shown in marked(page):
            if ARTICLE.sub("", shown, count=1) not in known:
                raise ValueError(f"line {line}: {{w}}`{shown}` — the source has no word for it; source_words has {', '.join(self.words) or 'none'}")

    def mark(self, text):  # str -> str
        """The text of the next cell with its words marked. Beside the first mention of each after the box of words is the source's."""
        box = re.search(BOX, text)
        begins = box.end() if box else 0 if self._is_told else len(text)
        self._is_told = self._is_told or bool(box)
        silent = [found.span() for found in SILENT.finditer(text)]

        def marked_one(found):
            is_silent = found.start() < begins or found["after"].endswith("s") or any(start <= found.start() < end for start, end in silent)
            return MARKED.format(found["shown"]) + found["after"] + ("" if is_silent else self._beside(found["shown"]))

        return MENTION.sub(marked_one, text)

    def _beside(self, shown):  # "" but for the first mention
        said = ARTICLE.sub("", shown, count=1)
        for field, source in self.words.items():
            for own, other in ((field, source), (plural(field), plural(source))):
                if said in (own, own[0].upper() + own[1:]) and field not in self._seen:
                    self._seen.add(field)
                    return BESIDE.format(_plain(other))
        return ""

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
