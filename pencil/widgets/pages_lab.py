"""PagesLab: a paged KV cache with its block table."""

import numpy as np

from pencil.trace import COUNT, Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

PAGES = ("zero", "one", "two", "three", "four", "five")  # physical pages; slots are called so as well
SLOTS = (2, 3, 4)  # options for the size of a page
TABLE, TAKEN, WORDS = (3, 0, 5, 2), (0, 1, 0, 0, 1, 0), 5  # block table, pages of another text, length; as in chapter 17 with one more page
LABELS = {"used": "pages of the text", "wasted": "slots left over", "last": "position of the last word", "place": "place in its page"}
LABELS |= {"page": "physical page", "slot": "slot", "found": "words found", "words": "number of words"}
LABELS |= {"others": "slots of the other text", "kept": "not overwritten", "overwritten": "overwritten"}
LABELS |= {"table": "page in the table", "taken": "page of another text"}
WORDS_REFUSED = "A whole number of words, from 1 on, and no more than the pages of the table hold."
TAKEN_REFUSED = "1 is a page of the other text, 0 is none."


class PagesLab(Lab):
    """Inputs: the length of a text, its block table, the pages of another text. Choice: slots of a page. Shows the pool and the wasted slots."""

    def __init__(self):
        super().__init__([_variant(size) for size in SLOTS], [Choice("Slots of a page", tuple(str(size) for size in SLOTS))])


def _variant(size):
    trace, most = Trace(), len(TABLE) * size
    words = trace.given("words", min(WORDS, most), **COUNT, most=most)
    table = trace.given("table", TABLE, columns=PAGES[: len(TABLE)], whole=True, most=len(PAGES) - 1)
    last = trace("last", words - 1)
    used = trace("used", np.where(words > np.arange(len(TABLE)) * size, 1, 0).sum())
    trace("wasted", used * size - words)
    place = trace("place", last - (used - 1) * size)
    page = trace("page", table[used - 1])
    trace("slot", page * size + place)
    taken = trace.given("taken", TAKEN, words=PAGES, whole=True, most=1)
    room = _room(trace, words, table, taken, size)
    trace("found", np.where(room > 0, 1, 0).sum())
    trace("overwritten", trace("others", taken.sum() * size) - trace("kept", np.where(room < 0, 1, 0).sum()))
    return Variant(Worked(trace, LABELS), one_step("Pages", *_shown()))


def _room(trace, words, table, taken, size):
    """The contents of each slot: the number of a word, from 1 on; -1 for another text; 0 if it is free."""
    room = -taken[:, None] * np.ones((1, size))
    slots = trace.as_traced(np.arange(size), columns=PAGES[:size])
    for logical in range(len(TABLE)):  # a later logical page overwrites an earlier one with the same physical page
        numbers = slots + logical * size + 1
        here = np.where(np.equal(table[logical], np.arange(len(PAGES))), 1, 0)[:, None] * numbers
        room = np.where((here > 0) * (here <= words), numbers, room)
    return trace("room", room)


def _shown():
    yield Part("given", "words", "Words of the text", refusal=WORDS_REFUSED)
    yield Part("given", "table", "Its table: for each page of the text, in order, the physical page")
    yield Part("given", "taken", "Physical pages that another text has: 1", refusal=TAKEN_REFUSED, paint=True)
    yield Part(
        "heat",
        "room",
        "The memory, page by page: which word lies in which slot? Words are counted from one; 0: the slot is free; −1: it belongs to another text.",
        row=True,
    )
    yield Part("lines", "used wasted", "Pages, and what is left over in the last one")
    yield Part("lines", "last place page slot", "Where does the last word lie?")
    yield Part("lines", "found", "Two pages of the text in one place: words are lost. Still there:")
    yield Part("lines", "others kept overwritten", "Where the text writes on a page of the other text, the other loses its slots")
