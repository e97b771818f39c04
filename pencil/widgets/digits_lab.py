"""DigitsLab: draw a digit, which the vision transformer of chapter 15 classifies."""

from functools import cached_property

import numpy as np

from pencil.experiments.vision import page_digits
from pencil.params import flatten
from pencil.trace import Trace
from pencil.widgets import exported
from pencil.widgets.lab import Part
from pencil.worked import Worked

SCRIPT = "pencil-digits.js"  # next to the page's own script; loaded when the lab becomes visible
NOTED = ("weights", "logits", "probs")
SIXTEENTHS = 16  # scikit-learn's pixels are integers from 0 to 16
BEGIN = (40, 10, 200, 0, 80)  # indices of examples in the test set


class DigitsLab:
    """An 8 × 8 image to draw, examples of the test set, and the predictions of the recorded model.

    The page's engine runs the program of `script()`; `probabilities` computes the same with NumPy.
    """

    name = "DigitsLab"

    def __init__(self, params=None):
        self.params = params or page_digits.read()

    def __repr__(self):
        size = sum(array.size for array in flatten(self.params).values())
        return f"DigitsLab: {size:,} numbers in bytes, {len(self.params.head)} digits, {len(self.params.positions)} positions"

    def probabilities(self, image):  # (8, 8) -> (10,)
        """The probability of each digit."""
        return page_digits.probabilities(np.asarray(image, float), self.params)

    @cached_property
    def begin(self):  # -> [(image, label), …]
        """The examples of the test set. Raises DataError without scikit-learn."""
        from pencil.data.images import load

        test_set = load().test
        return [(test_set.pixels[k].astype(float), int(test_set.labels[k])) for k in BEGIN]

    @cached_property
    def trace(self):  # -> Trace
        """A run, in which only the values that the page shows have names."""
        trace = Trace()
        params = trace.given_each("reader", self.params)
        page_digits.probabilities(trace.given("image", np.zeros((8, 8))), params, exported.noting(trace, NOTED))
        return trace

    def script(self):  # -> str
        """The script that the page loads: the program, and the parameters in int8."""
        return exported.script(self.trace, self.params, positions=len(self.params.positions))

    def _repr_html_(self):
        """Static HTML with the first example and its prediction, which the script makes interactive."""
        shown, (first, _) = Trace(), self.begin[0]
        shown("probs", shown.given("found", self.probabilities(first), words=DIGITS) * 1), shown.given("image", first)
        worked = Worked(shown)
        still = Part("heat", "image", "A digit of the test set").still(worked) + Part("bars", "probs", SURE).still(worked)
        return HTML.format(script=SCRIPT, still=still, sure=SURE, begin="".join(self._button(*one) for one in self.begin))

    def _button(self, image, digit):
        misread = "" if self.probabilities(image).argmax() == digit else " that it misreads"
        pixels = " ".join(map(str, (image.ravel() * SIXTEENTHS).astype(int)))
        return f'<button type="button" data-pixels="{pixels}">a {digit}{misread}</button>\n'


DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
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
<p class="pencil-lab-says">How each head spreads the class token's look over the sixteen patches: the fuller the shade, the more.</p>
<div class="pencil-looks"></div>
</div></section>"""
