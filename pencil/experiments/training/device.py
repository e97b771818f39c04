"""Devices and precision: cpu, cuda or mps, and bfloat16 autocast on cuda.

What a device does not support is refused before training begins: float64 on mps, and bfloat16 on GPUs that only emulate it (before NVIDIA's
Ampere). bfloat16 has float32's range, so there is no GradScaler. Batches are ids or small images, so copying them is cheap: no pinned memory,
no prefetching. Nothing is compiled, and deterministic algorithms are not requested: on a GPU two runs may differ in the last digits.

mps is untested on hardware; it is tested with mocks only. Float64 results are computed on the CPU there, AdamW is not fused, there is one
process, and the state of its generator is part of a checkpoint.
"""

import os
from contextlib import contextmanager, nullcontext
from itertools import chain
from time import perf_counter, process_time

import torch

from pencil.rounding import show

DEVICES = ("cpu", "cuda", "mps")
GB = 1e9
ACCELERATORS = {"cuda": torch.cuda, "mps": torch.mps}  # devices with their own random generator


def device_of(name):  # -> torch.device
    """The device of that name. Raises ValueError for an unknown name, and for a device that this machine does not have."""
    if name not in DEVICES:
        raise ValueError(f"device={name!r} is not known; take one of {', '.join(DEVICES)}")
    missing = {each: why for each in DEVICES if (why := _missing(each))}
    if name in missing:
        raise ValueError(f"device={name!r} is not here; take {', '.join(each for each in DEVICES if each not in missing)} ({missing[name]})")
    return torch.device(name)


def _missing(name):  # -> why the device cannot be used, or None
    if name == "cuda" and not torch.cuda.is_available():
        built = torch.backends.cuda.is_built()
        return "torch finds no GPU: does `nvidia-smi` list one?" if built else "this torch is built without CUDA: pytorch.org has one with it"
    if name == "mps" and not torch.backends.mps.is_available():
        return "this Mac or its macOS is too old for it" if torch.backends.mps.is_built() else "it is in torch for Macs with Apple's own chips"
    return None


def place(model, name):  # module, str -> torch.device
    """Move a model to a device. Raises ValueError as `device_of` does, and for a float64 model on mps."""
    device = device_of(name)
    if name == "mps":
        for path, tensor in chain(model.named_parameters(), model.named_buffers()):
            if tensor.dtype == torch.float64:
                raise ValueError(f"{path} is float64, and mps has no such numbers; call model.float() first, or train on cpu")
    model.to(device)
    return device


@contextmanager
def seeded_generators(device, seed):
    """A context manager that seeds the generators of the CPU and of the device, and restores their states at the end."""
    accelerator = ACCELERATORS.get(device.type)
    before = accelerator and accelerator.get_rng_state()
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # torch.manual_seed would seed all GPUs
        if accelerator:
            accelerator.manual_seed(seed)
        try:
            yield
        finally:
            if accelerator:
                accelerator.set_rng_state(before)


def precision(amp):  # -> context manager
    """bfloat16 autocast if `amp` is set (Micikevicius et al. 2018), else nothing.

    Raises ValueError for a GPU without native bfloat16.
    """
    if not amp:
        return nullcontext()
    if not torch.cuda.is_bf16_supported(including_emulation=False):
        raise ValueError(f"amp=True: {torch.cuda.get_device_name()} has no bfloat16 of its own and would only imitate it; leave amp out")
    return torch.autocast("cuda", dtype=torch.bfloat16)


def memory_of(name):  # -> bytes, or None where the system does not tell
    """The whole memory of a device."""
    if name == "cuda":
        return torch.cuda.get_device_properties(device_of(name)).total_memory
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", ()) else None


def refuse_beyond_memory(needed, settings, name="cpu"):  # bytes, {name: value}, device
    """Raise ValueError, naming the settings, if they need more bytes than the whole memory of a device."""
    memory = memory_of(name)
    if memory is not None and needed > memory:
        shown = ", ".join(f"{setting}={value}" for setting, value in settings.items())
        raise ValueError(f"{shown}: that needs {show(needed / GB, 0)} GB at least, and {name} has {show(memory / GB, 0)} GB; take smaller numbers")


def clock(name):  # -> function () -> seconds
    """The clock for a run on a device: CPU time on one thread of a CPU, where other programs' load does not count, else wall-clock time."""
    return process_time if name == "cpu" and torch.get_num_threads() == 1 else perf_counter


def describe(name):  # -> str
    """A description of the device, for a record."""
    from pencil.experiments.records import cpu

    return torch.cuda.get_device_name() if name == "cuda" else cpu(torch.get_num_threads()) if name == "cpu" else name
