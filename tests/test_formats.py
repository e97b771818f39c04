"""The number formats, bit for bit, against torch's dtypes and fake quantization: random bits, ties, subnormals, infinities, both zeros."""

import numpy as np
import pytest
import torch
from format_numbers import DTYPES, bits, equal_bits, ties

from pencil.formats import FORMATS, FloatFormat, IntFormat, format_named

INTS = {"int8": torch.int8, "int4": None}


def hold(name, numbers):
    with np.errstate(invalid="ignore"):
        here = FORMATS[name].nearest(numbers.astype(float))
    there = torch.from_numpy(numbers).to(DTYPES[name]).double().numpy()
    same = equal_bits(here, there)
    assert same.all(), (name, numbers[~same][:3], here[~same][:3], there[~same][:3])


@pytest.mark.parametrize("name", DTYPES)
def test_floats_are_those_of_torch(name):
    hold(name, bits(200_000, seed=1))
    hold(name, ties(DTYPES[name]))


@pytest.mark.parametrize("name", DTYPES)
def test_every_number_of_a_format_stays_as_it_is(name):
    numbers = ties(DTYPES[name])[-(2**16) :].astype(float)
    rounded = FORMATS[name].nearest(numbers)
    assert (FORMATS[name].nearest(rounded) == rounded).all() and np.abs(rounded[np.isfinite(rounded)]).max() <= FORMATS[name].largest


@pytest.mark.parametrize("name", INTS)
@pytest.mark.parametrize("scale", [0.1, 0.05, 1.0, 0.003, 7.3e-4, 2.0**-5])
def test_whole_numbers_are_those_of_fake_quantization(name, scale):
    form, rng = FORMATS[name], np.random.default_rng(2)
    numbers = bits(50_000, seed=3)
    halves = ((rng.integers(-300, 300, 20_000) + 0.5) * scale).astype(np.float32)
    numbers = np.concatenate([numbers[np.abs(numbers) < 2**30], halves, np.float32([np.inf, -np.inf, 0.0, -0.0])])
    there = torch.fake_quantize_per_tensor_affine(torch.from_numpy(numbers), scale, 0, -form.largest - 1, form.largest).double().numpy()
    assert (form.nearest(numbers.astype(float), scale) == there).all()


@pytest.mark.parametrize("name, largest", [("int8", 127), ("int4", 7)])
def test_the_scale_of_an_array_is_its_largest_number_over_the_largest_whole_one(name, largest):
    form, x = FORMATS[name], np.array([-3.0, 0.5, 2.0, -np.inf])
    assert form.scale(x) == 3.0 / largest
    assert form.nearest(x)[0] == pytest.approx(-3.0, rel=1e-7) and form.nearest(np.zeros(3)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", INTS)
@pytest.mark.parametrize("most", [1e-36, 1e-38, 1e-44, 1e-46, 1e-300, 5e-324])
def test_the_smallest_arrays_are_numbers_too(name, most):
    form, x = FORMATS[name], np.array([0.0, -most, most / 3])
    least = float(np.finfo(np.float32).tiny)
    assert (np.abs(form.nearest(x) - x) <= max(form.scale(x), least) * 0.51).all()
    assert (np.abs(form.nearest(x, most) - x) <= max(most, least) * 0.51).all()


def test_the_table_has_the_sizes_of_the_standard():
    for name, dtype in DTYPES.items():
        form, info = FORMATS[name], torch.finfo(dtype)
        assert (form.largest, 2.0**form.least_exponent, form.bits) == (info.max, info.tiny, info.bits)
        assert 2.0**-form.mantissa_bits == info.eps
    assert (FORMATS["int8"].largest, FORMATS["int8"].bits) == (torch.iinfo(torch.int8).max, torch.iinfo(torch.int8).bits)
    assert isinstance(format_named("int4"), IntFormat) and isinstance(format_named("bf16"), FloatFormat)
    with pytest.raises(ValueError, match="there is no format 'fp4'; there are fp16, bf16"):
        format_named("fp4")


@pytest.mark.slow
@pytest.mark.parametrize("name", DTYPES)
def test_four_million_floats_are_those_of_torch(name):
    hold(name, bits(2_000_000, seed=4))
