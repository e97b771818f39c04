"""Which digits of a block count: all except those in link targets, labels and keys.

A block is split into the pieces that Markdown treats specially. All text outside of silent pieces counts, so an unforeseen
construction is counted, not overlooked.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape

from pencil.checker.digits import NUMERAL


@dataclass(frozen=True)
class Piece:
    """A span of a block's text; `kind` is binding, claim, word, broken, code, tex, html, alt, tooltip, entity, emphasis, marker or silent."""

    kind: str
    start: int
    end: int
    shown: tuple = (0, 0)  # the span of a binding's digits, or of the words of a claim or of {w}
    reference: str = ""  # of a binding, or the condition of a claim


ROLE_TEXT = re.compile(r"(?P<shown>[^`<>]*?)\s*<(?P<reference>[^`<>]+)>")
BINDING = re.compile(rf"\{{v\}}`{ROLE_TEXT.pattern}`")
CLAIM = re.compile(r"\{when\}`(?P<shown>[^`<>]+?)\s*<(?P<reference>[^`]+)>`")
WORD = re.compile(r"\{w\}`(?P<shown>[^`<>]+)`")  # a word for which the source of the chapter has another
OWN_ROLES = {"v": ("binding", BINDING), "when": ("claim", CLAIM), "w": ("word", WORD)}  # role: (kind of piece, pattern)
OWN_ROLE = re.compile(r"\{(?:v|when|w)\}")
MARK = "<!--no claim-->"  # after a sentence that claims nothing of its bound numbers; no page and no notebook shows it
TARGET_ROLES = re.compile(r"(?:ref|doc|any|eq|numref|download|hours|cite.*|footcite.*|py:.*)\Z")
_ROLE = re.compile(r"\{(?P<name>[^{}]+)\}(?P<ticks>`+)(?P<body>.*)(?P=ticks)\Z", re.S)
_COMMENT = re.compile(r"<!--(?!-?>).*?--!?>", re.S)
_ENTITY = re.compile(r"&#?\w+;?")
_PLAIN = set("&<>\"'")  # entities of these, and of letters, cannot be part of a number
_WHOLE = {"tex": "tex", "marker": "marker", "answer": "silent"}  # kinds of blocks that are a single piece


def without_roles(text):  # "{v}`0.953 <nolan.weights[ended]>`" -> "0.953"
    """A text with each of the book's roles replaced by its digits or words, and without the marks of sentences."""
    for _, role in OWN_ROLES.values():
        text = role.sub(lambda match: match["shown"], text)
    return text.replace(MARK, "")


@lru_cache(maxsize=4096)
def pieces(block):  # Block -> tuple of Piece
    """Split a block into the pieces that Markdown treats specially."""
    text = block.text
    if block.kind in _WHOLE:
        return (Piece(_WHOLE[block.kind], 0, len(text)),)
    if block.kind == "code":  # line by line
        return tuple(Piece("code", m.start(), m.end()) for m in re.finditer(r"\S.*", text))
    if block.kind == "html":
        return tuple(_in_html(text))
    from pencil.checker import markdown  # not at the top: exercises and worksheets do not need MyST

    found = []
    for match in markdown.inline_matches(text, block.defined):
        found += _pieces_of(match, text, found)
    rest = _blanked(text, [(p.start, p.end) for p in found])
    found += [Piece("broken", m.start(), m.end()) for m in OWN_ROLE.finditer(rest)]
    return tuple(sorted(found, key=lambda piece: piece.start))


def _pieces_of(match, text, before):  # Match, str, the pieces so far -> list of Piece
    start, end = match.start, match.end
    if match.label:
        return _link(match, text, before)
    if match.rule == "myst_role":
        return _role(start, end, text)
    if match.rule == "html_inline":
        return [Piece("silent", start, end)] if _COMMENT.fullmatch(text[start:end]) else []
    if match.rule == "backticks":
        return [Piece("code", start, end)] if match.token and match.token.type == "code_inline" else []
    if match.rule == "math_inline":
        return [Piece("tex", start, end)]
    if match.rule == "entity":
        return _entities(text, start, end)
    if match.rule == "footnote_ref":  # footnotes are numbered automatically, unless the label is itself a number
        return [] if text[start + 2 : end - 1].isdigit() else [Piece("silent", start, end)]
    return [Piece("emphasis", start, end)] if match.rule == "emphasis" else []


