"""Where a model is trained."""

from contextlib import nullcontext

import torch

DEVICES = ("cpu", "cuda", "mps")


def device_of(name):  # -> torch.device
    """The device of that name. Raises ValueError for another name, and for a device that this machine does not have."""
    if name not in DEVICES:
        raise ValueError(f"device={name!r} is not known; take one of {', '.join(DEVICES)}")
    available = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not available[name]:
        raise ValueError(f"device={name!r} is not here; take {', '.join(each for each in DEVICES if available[each])}")
    return torch.device(name)


def precision(amp):  # -> context manager
    """With `amp`, bfloat16 in the matrix products and float32 in the sums (Micikevicius et al. 2018); bfloat16 needs no loss scaling."""
    return torch.autocast("cuda", dtype=torch.bfloat16) if amp else nullcontext()


def describe(name):  # -> str
    """The device in words, for a record."""
    from pencil.experiments.records import cpu

    return torch.cuda.get_device_name() if name == "cuda" else cpu(torch.get_num_threads()) if name == "cpu" else name
