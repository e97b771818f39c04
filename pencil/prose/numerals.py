"""What counts on a page: every digit of a block's text, but for targets, labels and keys.

A block is cut into the pieces that Markdown treats in their own way. Whatever lies in no silent
piece counts, so that a construction nobody thought of is counted, not overlooked.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from pencil.prose.digits import NUMERAL
from pencil.prose.page import Block


@dataclass(frozen=True)
class Piece:
    """A stretch of a block's text; `kind` is binding, broken, code, tex, alt, marker or silent."""

    kind: str
    start: int
    end: int
    said: tuple = (0, 0)  # where the digits of a binding stand
    reference: str = ""


ROLE = "{v}"
ROLE_TEXT = re.compile(r"(?P<said>[^`<>]*?)\s*<(?P<reference>[^`<>]+)>")
BINDING = re.compile(rf"\{{v\}}`{ROLE_TEXT.pattern}`")
TARGET_ROLES = re.compile(r"(?:ref|doc|any|eq|numref|download|cite.*|footcite.*|py:.*)\Z")
_TARGET = r"(?:<[^<>\n]*>|(?!<)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?=\s*\)|\s+[\"'(])"  # closed, or a title follows
_INLINE = re.compile(
    rf"""
    (?P<binding> {BINDING.pattern.replace(" ", "[ ]")} )
  | (?P<broken> \{{v\}}`[^`]*`? )
  | \{{ (?P<role> [\w:+.-]+ ) \}} (?P<ticks> `++ ) (?P<body> .+? ) (?P=ticks)
  | (?P<code> (?P<fence> `++ ) .+? (?<!`)(?P=fence)(?!`) )
  | (?P<escape> \\. | `++ )
  | (?P<tex> (?P<dollars> \$\$? ) (?: \\. | [^$\\] )+ (?P=dollars) )
  | !\[ (?P<alt> (?: [^\[\]] | \[[^\[\]]*\] )* ) \]\( {_TARGET}
  | (?P<link> \]\( {_TARGET} )
  | (?P<silent> <https?:[^<>\s]*> | https?://[^\s<>()\[\]{{}}`$*|\\]+ | \[\^[^\]\s]+\] (?: : | (?!\() )
              | ^[ ]{{0,3}}\[(?!\^)[^\],\n]+\]:[ ]*\S+[ ]*$ )
    """,
    re.S | re.M | re.X,
)
_EQUATION_LABEL = re.compile(r"(?:(?<=\$\$)\s*\([\w:-]+\)\s*)?\Z")  # $$ ... $$ (label)
_MARKER = re.compile(r"\s*(?:>\s*)*(\d+)[.)]\s")


@lru_cache(maxsize=4096)
def pieces(block):  # Block -> tuple of Piece
    """Cut a block into what Markdown makes of it."""
    if block.kind == "answer":
        return (Piece("silent", 0, len(block.text)),)
    if block.kind == "tex":
        end = _EQUATION_LABEL.search(block.text).start()
        return Piece("tex", 0, end), Piece("silent", end, len(block.text))
    if block.kind == "code":  # line by line
        return tuple(Piece("code", m.start(), m.end()) for m in re.finditer(r"\S.*", block.text))
    marker = _MARKER.match(block.text)
    found = [Piece("marker", *marker.span(1))] if marker else []
    at = marker.end() if marker else 0
    while match := _INLINE.search(block.text, at):
        at = match.end()
        if match["link"] and not _is_open(block.text[: match.start()]):
            at = match.start() + 1  # a bracket that closes nothing is text
        else:
            found += _pieces_of(match)
    return tuple(found)


def _is_open(text):  # does a `[` wait for the `]` that follows?
    depth = 0
    for sign in re.sub(r"\\.", "", text):
        depth = depth + 1 if sign == "[" else max(0, depth - (sign == "]"))
    return depth > 0


def _pieces_of(match):
    if match["role"]:
        return _role(match)
    if match["alt"] is not None:
        return [Piece("alt", *match.span("alt")), Piece("silent", match.end("alt"), match.end())]
    if match["binding"]:
        return [Piece("binding", *match.span(), match.span("said"), match["reference"].strip())]
    kind = next(k for k in ("broken", "code", "escape", "tex", "link", "silent") if match[k])
    return [] if kind == "escape" else [Piece("silent" if kind == "link" else kind, *match.span())]


def _role(match):  # the roles of Sphinx: what they point to is silent, what they show counts
    if match["role"] == "math":
        return [Piece("tex", *match.span("body"))]
    if not TARGET_ROLES.match(match["role"]):
        return []
    shown = re.match(r"(.*?)<[^<>]*>\Z", match["body"], re.S)
    return [Piece("silent", match.start("body") + (len(shown[1]) if shown else 0), match.end("body"))]


@lru_cache(maxsize=4096)
def numerals(block):  # Block -> tuple of (start, end)
    """Every numeral of a block that has to be accounted for."""
    text = _blanked(block.text, [(p.start, p.end) for p in pieces(block) if p.kind == "silent"] + _targets(block))
    return tuple(m.span() for m in NUMERAL.finditer(text))


def arithmetic_text(block):
    """The block as the equation reader sees it, every sign at its own place.

    Bindings are their digits, emphasis is space, and what shows no arithmetic is a bar that no
    equation reaches across.
    """
    bars = [(p.start, p.end) for p in pieces(block) if p.kind in ("silent", "tex", "marker", "broken")]
    text = _blanked(_blanked(block.text, bars, "¦"), _targets(block))
    return text if block.kind == "code" else re.sub(r"(?<![\w)\]])\*+(?=\S)|(?<=\S)\*+(?![\w(\[])", lambda m: " " * len(m[0]), text)


def _targets(block):  # all of a binding but its digits
    bound = [p for p in pieces(block) if p.kind == "binding"]
    return [span for p in bound for span in ((p.start, p.said[0]), (p.said[1], p.end))]


def _blanked(text, spans, filler=" "):
    for start, end in spans:
        text = text[:start] + filler * (end - start) + text[end:]
    return text


def line_of(block, at):
    """The line of the page on which a place of the block stands."""
    return block.line + block.text.count("\n", 0, at)


def with_text(block, text):
    """The same block, saying something else."""
    return Block(block.kind, block.line, text)
