"""All rules, held against one chapter."""

import re

from pencil.publish import render
from pencil.rules import bridge, form, place, programs, questions, words

OF_THE_SOURCE = (
    *(form.parts, form.spelt, form.boxes, form.cells, form.unwritten, bridge.bridge, bridge.own_code, words.field_words, words.source_box),
    *(place.listed, place.taught, place.cited, place.timed, place.linked, place.renamed, place.in_glossary),
)
OF_THE_QUESTIONS = (questions.plain_hints,)  # once their options can be read
OF_THE_RUN = (  # once the notebook is that of the code
    *(bridge.same_digits, words.replaced, questions.hints, questions.labelled, questions.last_line),
    *(programs.bare_values, programs.published, programs.limited, programs.baked, programs.following),
)
LINE = re.compile(r"^line (\d+): ", re.M)


def broken(chapter):  # Chapter -> sorted list of Finding
    """What the rules find. A chapter whose boxes cannot be read, or whose notebook is stale, is held to the rules that need neither."""
    found = [*unreadable(chapter)]
    rules = OF_THE_SOURCE
    if not found:
        rules += OF_THE_QUESTIONS
        if chapter.is_run:
            rules += OF_THE_RUN
        found += stale(chapter)
    return sorted({*found, *(finding for rule in rules for finding in rule(chapter))})


def unreadable(chapter):
    """A source that makes no notebook."""
    try:
        render.build(chapter.text)
    except render.Failed as wrong:
        begins = [*LINE.finditer(str(wrong))]
        ends = [*(one.start() for one in begins[1:]), None]
        for one, end in zip(begins, ends, strict=True):
            yield chapter.at(int(one[1]), str(wrong)[one.end() : end].strip())
        if not begins:
            yield chapter.at(1, str(wrong))


def stale(chapter):
    """A notebook that its source has left behind; nothing is run."""
    if why := render.check(chapter.source):
        unseen = "" if chapter.is_run else f" What only a run shows is not looked at until then: type `python -m pencil notebooks {chapter.name}`"
        yield chapter.at(1, chapter.in_clone(why) + ("." + unseen if unseen else ""))
