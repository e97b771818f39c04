"""The torch kernels of a call: replayed alone, without modules and autograd, and their shares of its time."""

from functools import partial

import torch
from torch.profiler import profile
from torch.utils._python_dispatch import TorchDispatchMode

KINDS = {
    "products": ("::mm", "::addmm", "::bmm"),
    "attention": ("scaled_dot_product", "_attention_forward", "_attention_backward"),
    "GELU": ("::gelu",),
}  # parts of kernel names


class RecordKernels(TorchDispatchMode):
    """Records every kernel that torch runs inside the `with` block, with its arguments, except for views."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        call = partial(op, *args, **(kwargs or {}))
        if not op.is_view:
            self.calls.append(call)
        return call()


def kernels(run):
    """A function that replays the kernels of a call (including backward pass and optimizer) on the same tensors."""
    run()
    with RecordKernels() as recorded:
        run()

    @torch.inference_mode()
    def again():
        torch.set_flush_denormal(True)  # in-place kernels shrink numbers from call to call, and denormals are slow on a CPU
        for call in recorded.calls:
            call()
        torch.set_flush_denormal(False)

    return again


def shares(run, device):  # -> {kind: fraction of the time}
    """The fractions of a call's time by kind of kernel, measured by torch.profiler."""
    run()
    with profile() as profiled:
        run()
    spent = {kind: 0.0 for kind in (*KINDS, "the rest")}
    for kernel in profiled.key_averages():
        if kernel.key.startswith("aten::"):
            kind = next((kind for kind, names in KINDS.items() if any(name in kernel.key for name in names)), "the rest")
            spent[kind] += kernel.self_device_time_total if device == "cuda" else kernel.self_cpu_time_total
    return {kind: time / sum(spent.values()) for kind, time in spent.items()}
