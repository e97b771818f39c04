"""The boxes of a chapter as HTML: each kind, its contents, and errors."""

import re

import pytest
from markdown_it import MarkdownIt

from pencil.publish.boxes import as_html
from pencil.publish.render import Failed, build

BOXES = """Before.
::::::{your-turn} two-queries
:answer: run.asked["x"]
What is {v}`3 <three>`?
:::{worked-answer}
- one
- two
:::
::::::
After.
"""


def test_a_box_becomes_html_with_its_markdown_inside():
    assert build(BOXES).cells[0].source == (
        "Before.\n\n"
        '<div class="pencil-box your-turn" id="your-turn-two-queries" data-turn="two-queries" data-answer="run.asked[&quot;x&quot;]">\n'
        '<p class="pencil-box-title">Your turn</p>\n\n'
        'What is <span data-value="three">3</span>?\n\n'
        '<details class="pencil-box worked-answer"><summary class="pencil-box-title">Worked answer</summary>\n\n'
        "- one\n- two\n\n</details>\n\n</div>\n\nAfter."
    )


def test_plain_markdown_reads_the_boxes_and_what_is_in_them():
    shown = MarkdownIt("commonmark").render(build(BOXES).cells[0].source).replace("\n", "")
    assert "</summary><ul><li>one</li><li>two</li></ul></details></div><p>After.</p>" in shown


@pytest.mark.parametrize(
    "source, html",
    [
        (
            ":::{with-letters}\nIt is $x$.\n:::",
            '<details class="pencil-box with-letters"><summary class="pencil-box-title">Why? The same rules, with letters</summary>\n\n'
            "It is $x$.\n\n</details>\n",
        ),
        (
            ":::{wrong-turn} It's *never* a < b.\nIt is.\n:::",
            '<details class="pencil-box wrong-turn"><summary class="pencil-box-title"><strong>Wrong turn:</strong> '
            "It’s <em>never</em> a &lt; b.</summary>\n\nIt is.\n\n</details>\n",
        ),
        (
            ":::{you-will}\n\n- read\n\n:::",
            '<div class="pencil-box you-will">\n<p class="pencil-box-title">You will be able to</p>\n\n\n- read\n\n</div>\n',
        ),
        (f":::{{one-breath}}\n{'in ' * 30}\n:::", None),
        (f":::{{one-breath}}\n{'in ' * 61}\n:::", None),
        (f":::{{one-breath}}\n{'in ' * 59}{{when}}`all <max weights[0] > 0.9 and weights[1] < 0.1>`\n:::", None),
        ("````text\n:::{your-turn}\n````", "````text\n:::{your-turn}\n````"),
    ],
    ids=["with letters", "wrong turn", "you will", "short breath", "long breath", "breath with a claim", "shown as code"],
)
def test_each_kind_of_box(source, html):
    made = as_html(source)
    if html is None:
        assert ("one-breath long" in made) == (source.count("in ") > 60)
    else:
        assert made == html


@pytest.mark.parametrize(
    "boxes, said",
    [
        (":::{your-turn} a\nx\n:::\n:::{your-turn} a\nx\n:::", "line 6: the key 'a' names the box of line 3 already"),
        (":::{you-will}\nx", "line 3: :::{you-will} is not closed; end it with a line :::"),
        ("::::{your-turn} a\n:::{worked-answer}\nx\n::::", "line 4: :::{worked-answer} is not closed"),
        (":::{your-turn} a\n:::::{worked-answer}\nx\n::::", ":::: does not close the box of line 4"),
        (":::{you-will}\nx\n:::\n:::", "line 6: ::: closes nothing"),
        (":::{one-breth}\nx\n:::", "line 3: :::{one-breth} is no box; there are your-turn"),
        (":::{your-turn}\nx\n:::", "line 3: :::{your-turn} takes a key"),
        (":::{wrong-turn}\nx\n:::", "line 3: :::{wrong-turn} takes the mistake as its title"),
        (":::{worked-answer} a\nx\n:::", "line 3: :::{worked-answer} takes nothing behind it"),
        (":::{your-turn} Two Queries\nx\n:::", "line 3: the key 'Two Queries' is not of small letters"),
        (":::{your-turn} a\n:answr: x\nx\n:::", "line 3: :::{your-turn} has :answr:"),
        (":::{your-turn} a\n:answer:\nx\n:::", "line 3: :::{your-turn} has :answer:"),
        (":::{your-turn} a\n:choices: b | c\nx\n:::", "line 3: :::{your-turn} takes :choices: together with :right:"),
        (":::{your-turn} a\n:choices: b | c\n:right: d\nx\n:::", "line 3: :::{your-turn} has :right: d; it must be one of two or more"),
        (":::{your-turn} a\n:choices: b | b\n:right: b\nx\n:::", "it must be one of two or more different :choices:"),
        (":::{your-turn} a\n:choices: b | c\n:right: c\n:wrong: d | No.\nx\n:::", "has :wrong: d; it must be one of the other choices, here b"),
        (":::{your-turn} a\n:answer: r\n:choices: b | c\n:right: c\nx\n:::", "and then no :answer:"),
        (":::{your-turn} a\n:wrong: r | No.\nx\n:::", "has :wrong: and nothing that is right"),
        (":::{your-turn} a\n:answer: r\n:wrong: r\nx\n:::", "write REFERENCE | what to say to who made this mistake"),
        (":::{you-will}\n:answer: r\nx\n:::", "line 3: :::{you-will} has :answer:; only your-turn has options"),
        (":::{wrong-turn} It is $x$.\nx\n:::", "line 3: neither a formula nor a role can stand in a title"),
        (":::{you-will}\n\n:::", "line 3: :::{you-will} is empty"),
        (":::{you-will}\n# x\n:::", "line 4: this cannot stand in a box"),
        (":::{you-will}\n```{code-cell}\nx\n```\n:::", "line 4: a code cell cannot stand in a box"),
    ],
)
def test_a_bad_box_is_refused_with_its_line_and_the_remedy(boxes, said):
    with pytest.raises(Failed, match=re.escape(said)):
        build(f"# A chapter\n\n{boxes}\n")
