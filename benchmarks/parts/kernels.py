"""What a call has torch do, done again and no more: the same kernels, called one by one from Python, without modules and autograd."""

from functools import partial

import torch
from torch.utils._python_dispatch import TorchDispatchMode


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
