"""PagesLab: a text in pages that lie anywhere in a room: its block table, its slots, and what is left over."""

import numpy as np

from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

PAGES = ("zero", "one", "two", "three", "four", "five")  # of the room
SLOTS = (2, 3, 4)  # of a page
TABLE, TAKEN, WORDS = (3, 0, 5, 2), (0, 1, 0, 0, 1, 0), 5  # those of chapter 17, whose fifth word is looked for, and one more page
LABELS = {"used": "pages of the text", "wasted": "slots left over", "last": "position of the last word", "place": "place in its page"}
LABELS |= {"page": "page of the room", "slot": "slot", "found": "words found"}
WORDS_REFUSED = "A whole number of words, from 1 on, and no more than the pages of the table hold."
TABLE_REFUSED = "The pages of the room are 0 to 5."


class PagesLab(Lab):
    """A count of words, a block table and another text's pages to change, and how many slots a page has; the room and its waste follow."""

    def __init__(self):
        super().__init__([_variant(size) for size in SLOTS], [Choice("Slots of a page", tuple(str(size) for size in SLOTS))])


def _variant(size):
    trace, room = Trace(), len(TABLE) * size
    words = trace.given("words", min(WORDS, room))
    table = trace.as_traced(np.arange(len(PAGES)))[trace.given("table", TABLE, columns=PAGES[: len(TABLE)])]  # refuses what is no page
    last = trace("last", trace.as_traced(np.arange(room))[words - 1])  # and what is no word
    used = trace("used", np.where(words > np.arange(len(TABLE)) * size, 1, 0).sum())
    trace("wasted", used * size - words)
    place = trace("place", last - (used - 1) * size)
    page = trace("page", table[used - 1])
    trace("slot", page * size + place)
    trace("found", np.where(_room(trace, words, table, size) > 0, 1, 0).sum())
    return Variant(Worked(trace, LABELS), one_step("Pages", *_shown()))


def _room(trace, words, table, size):
    """What lies in each slot: a word's number, counted from one; -1 for another text's word; 0 for none."""
    room = -trace.given("taken", TAKEN, words=PAGES)[:, None] * np.ones((1, size))
    for logical in range(len(TABLE)):  # of two pages that lie in one place the later one stays
        numbers = logical * size + np.arange(1, size + 1)
        here = np.where(np.equal(table[logical], np.arange(len(PAGES))), 1, 0)[:, None] * numbers
        room = np.where((here > 0) * (here <= words), numbers, room)
    return trace("room", room)


def _shown():
    yield Part("given", "words", "Words of the text", refusal=WORDS_REFUSED, positive=True)
    yield Part("given", "table", "Its table: for each page of the text, in order, the page of the room", refusal=TABLE_REFUSED)
    yield Part("given", "taken", "Pages of the room that another text has: 1", paint=True)
    yield Part("heat", "room", "The room, a row for each page: which word lies where, 0 for none, −1 for another text's", row=True)
    yield Part("lines", "used wasted", "Pages, and what is left over in the last one")
    yield Part("lines", "last place page slot", "Where does the last word lie?")
    yield Part("lines", "found", "Two pages in one place, or one that is taken, and words are lost. Still there:")
