"""BitsLab reads the bits of a float as torch does, and `bits_of` is the way back."""

import numpy as np
import pytest
import torch
from format_numbers import DTYPES

from pencil.formats import FORMATS
from pencil.trace import Trace
from pencil.widgets import BitsLab
from pencil.widgets.bits_lab import FORMS, KINDS, SHOWN

WHOLE = {8: torch.uint8, 16: torch.int16}


def patterns(form):  # -> the patterns as whole numbers: all of eight bits; of sixteen a sample, with those that are special
    return range(256) if form.bits == 8 else [*np.random.default_rng(1).integers(0, 2**16, 200), 0, 1, 2**15, 1023, 1024, 31744, 31745, 64512]


def by_torch(form, pattern):
    return float(torch.tensor([pattern], dtype=torch.int32).to(WHOLE[form.bits]).view(DTYPES[form.name]).double())


def in_bits(form, pattern):  # -> sign, exponent, fraction
    text = f"{pattern:0{form.bits}b}"
    return text[0], text[1 : 1 + form.exponent_bits], text[1 + form.exponent_bits :]


@pytest.mark.parametrize("variant, form", list(enumerate(FORMS)), ids=[form.name for form in FORMS])
def test_every_pattern_is_the_number_that_torch_reads(variant, form):
    lab = BitsLab()
    lab.variant = variant
    for pattern in patterns(form):
        sign, exponent, fraction = ([int(bit) for bit in bits] for bits in in_bits(form, pattern))
        run = Trace.load(lab.program, {"sign": sign[0], "exponent": exponent, "fraction": fraction})
        there = by_torch(form, pattern)
        if np.isfinite(there):
            assert run.find("number").exact == there
        kind = 3 if np.isnan(there) else 2 if np.isinf(there) else 1 if "1" not in in_bits(form, pattern)[1] else 0
        assert run.find("kind").exact.tolist() == np.eye(4)[kind].tolist(), pattern


@pytest.mark.parametrize("name", DTYPES)
def test_the_bits_of_a_number_are_those_that_torch_stores(name):
    form = FORMATS[name]
    for pattern in patterns(form):
        if np.isfinite(number := by_torch(form, pattern)):
            assert form.bits_of(number) == in_bits(form, pattern)


def test_it_begins_with_the_number_of_the_chapter_and_says_what_is_no_number():
    lab = BitsLab()
    assert lab.trace.find("number").exact == 6.5
    lab.variant = 1
    lab.givens = {"exponent": [1] * 5}
    assert SHOWN[-1].said(lab.worked) == f"These bits stand for {KINDS[3]}."
