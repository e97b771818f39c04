"""Machine number formats: fp16, bf16, fp8, int8, int4 and nf4, each a rule that rounds a float64 to the nearest number of the format."""

from dataclasses import dataclass

import numpy as np

__all__ = ["FORMATS", "NF4", "CodebookFormat", "FloatFormat", "IntFormat", "format_named"]


@dataclass(frozen=True)
class FloatFormat:
    """A binary floating-point format as in IEEE 754: ties to even, subnormals, signed zero.

    Larger numbers become infinite; in a format without infinity (e4m3fn) they become the largest number, as torch 2.13 converts them.
    """

    name: str
    exponent_bits: int
    mantissa_bits: int
    has_infinity: bool = True

    @property
    def bits(self):
        return 1 + self.exponent_bits + self.mantissa_bits

    @property
    def bias(self):
        """What is added to an exponent before it is stored."""
        return 2 ** (self.exponent_bits - 1) - 1

    @property
    def least_exponent(self):
        return 1 - self.bias

    @property
    def largest(self):
        """The largest number. In a format without infinity the highest exponent counts too, except with all mantissa bits set, which is NaN."""
        exponent = 2 ** (self.exponent_bits - 1) - (1 if self.has_infinity else 0)
        steps = 2**self.mantissa_bits * 2 - (1 if self.has_infinity else 2)
        return float(np.ldexp(steps, exponent - self.mantissa_bits))

    def nearest(self, x):  # (...) -> (...)
        """Every number of an array of float64 rounded to this format; NaN stays NaN."""
        x = np.asarray(x, float)
        last_bit = np.maximum(np.frexp(x)[1] - 1, self.least_exponent) - self.mantissa_bits
        with np.errstate(over="ignore", invalid="ignore"):
            rounded = np.ldexp(np.rint(np.ldexp(x, -last_bit)), last_bit)
        beyond = np.copysign(np.inf if self.has_infinity else self.largest, x)
        return np.where(np.abs(rounded) > self.largest, beyond, rounded)

    def bits_of(self, x):  # finite number -> (sign, exponent, fraction)
        """The bits of the nearest number, as texts: `FORMATS["fp8_e4m3"].bits_of(6.5)` is ("0", "1001", "101")."""
        x = float(self.nearest(x))
        exponent = max(int(np.frexp(x)[1]) - 1, self.least_exponent) if x else self.least_exponent
        steps = int(abs(x) / 2.0 ** (exponent - self.mantissa_bits))  # with the one in front, which raises the exponent by one, from 0
        bits = f"{(exponent - self.least_exponent) * 2**self.mantissa_bits + steps:0{self.bits - 1}b}"
        return f"{np.signbit(x):d}", bits[: self.exponent_bits], bits[self.exponent_bits :]


@dataclass(frozen=True)
class IntFormat:
    """Integers of a few bits times one scale for the whole array; by default the scale is max |x| over the largest integer.

    Computed in float32 as by `torch.fake_quantize_per_tensor_affine` with zero_point 0: times 1/scale, ties to even, clamp, times scale.
    """

    name: str
    bits: int

    largest = property(lambda self: 2 ** (self.bits - 1) - 1)

    def scale(self, x):  # (...) -> float
        """The scale with which no finite number of an array is cut."""
        return largest_size(x) / self.largest or 1.0

    def nearest(self, x, scale=None):  # (...) -> (...)
        """Every number of an array rounded to the nearest multiple of the scale; NaN stays NaN."""
        x = np.asarray(x, float)
        scale = as_scale(self.scale(x) if scale is None else scale)
        with np.errstate(over="ignore"):
            whole = np.rint(x.astype(np.float32) * (np.float32(1) / scale))
        return (np.clip(whole, np.float32(-self.largest - 1), np.float32(self.largest)) * scale).astype(float)


@dataclass(frozen=True)
class CodebookFormat:
    """Codes between −1 and 1 times one scale for the whole array; by default the scale is max |x|.

    Computed in float32 as by bitsandbytes: times 1/scale, then the nearest code, at a tie the lower one.
    """

    name: str
    codes: tuple

    bits = property(lambda self: (len(self.codes) - 1).bit_length())
    midpoints = property(lambda self: (np.float32(self.codes[1:]) + np.float32(self.codes[:-1])) / np.float32(2))

    def scale(self, x):  # (...) -> float
        """The scale with which no finite number of an array is cut."""
        return largest_size(x) or 1.0

    def nearest(self, x, scale=None):  # (...) -> (...)
        """Every number of an array as the nearest code times the scale; NaN stays NaN."""
        x = np.asarray(x, float)
        scale = as_scale(self.scale(x) if scale is None else scale)
        with np.errstate(over="ignore", invalid="ignore"):
            part = x.astype(np.float32) * (np.float32(1) / scale)
            coded = np.append(np.float32(self.codes), np.float32(np.nan))[self._places(part)] * scale
        return coded.astype(float)

    def _places(self, part):  # the index of each code; len(codes) for NaN
        return np.where(np.isnan(part), len(self.codes), np.searchsorted(self.midpoints, part))


def largest_size(x):  # (...) -> float
    """max |x| over the finite numbers of an array; 0 if there are none."""
    return float(np.abs(x, where=np.isfinite(x), out=np.zeros(np.shape(x))).max(initial=0))


def as_scale(scale):  # (...) -> (...) of float32
    """The scale in float32, at least its smallest normal number, below which 1/scale would be infinite."""
    return np.maximum(np.float32(scale), np.finfo(np.float32).tiny)


# 4-bit NormalFloat (Dettmers et al. 2023, QLoRA, appendix E): quantiles of a normal distribution
NF4 = (
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0,
    0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941,
    0.7229568362236023, 1.0,
)  # fmt: skip
FORMATS = {
    f.name: f
    for f in (
        FloatFormat("fp16", exponent_bits=5, mantissa_bits=10),
        FloatFormat("bf16", exponent_bits=8, mantissa_bits=7),
        FloatFormat("fp8_e4m3", exponent_bits=4, mantissa_bits=3, has_infinity=False),
        FloatFormat("fp8_e5m2", exponent_bits=5, mantissa_bits=2),
        IntFormat("int8", bits=8),
        IntFormat("int4", bits=4),
        CodebookFormat("nf4", NF4),
    )
}  # pencil/web/engine/formats.js has the same table


def format_named(name):  # str -> FloatFormat, IntFormat or CodebookFormat
    """The format of this name. Raises ValueError that lists them all."""
    if name not in FORMATS:
        raise ValueError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]
