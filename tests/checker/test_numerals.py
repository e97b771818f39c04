"""Which digits of a page count: all but those in targets, labels, keys, front matter and code cells."""

import pytest

from pencil.checker.numerals import find_numerals, line_of, pieces, without_roles
from pencil.checker.page import Block, read_page

PAGE = """---
kernelspec: {name: python-99}
---
(label-98)=
# Heads of width 1

Text with 2, a word2vec, GPT-4 and d_k, wrapped
over 5,000 lines of `code 6` and ½ and n⁴.

:::{your-turn} key-97
:answer: nolan.scores[96]
:class: wide-95
A question with 7.
:::{wrong-turn} It is 8.
Body 9.
:::
:::

:::{figure} picture-94.png
:width: 93%
:alt: A picture of 10 bars
:name: fig-92
A caption with 11.
:::

```{code-cell}
x = 91
```

```python
y = 12
```

| a | 13 |
|---|----|
| b | 14 |

1. first of 15
1. second

$$
x_{16}
$$ (eq-90)

+++ {"tags": ["cell-89"]}

The [link 17](page_88.html#part-87), ![alt 18](image_86.png), <https://a.org/85>, https://a.org/84?x=83 and
{ref}`see 19 <target-82>`, {doc}`81`, {cite:p}`vaswani2017`, {term}`word 20`, a note[^80] and {math}`x^{21}`.

[^80]: The note says 22.

[ref-79]: https://a.org/78

:::{math}
y^{23}
:::
"""


def test_what_is_said_is_neither_binding_nor_claim():
    text = "*Nolan* listens {when}`almost only\nto *ended* <nolan.weights[ended] > 0.9>`: {v}`0.953 <nolan.weights[ended]>`, {v}`95.3 % <a[1]>`."
    assert without_roles(text) == "*Nolan* listens almost only\nto *ended*: 0.953, 95.3 %."
    assert without_roles("`{v}`, {math}`x` and {v}`8`") == "`{v}`, {math}`x` and {v}`8`"


def counted(text):
    page = read_page(text)
    return [(line_of(b, start), b.text[start:end]) for b in page.blocks for start, end in find_numerals(b)]


def test_every_digit_counts_that_a_reader_sees():
    words = [word for _, word in counted(PAGE)]
    marker = "1"  # of each item of the numbered list
    rest = [*"78", "9", "10", "11", "12", "13", "14", marker, "15", marker, "16", "17", "18", "85", "84", "83", "19", "20", "80", "21", "22", "23"]
    assert words == ["1", "2", "2", "4", "5,000", "6", "½", "⁴", *rest]


def test_lines_are_those_of_the_file():
    lines = PAGE.split("\n")
    for line, numeral in counted(PAGE):
        assert numeral in lines[line - 1]


@pytest.mark.parametrize("text", ["see ①", "Ⅳ heads", "H₂O", "x²", "٣ words"])
def test_digits_of_other_kinds_count(text):
    assert len(counted(text)) == 1


def test_of_a_binding_only_the_digits_count():
    assert counted("so {v}`0.953 <nolan.weights[1]>` and {v}`[2, 8] <nolan.scores>`") == [(1, "0.953"), (1, "2"), (1, "8")]


def test_a_directive_nobody_listed_counts_whole():
    assert [n for _, n in counted(":::{unheard-of} of 1\n:odd: 2\nbody 3\n:::\n")] == ["1", "2", "3"]


@pytest.mark.parametrize(
    "text, kinds",
    [
        ("a `` {v}`8 <x>` `` b", ["code"]),
        ("{v}`8 <x>` and {v}`8`", ["binding", "broken"]),
        ("![{v}`8 <x>`](a.png)", ["alt", "silent"]),
        ("[{v}`8 <x>`](a.html)", ["binding", "silent"]),
        ("$a$ and *{v}`8 <x>`*", ["tex", "emphasis", "binding", "emphasis"]),
        (r"\$8 and \`8\`", []),
        ("```a``` and {v}`8 <x>`", ["code", "binding"]),
        ("2*3 = 6* and 2 * 3", ["emphasis", "emphasis"]),
        ("[a](b.html 'title 8')", ["silent", "tooltip"]),
        ("&#49; and <!-- 8 --> and <b>", ["entity", "silent"]),
    ],
)
def test_pieces(text, kinds):
    assert [piece.kind for piece in pieces(Block("prose", 1, text))] == kinds


def test_a_binding_may_be_wrapped():
    (piece,) = pieces(Block("prose", 1, "{v}`2·3 + 0·0\n= 6 <nolan.scores\n[0]>`"))
    assert piece.kind == "binding" and piece.reference == "nolan.scores\n[0]"
