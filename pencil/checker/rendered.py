"""The rendered text of a block, without Markdown, tags, link targets and zero-width characters; each bound number is one character.

Affixes of a number can change its value (see `affixes`). In the rendered text a single pattern finds them, however they are marked up.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from unicodedata import category, name

from pencil.checker.numerals import pieces, targets_of_role

BOUND = "\ue000"  # stands for a bound number
PLACEHOLDER = "\ue001"  # stands for text that is not in the source, such as the title of a link target
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
    not_sums: frozenset  # offsets of characters that cannot be part of a plain-text sum, such as TeX and markers

    def place(self, at):
        """The offset in the block of the character with index `at`."""
        return self.places[min(at, len(self.places) - 1)] if self.places else 0

    def spelled(self, bound):  # {place: digits} -> RenderedText
        """The same text with the digits of each bound number filled in."""
        signs = [(sign, place) for seen, place in zip(self.text, self.places, strict=True) for sign in (bound[place] if seen == BOUND else seen)]
        return RenderedText("".join(sign for sign, _ in signs), tuple(place for _, place in signs), self.not_sums)

    def plain(self):
        """The text with ¦ for each character that cannot be part of a sum."""
        return "".join("¦" if place in self.not_sums else sign for sign, place in zip(self.text, self.places, strict=True))


@lru_cache(maxsize=4096)
def rendered_text(block):  # Block -> RenderedText
    """Render a block."""
    instead = _instead(block)
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


def _alone(text, piece):  # the sign of a formula that consists of one, or None
    return _TEX_SIGNS.get(text[piece.start : piece.end].strip("$ ")) if piece.kind == "tex" else None


def _instead(block):  # -> {start: (end, replacement)} of the spans that are rendered differently
    text, found = block.text, {}

    def put(start, end, shown=""):
        if start < end and start not in found:
            found[start] = (end, shown)

    for piece in pieces(block):
        if piece.kind == "binding":
            put(piece.start, piece.end, BOUND)
        elif piece.kind in ("claim", "word"):
            put(piece.start, piece.shown[0])
            put(piece.shown[1], piece.end)
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
    from pencil.checker import markdown  # not at the top: exercises and worksheets do not need MyST

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
