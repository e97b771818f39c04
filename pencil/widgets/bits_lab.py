"""BitsLab: the bits of a float as switches, and the number that follows from them."""

import numpy as np

from pencil.formats import FORMATS
from pencil.rounding import as_given
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

NUMBER = 6.5  # as in chapter 20
FORMS = tuple(FORMATS[name] for name in ("fp8_e4m3", "fp8_e5m2", "fp16"))  # most numbers of bf16 are beyond the digits that are written
LABELS = {"stored": "stored exponent", "power": "exponent", "parts": "fraction", "kind": "kind of number"}
LABELS |= {"sign": "sign bit", "exponent": "exponent bit", "fraction": "fraction bit", "signed": "sign", "scale": "power of two"}
KINDS = (
    "this number",
    "this number. It is subnormal: its exponent has no bit that is 1, so a 0 is in front of the fraction",
    "infinity, not for this number",
    "no number at all (NaN)",
)
SHOWN = (
    Part("given", "sign", "Sign: 1 is minus", paint=True),
    Part("given", "exponent", "Exponent", paint=True),
    Part("given", "fraction", "Fraction", paint=True),
    Part("lines", "signed stored power scale parts mantissa number", row=True),
    Part("says", "kind", "These bits stand for", words=KINDS),
)


class BitsLab(Lab):
    """Inputs: the bits of a float: its sign, exponent and fraction. Choice: the format. Shows how the number follows from them."""

    def __init__(self, number=NUMBER):
        super().__init__([_variant(form, number) for form in FORMS], [Choice("Format", tuple(form.name for form in FORMS))])


def _variant(form, number):
    trace = Trace()
    sign, exponent, fraction = ([int(bit) for bit in bits] for bits in form.bits_of(number))
    sign = trace.given("sign", sign[0], whole=True, most=1)
    whole, halves = 2.0 ** np.arange(form.exponent_bits)[::-1], 0.5 ** np.arange(1, form.mantissa_bits + 1)
    exponent = trace.given("exponent", exponent, columns=[as_given(worth) for worth in whole], whole=True, most=1)
    fraction = trace.given("fraction", fraction, columns=[f"1/{as_given(1 / worth)}" for worth in halves], whole=True, most=1)
    signed = trace("signed", 1 - 2 * sign)
    stored = trace("stored", exponent @ whole)
    first = np.where(stored > 0, 1, 0)
    scale = trace("scale", 2.0 ** trace("power", np.maximum(stored, 1) - form.bias))
    parts = trace("parts", fraction @ halves)
    trace("number", signed * scale * trace("mantissa", first + parts))
    trace("kind", _kind(form, first, exponent.sum() / form.exponent_bits, fraction.sum() / form.mantissa_bits))
    return Variant(Worked(trace, LABELS, track="exact"), one_step("A float", *SHOWN))


def _kind(form, first, exponent, fraction):  # -> one-hot of KINDS; of exponent and fraction, which part of the bits is 1
    top = np.where(exponent < 1, 0, 1)
    infinite = top * np.equal(fraction, 0) * form.has_infinity
    no_number = top - infinite if form.has_infinity else top * np.equal(fraction, 1)
    return np.stack([first - infinite - no_number, 1 - first, infinite, no_number])
