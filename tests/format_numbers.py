"""torch's number formats, and numbers to test them with: random bits, ties and their neighbours."""

import numpy as np
import torch

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp8_e4m3": torch.float8_e4m3fn, "fp8_e5m2": torch.float8_e5m2}


def bits(count, seed):
    """Random float32 numbers: any bits at all, sizes of all kinds, and what lies on and beside every tie of a format."""
    rng = np.random.default_rng(seed)
    any_bits = rng.integers(0, 2**32, count, dtype=np.uint32).view(np.float32)
    sizes = (rng.normal(size=count) * 10.0 ** rng.integers(-10, 7, count)).astype(np.float32)
    return np.concatenate([any_bits, sizes, np.float32([0.0, -0.0, np.inf, -np.inf, np.nan, 3.4e38, 1e-45])])


def ties(dtype, count=70_000):
    """The numbers half-way between two neighbours of a dtype, and the float32 numbers beside each."""
    width = torch.empty(0, dtype=dtype).element_size()
    every = np.arange(2 ** (8 * width), dtype=f"u{width}")
    numbers = torch.from_numpy(every).view(dtype).float().numpy()
    numbers = np.unique(numbers[np.isfinite(numbers)].astype(float))
    halves = ((numbers[1:] + numbers[:-1]) / 2)[:count].astype(np.float32)
    return np.concatenate([halves, np.nextafter(halves, np.float32(np.inf)), np.nextafter(halves, np.float32(-np.inf)), numbers.astype(np.float32)])


def equal_bits(here, there):
    return ((here == there) & (np.signbit(here) == np.signbit(there))) | (np.isnan(here) & np.isnan(there))
