"""The text of a block as it is rendered: without Markdown, tags, link targets and characters of no width; each bound number is one character.

Signs and units beside a number can make it another (see `affixes`). In the rendered text one pattern finds each of them, whatever the
Markdown that made it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from unicodedata import category, name

from pencil.checker.numerals import pieces, targets_of_role

BOUND = "\ue000"  # a bound number, whatever its digits
PLACEHOLDER = "\ue001"  # words that the source does not hold, such as the title that a reference points to
_TAG = re.compile(r"<(?P<tag>/?[a-zA-Z][\w-]*)[^>]*>", re.S)
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_INSTEAD = {"sup": "^", "br": " ", "td": " ¦ ", "th": " ¦ ", "tr": " ¦ ", "li": " ¦ ", "p": " ¦ ", "div": " ¦ ", "s": "~", "del": "~", "strike": "~"}
_TEX_SIGNS = {  # what TeX shows of a sign that stands alone, as in 8 $<$ 2
    r"\lt": "<", r"\gt": ">", r"\le": "≤", r"\leq": "≤", r"\ge": "≥", r"\geq": "≥", r"\ne": "≠", r"\neq": "≠", r"\equiv": "≡", r"\approx": "≈",
    r"\sim": "∼", r"\to": "→", r"\rightarrow": "→", r"\times": "×", r"\cdot": "·", r"\div": "÷", r"\pm": "±", **{sign: sign for sign in "=<>+-*/·×"},
}  # fmt: skip
_IN_TEX = re.compile(r"\\(?:[,;:! ]|text|mathrm|left|right)|\\(?=[^\w\s])|[{}$]")


@dataclass(frozen=True)
class RenderedText:
    """The characters of a rendered block, and for each of them its offset in the source of the block."""

    text: str
    places: tuple
    not_sums: frozenset  # offsets of TeX, markers and other characters that are no part of a sum in plain text

    def place(self, at):
        """The offset in the block of the character at `at`."""
        return self.places[min(at, len(self.places) - 1)] if self.places else 0

    def spelled(self, bound):  # {place: digits} -> RenderedText
        """The same with the digits of each bound number."""
        signs = [(sign, place) for seen, place in zip(self.text, self.places, strict=True) for sign in (bound[place] if seen == BOUND else seen)]
        return RenderedText("".join(sign for sign, _ in signs), tuple(place for _, place in signs), self.not_sums)

    def plain(self):
        """Its text as sums are read from it: ¦ for each character that is no part of one."""
        return "".join("¦" if place in self.not_sums else sign for sign, place in zip(self.text, self.places, strict=True))


@lru_cache(maxsize=4096)
def rendered_text(block):  # Block -> RenderedText
    """A block as it is rendered."""
    instead = _instead(block)  # (start, end) -> what is seen in place of it
    text, at, signs = block.text, 0, []
    while at < len(text):
        end, shown = instead.get(at, (at + 1, None))
        if shown is None:
            shown = "" if _is_unseen(text[at]) else text[at]
        signs += [(" " if sign.isspace() else sign, at) for sign in shown]
        at = max(end, at + 1)
    not_sums = {p for piece in pieces(block) if _is_no_sum(text, piece) for p in range(piece.start, piece.end)}
    return RenderedText("".join(sign for sign, _ in signs), tuple(place for _, place in signs), frozenset(not_sums))


def _is_unseen(sign):  # of no width and without ink; a bar over a digit is seen
    return not sign.isspace() and (category(sign) in ("Cf", "Cc") or (category(sign) == "Mn" and "VARIATION SELECTOR" in name(sign, "")))


def _is_no_sum(text, piece):
    return piece.kind in ("silent", "tex", "marker", "broken", "entity") and _alone(text, piece) is None


def _alone(text, piece):  # the one sign that a piece of TeX shows, or None
    return _TEX_SIGNS.get(text[piece.start : piece.end].strip("$ ")) if piece.kind == "tex" else None


def _instead(block):  # -> {start: (end, shown)}: what stands in the rendered text in place of a piece of the source
    text, found = block.text, {}

    def put(start, end, shown=""):
        if start < end and start not in found:
            found[start] = (end, shown)

    for piece in pieces(block):
        if piece.kind == "binding":
            put(piece.start, piece.end, BOUND)
        elif piece.kind == "claim":
            put(piece.start, piece.said[0])
            put(piece.said[1], piece.end)
        elif piece.kind == "entity":
            put(piece.start, piece.end, unescape(text[piece.start : piece.end]))
        elif piece.kind == "emphasis":
            put(piece.start, piece.end)
        elif piece.kind == "tex":
            if sign := _alone(text, piece):
                put(piece.start, piece.end, sign)
            for mark in _IN_TEX.finditer(text, piece.start, piece.end):
                put(*mark.span())
    if block.kind == "html":
        _tags(text, 0, len(text), put)
    elif block.kind not in ("code", "tex", "marker", "answer"):
        _marks(block, put)
    return found


def _marks(block, put):
    from pencil.checker import markdown  # it needs MyST, which exercises and worksheets do without

    text = block.text
    for match in markdown.inline_matches(text, block.defined):
        start, end = match.start, match.end
        if match.label:
            put(start, match.label[0])
            put(match.label[1], end)
        elif match.rule == "html_inline":
            _tags(text, start, end, put)
        elif match.rule == "escape":
            put(start, start + 1)
        elif match.rule == "backticks" and match.token and match.token.type == "code_inline":
            ticks = len(text[start:end]) - len(text[start:end].lstrip("`"))
            put(start, start + ticks)
            put(end - ticks, end)
        elif match.rule == "math_inline" or match.rule == "autolink":
            put(start, start + 1)
            put(end - 1, end)
        elif match.rule == "footnote_ref":
            put(start, end, PLACEHOLDER)
        elif match.rule == "myst_role":
            _role(text, start, end, put)
        elif match.rule == "entity":
            put(start, end, unescape(text[start:end]))


def _role(text, start, end, put):
    body, target = targets_of_role(text, start, end)
    name = text[start + 1 : text.index("}", start)]
    put(start, body[0], "^" if name in ("sup", "superscript") else PLACEHOLDER if target and target[0] == body[0] else "")
    if target:
        put(*target)
    put(body[1], end)


def _tags(text, start, end, put):
    for comment in _COMMENT.finditer(text, start, end):
        put(*comment.span())
    for tag in _TAG.finditer(text, start, end):
        put(*tag.span(), _INSTEAD.get(tag["tag"].strip("/").lower(), "") if tag["tag"] != "/sup" else "")
