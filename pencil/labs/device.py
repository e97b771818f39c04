"""Where a machine is trained."""

from contextlib import nullcontext

import torch

DEVICES = ("cpu", "cuda", "mps")


def device_of(name):  # -> torch.device
    """The device of that name. Raises ValueError for another name, and for a device that is not here."""
    if name not in DEVICES:
        raise ValueError(f"device={name!r} is not known; take one of {', '.join(DEVICES)}")
    here = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not here[name]:
        raise ValueError(f"device={name!r} is not here; take {', '.join(d for d in DEVICES if here[d])}")
    return torch.device(name)


def precision(mixed):  # -> context
    """bfloat16 in the products, float32 where sums grow (Micikevicius et al. 2018); bfloat16 needs no scaling of the loss."""
    return torch.autocast("cuda", dtype=torch.bfloat16) if mixed else nullcontext()


def described(name):  # -> str
    """The device in words, for a record."""
    from pencil.labs.records import cpu

    return torch.cuda.get_device_name() if name == "cuda" else cpu(torch.get_num_threads()) if name == "cpu" else name
