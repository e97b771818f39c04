"""Where a model is trained, and in which floats.

What a device does not have is told before training begins. MPS has no float64, and its bfloat16 is not used here. A GPU without bfloat16 of its
own (older than NVIDIA's Ampere) would only imitate it. bfloat16 has float32's range, so no loss is scaled (float16 would need a GradScaler).
Batches are ids or small images: copying them costs little beside a step, so they are neither pinned nor copied ahead.

cpu and cuda have been run, mps never: nobody here has such a Mac. What is known of it is kept to and tested with stand-ins. It has no float64, so
what is worked out in double is brought to the CPU first; AdamW is not fused there; one process trains; its generator's state is part of a checkpoint.
Nothing is compiled, and no deterministic algorithms are asked for: on a GPU two runs may differ in the last digits.
"""

from contextlib import contextmanager, nullcontext
from itertools import chain

import torch

DEVICES = ("cpu", "cuda", "mps")
ACCELERATORS = {"cuda": torch.cuda, "mps": torch.mps}  # devices with a random generator of their own


def device_of(name):  # -> torch.device
    """The device of that name. Raises ValueError for another name, and for a device that this machine does not have."""
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
    """Move a model to the device. Raises ValueError as `device_of` does, and for float64 on MPS, which has none."""
    device = device_of(name)
    if name == "mps":
        for path, tensor in chain(model.named_parameters(), model.named_buffers()):
            if tensor.dtype == torch.float64:
                raise ValueError(f"{path} is float64, and mps has no such numbers; call model.float() first, or train on cpu")
    model.to(device)
    return device


@contextmanager
def seeded_generators(device, seed):
    """Seed the generators that a run draws from, the CPU's and the device's; at the end the caller has their old states back."""
    accelerator = ACCELERATORS.get(device.type)
    before = accelerator and accelerator.get_rng_state()
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # torch.manual_seed would seed every other GPU as well
        if accelerator:
            accelerator.manual_seed(seed)
        try:
            yield
        finally:
            if accelerator:
                accelerator.set_rng_state(before)


def precision(amp):  # -> context manager
    """With `amp`, bfloat16 in the matrix products and float32 in the sums (Micikevicius et al. 2018).

    Raises ValueError for a GPU that has no bfloat16 of its own.
    """
    if not amp:
        return nullcontext()
    if not torch.cuda.is_bf16_supported(including_emulation=False):
        raise ValueError(f"amp=True: {torch.cuda.get_device_name()} has no bfloat16 of its own and would only imitate it; leave amp out")
    return torch.autocast("cuda", dtype=torch.bfloat16)


def describe(name):  # -> str
    """The device in words, for a record."""
    from pencil.experiments.records import cpu

    return torch.cuda.get_device_name() if name == "cuda" else cpu(torch.get_num_threads()) if name == "cpu" else name
