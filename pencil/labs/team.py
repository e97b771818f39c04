"""Several processes that train one machine: each reads its share of a batch, and the slopes are added up."""

import os
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist


@dataclass(frozen=True)
class Team:
    """This process among `size`. Alone, every method hands back what it was given."""

    rank: int = 0
    size: int = 1

    def share(self, index):  # (n,) -> (about n / size,)
        """The part of a batch that is this process's."""
        return index[self.rank :: self.size]

    def add(self, numbers):  # tensor -> the same tensor, the sum over all processes
        """Add up, in place."""
        if self.size > 1:
            dist.all_reduce(numbers)
        return numbers

    def add_slopes(self, parameters):
        """Give every process the slopes of the whole batch: one long row is sent, and cut up again."""
        if self.size == 1:
            return
        taught = [p for p in parameters if p.requires_grad]
        slopes = [torch.zeros_like(p) if p.grad is None else p.grad for p in taught]
        row = self.add(torch.cat([slope.flatten() for slope in slopes]))
        for p, part in zip(taught, row.split([p.numel() for p in taught]), strict=True):
            p.grad = part.view_as(p)

    def gather(self, thing):  # -> list, one a process
        """Everybody's thing."""
        if self.size == 1:
            return [thing]
        things = [None] * self.size
        dist.all_gather_object(things, thing)
        return things


ALONE = Team()


@contextmanager
def joined(device="cpu"):  # -> Team
    """The team that `torchrun` started this process in; without torchrun, ALONE."""
    size = int(os.environ.get("WORLD_SIZE", 1))
    if size == 1:
        yield ALONE
        return
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl" if device == "cuda" else "gloo")
    try:
        yield Team(dist.get_rank(), dist.get_world_size())
    finally:
        dist.destroy_process_group()
