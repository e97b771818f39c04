"""DigitsLab: draw a digit, and the vision transformer of chapter 15 says which one it is."""

from functools import cached_property

import numpy as np

from pencil.bundles import flatten
from pencil.labs import page_digits
from pencil.trace import Trace
from pencil.widgets import carried
from pencil.widgets.lab import Part
from pencil.worked import Worked

SCRIPT = "pencil-digits.js"  # lies beside the page's own script; a page fetches it when a reader gets there
NOTED = ("weights", "logits", "shares")
SIXTEENTHS = 16  # in which scikit-learn's digits have their ink
BEGIN = (40, 10, 200, 0, 80)  # of the sealed digits


class DigitsLab:
    """Eight by eight pixels to draw in, a few sealed digits to begin with, and the machine of the record.

    In the page the engine runs the program of `script()`; `shares` does the same with NumPy.
    """

    name = "DigitsLab"

    def __init__(self, machine=None):
        self.machine = machine or page_digits.read()

    def __repr__(self):
        size = sum(array.size for array in flatten(self.machine).values())
        return f"DigitsLab: {size:,} numbers in bytes, {len(self.machine.head)} digits, {len(self.machine.seats)} seats"

    def shares(self, picture):  # (8, 8) -> (10,)
        """How sure the machine is of each digit."""
        return page_digits.shares(np.asarray(picture, float), self.machine)

    @cached_property
    def begin(self):  # -> [(picture, digit), …]
        """The sealed digits to begin with. Raises DataError where scikit-learn is not on this machine."""
        from pencil.data.pictures import load  # only where they are shown

        sealed = load().test
        return [(sealed.pixels[k].astype(float), int(sealed.labels[k])) for k in BEGIN]

    @cached_property
    def trace(self):  # -> Trace
        """One run, in which only what the page shows has a name."""
        trace = Trace()
        machine = trace.given_each("reader", self.machine)
        page_digits.shares(trace.given("picture", np.zeros((8, 8))), machine, carried.noting(trace, NOTED))
        return trace

    def script(self):  # -> str
        """What the page fetches: the program, and its numbers in bytes."""
        return carried.script(self.trace, self.machine, seats=len(self.machine.seats))

    def _repr_html_(self):
        """The first picture and the answer to it by NumPy, and what the script makes live."""
        shown, (first, _) = Trace(), self.begin[0]
        shown("shares", shown.given("found", self.shares(first)) * 1), shown.given("picture", first)
        worked = Worked(shown)
        still = Part("heat", "picture", "A sealed digit").still(worked) + Part("bars", "shares", SURE).still(worked)
        return HTML.format(script=SCRIPT, still=still, sure=SURE, begin="".join(self._button(*one) for one in self.begin))

    def _button(self, picture, digit):
        misread = "" if self.shares(picture).argmax() == digit else " that it misreads"
        pixels = " ".join(map(str, (picture.ravel() * SIXTEENTHS).astype(int)))
        return f'<button type="button" data-pixels="{pixels}">a {digit}{misread}</button>\n'


SURE = "How sure the machine is of each digit"
HTML = """<section class="pencil-lab pencil-digits" aria-label="Digits lab" data-script="../_static/{script}">
<div class="pencil-lab-still">{still}</div>
<div class="pencil-lab-live" hidden>
<div class="pencil-controls"><span>Begin with</span>
{begin}<button type="button" data-clear>Clear</button></div>
<div class="pencil-parts">
<div class="pencil-part"><table class="pencil-given"><caption>Draw: press and drag. A stroke that begins on ink rubs out.<br>
Or: arrows move, Space turns a pixel over, a number from 0 to 1 is a grey.</caption><tbody></tbody></table></div>
<div class="pencil-part"><table class="pencil-bars"><caption>{sure}</caption><tbody></tbody></table></div>
</div>
<p class="wrong" role="alert"></p><p class="pencil-lab-said" role="status"></p>
<p class="pencil-lab-says">How each head shares the class token's look out over the sixteen patches: the fuller the shade, the more.</p>
<div class="pencil-looks"></div>
</div></section>"""
