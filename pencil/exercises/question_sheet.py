"""The questions of a chapter for print, as HTML: each with what it starts from and room to write, and the key on pages of its own."""

import re
from html import escape

from markdown_it import MarkdownIt

from pencil.errors import TaskError
from pencil.exercises.alone import asked_alone
from pencil.exercises.assignment import right_answer
from pencil.exercises.printed import page
from pencil.rounding import MINUS
from pencil.worked import grouped

MARKDOWN = MarkdownIt("commonmark", {"html": False, "breaks": True})
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
LETTER = re.compile(r"\$(?P<letter>\w)(?:_(?P<index>\w))?(?P<turned>\^\\top)?\$")
STYLE = """
.pencil-paper .task li { height: auto }
.pencil-paper ol > li { margin: 0 0 5mm }
.pencil-paper :is(p, ul) { margin: 0 0 1mm }
.pencil-paper .choices { list-style: none; padding: 0 }
.pencil-paper .section { font-size: 9.5pt; font-style: italic }
.pencil-paper .room { height: 14mm }
.pencil-paper .key ol > li { margin: 0 0 3mm }
"""


def question_sheet(chapter, paper="a4", folder=None):  # "06", "a4" or "letter" -> str
    """A page of its own.

    Raises KeyError for a chapter that there is not, TaskError for one whose questions all need its page, ValueError for a paper that there is not.
    """
    title, asked, library = asked_alone(chapter, folder)
    if not asked:
        raise TaskError(f"no question of chapter {library.own} is asked without its page: there is nothing to print")
    heading = escape(f"{title}: questions")
    chapter_address = asked[0].address.partition("#")[0]
    body = (
        f'<main class="pencil-paper"><section class="task"><h1>{heading}</h1>\n'
        f'<p class="who"><span>Chapter {library.own}</span><span>Name</span><span>Time</span></p>'
        f"<p>The chapter: {escape(chapter_address)}. Carry three places.</p>\n"
        f"<ol>{''.join(map(_question, asked))}</ol></section>\n"
        f'<section class="key"><h1>{heading}: the key</h1><ol>{"".join(_key(question, library) for question in asked)}</ol></section></main>'
    )
    return page(f"{title}: questions", body, paper, STYLE)


def _question(asked):
    givens = f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in asked.givens)}</ul>" if asked.givens else ""
    choices = "".join(f"<li>☐ {escape(word)}</li>" for word in asked.source.choices)
    room = f'<ul class="choices">{choices}</ul>' if choices else '<span class="room"></span>'
    return f'<li><p class="section">{escape(asked.title)}</p>{_html(asked.text)}{givens}{room}</li>\n'


def _key(asked, library):
    return f"<li><p><strong>{escape(_printed(right_answer(asked, library), asked))}</strong></p>{_html(asked.worked)}</li>\n"


def _printed(right, asked):  # numbers as the prose writes them, not as code
    return right if asked.source.right else grouped(right.replace("-", MINUS))


def _html(text):  # Markdown -> HTML; paper has no links
    return LETTER.sub(_letter, MARKDOWN.render(LINK.sub(r"\1", text)))


def _letter(found):  # $W_Q$, $K^\top$
    index = f"<sub>{found['index']}</sub>" if found["index"] else ""
    return f"<i>{found['letter']}</i>{index}{'<sup>T</sup>' if found['turned'] else ''}"
