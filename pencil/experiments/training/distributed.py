"""Data parallelism: several processes train one model; each takes a shard of every batch, and the gradients are summed."""

import os
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist


@dataclass(frozen=True)
class ProcessGroup:
    """This process, number `rank` of `size`. With a size of 1 every method returns what it was given."""

    rank: int = 0
    size: int = 1

    def shard(self, index):  # (n,) -> (about n / size,)
        """This process's part of a batch."""
        return index[self.rank :: self.size]

    def all_reduce(self, tensor):  # tensor -> the same tensor, the sum over all processes
        """Sum in place."""
        if self.size > 1:
            dist.all_reduce(tensor)
        return tensor

    def all_reduce_grads(self, parameters):
        """Give every process the gradient of the whole batch, in one message."""
        if self.size == 1:
            return
        trained = [p for p in parameters if p.requires_grad]
        grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in trained]
        flat = self.all_reduce(torch.cat([grad.flatten() for grad in grads]))
        for p, grad in zip(trained, flat.split([p.numel() for p in trained]), strict=True):
            p.grad = grad.view_as(p)

    def all_gather(self, value):  # -> list, one entry for each process
        """The value of every process; it has to be picklable."""
        if self.size == 1:
            return [value]
        values = [None] * self.size
        dist.all_gather_object(values, value)
        return values


SINGLE_PROCESS = ProcessGroup()


@contextmanager
def process_group(device="cpu"):  # -> ProcessGroup
    """The group in which `torchrun` started this process; SINGLE_PROCESS without torchrun."""
    size = int(os.environ.get("WORLD_SIZE", 1))
    if size == 1:
        yield SINGLE_PROCESS
        return
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl" if device == "cuda" else "gloo")
    try:
        yield ProcessGroup(dist.get_rank(), dist.get_world_size())
    finally:
        dist.destroy_process_group()
