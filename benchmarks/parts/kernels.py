"""What a call has torch do, done again and no more: the same kernels, called one by one from Python, without modules and autograd."""

from functools import partial

import torch
from torch.profiler import profile
from torch.utils._python_dispatch import TorchDispatchMode

KINDS = {"products": ("::mm", "::addmm", "::bmm"), "attention": ("scaled_dot_product",), "GELU": ("::gelu",)}  # what the names of kernels hold


class Overheard(TorchDispatchMode):
    """Every kernel that torch runs meanwhile, with what it was given; a view moves no number and is left out."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        call = partial(op, *args, **(kwargs or {}))
        if not op.is_view:
            self.calls.append(call)
        return call()


def kernels(run):
    """The kernels of a call that is warm, slopes and optimiser too: a run of them on the same numbers."""
    run()
    with Overheard() as heard:
        run()

    @torch.inference_mode()
    def again():
        torch.set_flush_denormal(True)  # numbers worked in place shrink from call to call, and tiny ones take a CPU long
        for call in heard.calls:
            call()
        torch.set_flush_denormal(False)

    return again


def shares(run, device):  # -> {kind: part of the time}
    """How a warm call's time is spent among torch's kernels, by torch's own profiler."""
    run()
    with profile() as heard:
        run()
    spent = {kind: 0.0 for kind in (*KINDS, "the rest")}
    for kernel in heard.key_averages():
        if kernel.key.startswith("aten::"):
            kind = next((kind for kind, names in KINDS.items() if any(name in kernel.key for name in names)), "the rest")
            spent[kind] += kernel.self_device_time_total if device == "cuda" else kernel.self_cpu_time_total
    return {kind: time / sum(spent.values()) for kind, time in spent.items()}