def _link(match, text, before):  # label (text, or alt text of an image), silent target, tooltip
    label_end = max([match.label[1], *(p.end for p in before if p.end <= match.end)])
    alt = [Piece("alt", *match.label), *_entities(text, *match.label)] if match.rule == "image" else []
    target = max(label_end, _target_end(text, match))
    title = [Piece("tooltip", target, match.end), *_entities(text, target, match.end)] if text[target : match.end].strip(" )\n") else []
    return [*alt, Piece("silent", label_end, target if title else match.end), *title]


def _target_end(text, match):
    """The end of the destination of an inline link; for a reference link, the end of the match."""
    opening = re.compile(r"\]\(\s*").match(text, match.label[1])
    from pencil.checker import markdown

    destination = markdown.destination(text, opening.end(), match.end) if opening else None
    return destination or match.end


def _role(start, end, text):  # a role of Sphinx: its target is silent, its text counts
    role = _ROLE.match(text[start:end])
    body = start + role.start("body"), start + role.end("body")
    if role["name"] in OWN_ROLES:
        kind, pattern = OWN_ROLES[role["name"]]
        match = pattern.fullmatch(text, start, end)
        if match is None:
            return [Piece("broken", start, end)]
        return [Piece(kind, start, end, match.span("shown"), match.groupdict().get("reference", "").strip())]
    if role["name"] == "math":
        return [Piece("tex", *body)]
    target = targets_of_role(text, start, end)[1]
    return [Piece("silent", *target)] if target else []


def targets_of_role(text, start, end):
    """The span of the body of a Sphinx role, and of the target in it; None for a role that shows all of its body."""
    role = _ROLE.match(text[start:end])
    body = start + role.start("body"), start + role.end("body")
    if not TARGET_ROLES.match(role["name"]):
        return body, None
    shown = re.match(r"(.*?)<[^<>]*>\Z", role["body"], re.S)
    return body, (body[0] + (len(shown[1]) if shown else 0), body[1])


def _in_html(text):  # comments are silent; tags are not, since attributes may be shown
    comments = [m.span() for m in _COMMENT.finditer(text)]
    edges = [0, *(edge for span in comments for edge in span), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        yield Piece("html", start, end)
        yield from _entities(text, start, end)
    yield from (Piece("silent", *span) for span in comments)


def _entities(text, start, end):
    """The entities that may be part of a number."""
    for match in _ENTITY.finditer(text, start, end):
        sign = unescape(match[0])
        if sign != match[0] and not sign.isalpha() and sign not in _PLAIN:
            yield Piece("entity", *match.span())


@lru_cache(maxsize=4096)
def find_numerals(block):  # Block -> tuple of (start, end)
    """The spans of all numerals of a block that count."""
    text = _blanked(block.text, [(p.start, p.end) for p in pieces(block) if p.kind == "silent"] + _targets(block))
    return tuple(m.span() for m in NUMERAL.finditer(text))


def arithmetic_text(block):
    """The text of a block for the equation parser, with all offsets unchanged.

    Bindings are replaced by their digits and emphasis by spaces. Non-arithmetic pieces become a bar, which no equation can span.
    """
    bars = [(p.start, p.end) for p in pieces(block) if p.kind in ("silent", "tex", "marker", "broken", "entity")]
    spaces = [(p.start, p.end) for p in pieces(block) if p.kind == "emphasis"]
    return _blanked(_blanked(block.text, bars, "¦"), spaces + _targets(block))


def _targets(block):  # spans of bindings, claims and {w} without their digits and words
    bound = [p for p in pieces(block) if p.kind in ("binding", "claim", "word")]
    return [span for p in bound for span in ((p.start, p.shown[0]), (p.shown[1], p.end))]


def _blanked(text, spans, filler=" "):
    for start, end in spans:
        text = text[:start] + filler * (end - start) + text[end:]
    return text


def line_of(block, at):
    """The line of the page for an offset in the block."""
    return block.line + block.text.count("\n", 0, at)


def with_text(block, text):
    """The same block with another text."""
    return replace(block, text=text)
