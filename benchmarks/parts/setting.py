"""What is measured, and on what; a row of what came out; and where it came from."""

import shlex
from dataclasses import dataclass, replace

import torch

from pencil.experiments import records

SEED = 0
PACKAGES = ("torch", "transformers")  # whose speed is measured
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16, "float64": torch.float64}

# What a chip can do at most in bfloat16 or float16 with dense matrices, in TFLOP/s, from its maker's data sheet
PEAKS = {
    "A100": 312, "H100 PCIe": 756, "H100 NVL": 835, "H100 80GB HBM3": 989, "H200": 989, "L40S": 362, "L4": 121,
    "GeForce RTX 4090": 165, "GeForce RTX 3090": 71,
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """What is measured, and on what."""

    device: str
    dtype: str
    batch: int
    length: int
    width: int
    heads: int
    blocks: int  # of the whole writer
    rows: int  # of its table
    rounds: int
    whole: bool = False  # the whole writer reads and practises as well
    square: int = 1024  # the side of the large product whose speed is the machine's measured peak

    def draw(self, *shape):
        """Random numbers."""
        return torch.randn(shape, device=self.device, dtype=DTYPES[self.dtype])

    def ids(self, *shape):
        """Random ids; 0 would be an empty slot."""
        return torch.randint(1, self.rows, shape, device=self.device)

    def place(self, module):
        """The module, there and in that type."""
        return module.to(self.device, DTYPES[self.dtype])

    def like(self, sizes):
        """The same setting for a writer of other sizes, whose table has a row for each of 64 letters."""
        return replace(self, length=sizes.max_len, width=sizes.d_model, heads=sizes.n_heads, blocks=sizes.n_layers, rows=64)

    def operations(self, blocks, rows=0):
        """Of one batch forward; backward takes twice as many (Chowdhery et al. 2022, appendix B: attention counts as if nothing were masked)."""
        a_token = blocks * (24 * self.width**2 + 4 * self.length * self.width) + 2 * self.width * rows
        return self.batch * self.length * a_token


@dataclass(frozen=True)
class Row:
    """Ours against one peer."""

    what: str
    peer: str
    ours_ms: float
    peer_ms: float
    least_ms: float  # of the bare matrix products of one call, attention's left out
    operations: float = 0.0  # of one call, where they are counted
    words: int = 0  # of one call, where words are written
    kernels_ms: float = 0.0  # of torch's own kernels of one call of ours, where it is not compiled
    reached_tflops: float = 0.0  # of one large matrix product, in the same turns

    with_kernels = property(lambda self: self.peer_ms / self.kernels_ms if self.kernels_ms else None)
    at_most = property(lambda self: self.peer_ms / self.least_ms)
    faster = property(lambda self: self.peer_ms / self.ours_ms)
    tflops = property(lambda self: self.operations / self.ours_ms / 1e9)
    share = property(lambda self: self.tflops / self.reached_tflops if self.reached_tflops else None)
    per_second = property(lambda self: self.words / self.ours_ms * 1000)


def device_name(setting):
    """The chip, or what is known of the CPU."""
    if setting.device == "cuda":
        return torch.cuda.get_device_name()
    return records.cpu(torch.get_num_threads())


def peak(name, dtype):
    """TFLOP/s of a chip that the table knows, by its name; None for others and for other types."""
    if dtype not in ("bfloat16", "float16"):
        return None
    return next((top for known, top in PEAKS.items() if f"{known} " in f"{name} ".replace("-", " ")), None)  # L4 is not L40


def provenance(setting, argv):  # -> {name: what is known}
    """Where, when and with what this was measured."""
    command = shlex.join(["python", "benchmarks/bench_model.py", *argv])
    known = records.provenance(command, SEED, device_name(setting), packages=PACKAGES)
    return known | {"versions": known["versions"] | ({"cuda": torch.version.cuda} if torch.version.cuda else {})}
