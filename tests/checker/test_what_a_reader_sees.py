"""An independent implementation of which digits a page shows; the checker counts exactly these."""

import random
import re
from functools import cache
from pathlib import Path

import pytest
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from pencil.checker.check import pages
from pencil.checker.digits import DIGIT
from pencil.checker.numerals import TARGET_ROLES, find_numerals
from pencil.checker.page import ARGUMENT_NAMES, OPTION_NAMES, read_page

ROOT = Path(__file__).parents[2]
BOOK = pages([str(ROOT / "notebooks"), str(ROOT / "book")])

MARKDOWN = create_md_parser(MdParserConfig(enable_extensions={"attrs_inline", "colon_fence", "deflist", "dollarmath"}), RendererHTML)
MARKDOWN.disable("footnote_tail")  # a footnote stays where it is written
SHOWN = {"text", "code_inline", "math_inline", "math_block", "math_block_label", "code_block", "html_inline", "html_block", "image"}


@cache
def shown(text):  # str -> list of str
    """The visible pieces of a page in reading order, as MyST parses it."""
    return list(_pieces(MARKDOWN.parse(text)))


def _pieces(tokens):
    for token in tokens:
        if token.type == "inline":
            yield from _pieces(token.children)
        elif token.type in ("fence", "colon_fence"):
            yield from _fenced(token)
        elif token.type == "myst_role":
            yield _role(token.meta["name"], token.content)
        elif token.type == "list_item_open":
            yield token.info
        elif token.type in SHOWN:
            yield token.content
        elif token.type == "footnote_ref" and token.meta["label"].isdigit():  # a name becomes a number of the page, a number stays
            yield token.meta["label"]


def _role(name, content):
    if name in ("v", "when"):
        return content.partition("<")[0]
    if not TARGET_ROLES.match(name):
        return content
    return content.rpartition("<")[0] if content.endswith(">") else ""


def _fenced(token):  # a directive is its argument, its options and its body; a code cell is not shown as text
    name, argument = re.match(r"(?:\{([\w:-]+)\})?(.*)", token.info).groups()
    if name in ("code-cell", "toctree"):
        return
    if name is None or name in ("math", "code", "code-block", "raw"):
        yield token.content
        return
    if name not in ARGUMENT_NAMES:
        yield argument
    lines, is_choice = token.content.split("\n"), ":choices:" in token.content
    while lines and (option := re.match(r"\s*:([\w-]+):(.*)", lines[0])):
        if option[1].startswith("wrong") and not is_choice:
            yield option[2].partition("|")[2]  # before the bar stands a reference, as in an answer
        elif option[1] not in OPTION_NAMES and option[1] not in ("answer", "from"):
            yield option[2]
        lines.pop(0)
    yield from shown("\n".join(lines))


@cache
def blocks(text):  # str -> list of Block
    """The blocks of a page, as the checker cuts it."""
    return read_page(text).blocks


def counted(text, count=find_numerals):  # str -> list of str
    """The numerals of a page in reading order, as the checker cuts it."""
    return [block.text[start:end] for block in blocks(text) for start, end in count(block)]


def difference(text, count=find_numerals):  # -> str, or None where the checker counts what a reader sees
    """The first digit that only one of the two has, with what stands before it."""
    seen, known = (DIGIT.findall("¦".join(parts)) for parts in (shown(text), counted(text, count)))
    if seen == known:
        return None
    at = next((i for i, (a, b) in enumerate(zip(seen, known, strict=False)) if a != b), min(len(seen), len(known)))
    return f"after the digits …{''.join(seen[max(0, at - 20) : at])} a reader sees {seen[at : at + 5]}, the checker counts {known[at : at + 5]}"


@pytest.mark.parametrize("page", BOOK, ids=[page.name for page in BOOK])
def test_the_digits_that_count_are_those_that_a_reader_sees(page):
    text = page.read_text(encoding="utf-8")
    assert difference(text) is None


PLAIN = {"api.md", "bibliography.md", "gallery.md", "glossary.md", "slides.md", "slides_today.md"}  # lists
NUMBERED = [page for page in BOOK if page.name not in PLAIN]


@pytest.mark.parametrize("page", BOOK, ids=[page.name for page in BOOK])
def test_all_pages_show_digits_but_the_lists(page):
    assert bool(DIGIT.search("".join(shown(page.read_text(encoding="utf-8"))))) == (page in NUMBERED)


@pytest.mark.parametrize("page", NUMBERED, ids=[page.name for page in NUMBERED])
def test_a_checker_that_overlooks_one_numeral_is_found_out(page):
    text, rng = page.read_text(encoding="utf-8"), random.Random(0)
    chosen = rng.choice([block for block in blocks(text) if find_numerals(block)])
    assert "a reader sees" in difference(text, lambda block: find_numerals(block)[block == chosen :])


SEEN = [
    "[2, 9]: the second wins.",
    "[a]: https://a.org/8",
    "[a]: https://a.org/8 and more",
    "  [^note]: 99 heads",
    "one](99 values)",
    r"\[one](99)",
    "[one](page_99.html)",
    "[a [1] b](page_99.html 'title')",
    "![a [1] b](page_99.png)",
    "see <https://a.org/85> and https://a.org/84?x=83",
    "```{note} There are 99 heads\nand 7\n```",
    "```{admonition} 99 heads\n7\n```",
    "::::{note} 99\n:name: n-8\n:::{wrong-turn} 98\n9\n:::\n::::",
    "Title 1\n===\n\n> Title 2\n> ---\n\n> # 3\n\n- # 4",
    "| a 1 | 2 |\n|---|---|\n| 3 | `4` |",
    "term 1\n: a meaning of 2",
    "5\n: {ref}`see 19 <target-82>` {doc}`81` {term}`word 20` {math}`x^{21}`",
    "a[^80]\n\n[^80]: a note of 22",
    "$$\nx_{16}\n$$ (eq-90)",
    "1. one\n1. two\n\n   1. three 3",
    "a <b>3</b>\n\n<div>4</div>",
    "{when}`one of 2 <nolan.weights[0] > 99>` and {v}`3 <a[98]>`",
    "**2**·3 = _6_ and \\`7\\` and \\$8",
]


@pytest.mark.parametrize("text", SEEN)
def test_what_markdown_shows_counts(text):
    assert difference(text) is None


FRAGMENTS = (
    "8", "½", "x²", " ", " ", " ", "**", "`", "[", "](", "]", ")", "(", ":", "!", "$", "<", ">", "{v}`8 <x[1]>`", "[a 7](b_6.html)",
    "![a 5](b_4.png)", "word", "\n\n", "[^3]", "| ", "- ", "1. ", "> ", "# ", "https://a.org/9", "{ref}`5 <t-1>`", "$x_4$", "`a 3`", "*",
)  # fmt: skip


def hidden(text):
    """The digits that a reader sees and the checker does not count."""
    known, missed = DIGIT.findall("¦".join(counted(text))), []
    for digit in DIGIT.findall("¦".join(shown(text))):
        known.remove(digit) if digit in known else missed.append(digit)
    return missed


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_no_mixture_of_signs_hides_a_digit(seed):
    rng = random.Random(seed)
    texts = ["".join(rng.choices(FRAGMENTS, k=rng.randint(2, 12))) + "\n\n[^3]: a note" for _ in range(1500)]
    assert [(text, missed) for text in texts if ":::" not in text and (missed := hidden(text))][:5] == []
