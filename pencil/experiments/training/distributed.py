"""Data parallelism: each process computes a shard of every batch, and DistributedDataParallel averages the gradients."""

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from threading import Timer

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from pencil.experiments.training.identity import difference

PATIENCE = 5  # seconds of silence, before it says for whom it waits


@dataclass(frozen=True)
class ProcessGroup:
    """The group of processes, seen from the one with this `rank` among `size`. With size 1 nothing is sent."""

    rank: int = 0
    size: int = 1

    def shard(self, index):  # (n,) -> (about n / size,)
        """This process's shard of a batch."""
        return index[self.rank :: self.size]

    def all_reduce(self, tensor):  # tensor -> the same tensor, the sum over all processes
        """Sum in place."""
        if self.size > 1:
            dist.all_reduce(tensor)
        return tensor

    def wrap(self, module):  # module -> module
        """Wrap a module in DistributedDataParallel, which also copies rank 0's weights to every process.

        The gradient of a parameter that no process uses stays None.
        """
        return module if self.size == 1 else DistributedDataParallel(module, find_unused_parameters=True)

    def seed(self, seed):  # -> int
        """A seed for this process's dropout: the run's seed on rank 0, and a different one for every pair of seed and rank."""
        return seed if self.rank == 0 else int(np.random.SeedSequence((seed, self.rank)).generate_state(1, np.uint64)[0] >> 1)

    def from_first(self, function):
        """Call a function on rank 0 and broadcast its result, so that no shared disk is needed. If it raises, every process raises."""
        if self.size == 1:
            return function()
        box = [None, None]
        if self.rank == 0:
            try:
                box[0] = function()
            except Exception as error:  # any exception: the other processes would wait forever
                box[1] = error
        dist.broadcast_object_list(box)
        if box[1] is not None:
            raise box[1]
        return box[0]

    def check_identities(self, identity_of_run):
        """Raise ValueError if a process has other settings, another model or other data than rank 0. One process alone is spared the hashing."""
        if self.size > 1:
            first, *others = self.all_gather(identity_of_run())
            for rank, other in enumerate(others, start=1):
                if found := difference(first, other):
                    name, first, other = found
                    raise ValueError(f"process {rank} has {name}={other}, and process 0 has {name}={first}; start them all on one run")

    def check_replicas(self, model):
        """Raise RuntimeError unless the weights of all processes are bitwise equal."""
        if self.size > 1:
            weights = b"".join(
                tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() for tensor in model.state_dict().values()
            )
            sums = self.all_gather(sha256(weights).hexdigest()[:16])
            if len(set(sums)) > 1:
                raise RuntimeError(f"the weights differ from process to process (checksums {', '.join(sums)}); start again from the last checkpoint")

    def all_gather(self, value):  # picklable -> list, one entry per process
        """The values of all processes."""
        if self.size == 1:
            return [value]
        values = [None] * self.size
        dist.all_gather_object(values, value)
        return values


SINGLE_PROCESS = ProcessGroup()


@contextmanager
def process_group(device="cpu"):  # -> ProcessGroup
    """The process group that `torchrun` started; SINGLE_PROCESS without torchrun.

    It says for whom it waits. Raises ValueError for several processes on mps, for more processes on a machine than it has GPUs, if the
    others cannot be reached, and if another process ends before its work is done.
    """
    size = int(os.environ.get("WORLD_SIZE", 1))
    if size == 1:
        yield SINGLE_PROCESS
        return
    if device == "mps":
        raise ValueError("device='mps' trains in one process: torch sends no gradients between processes from there; start without torchrun")
    if device == "cuda":
        local, here = int(os.environ["LOCAL_RANK"]), torch.cuda.device_count()
        if local >= here:
            raise ValueError(f"process {local + 1} of this machine has no GPU: there are {here}; start it with --nproc-per-node {here}")
        torch.cuda.set_device(local)
    _join("nccl" if device == "cuda" else "gloo")
    try:
        yield ProcessGroup(dist.get_rank(), dist.get_world_size())
    except RuntimeError as wrong:
        if not (isinstance(wrong, dist.DistError) or "gloo" in str(wrong)):
            raise
        raise ValueError(
            f"another process has ended, and process {dist.get_rank()} cannot go on without it ({_first_line(wrong)}); see what the other one "
            "said, and start them all again: with a folder they resume from its checkpoint"
        ) from None
    finally:
        dist.destroy_process_group()


def _join(backend):
    rank, size, place = (os.environ.get(name, "?") for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR"))
    where = f"{place}:{os.environ.get('MASTER_PORT', '?')} (MASTER_ADDR and MASTER_PORT)"
    waits = f"process {rank} of {size} waits for the others, which meet at {where}: is each of them started, and is that address right?"
    timer = Timer(PATIENCE, print, (waits,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        dist.init_process_group(backend)
    except (RuntimeError, ValueError) as wrong:  # RuntimeErrors of the network, ValueErrors for a missing variable
        raise ValueError(f"process {rank} of {size} cannot reach the others at {where}: {_first_line(wrong)}") from None
    finally:
        timer.cancel()


def _first_line(wrong):
    return str(wrong).partition("\n")[0]
