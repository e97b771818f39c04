"""TrainingConfig: the hyperparameters of a run in one frozen dataclass."""

from dataclasses import dataclass
from math import inf, isfinite, nextafter
from numbers import Integral, Real

MOST = 2**63  # torch's seeds are below
POSITIVE = nextafter(0, 1)  # the smallest float above 0
WHOLE = {"epochs": 1, "batch_size": 1, "patience": 1, "save_every": 1, "warmup_steps": 0, "seed": 0, "accumulate": 1}  # integer fields: their minimum
NUMBERS = {"lr": POSITIVE, "eps": POSITIVE, "grad_clip": POSITIVE, "weight_decay": 0, "stopping_threshold": -inf}
BOUNDS = {POSITIVE: " above 0", 0: ", 0 or more"}
OPTIONAL = ("patience", "save_every", "grad_clip", "stopping_threshold")  # they may be None


@dataclass(frozen=True)
class TrainingConfig:
    """The hyperparameters of a run. Raises ValueError for a value out of range.

    Args:
        epochs: passes over the training set.
        batch_size: examples in one step, over all processes together.
        accumulate: parts in which a process works through its examples of a step, so that fewer are in memory at once (gradient accumulation).
        lr: peak learning rate.
        betas: decay rates of AdamW's two moments.
        eps: added to AdamW's denominator; 1e-7 is Keras' default.
        weight_decay: decoupled weight decay (AdamW: Loshchilov and Hutter 2019), of weight matrices only, see optimizer.py.
        decay_all: whether biases, norms and embeddings decay too, as in some of the recorded runs.
        warmup_steps: steps in which the learning rate rises linearly from 0.
        linear_decay: whether the learning rate then falls linearly to 0; otherwise it stays constant.
        grad_clip: maximum gradient norm (Pascanu et al. 2013); None disables clipping.
        patience: epochs without an improvement of `monitor` before training stops; None disables early stopping.
        monitor: the metric that selects the best epoch; lower is better if its name contains "loss".
        stopping_threshold: training stops as soon as `monitor` reaches this value.
        seed: for the order of the examples and for dropout.
        device: cpu, cuda or mps.
        amp: bfloat16 autocast, on cuda only.
        save_every: steps between checkpoints, in addition to the one at the end of each epoch.
    """

    epochs: int = 5
    batch_size: int = 64
    lr: float = 1e-3
    betas: tuple = (0.9, 0.999)
    eps: float = 1e-7
    weight_decay: float = 0.0
    decay_all: bool = False
    warmup_steps: int = 0
    linear_decay: bool = False
    grad_clip: float | None = None
    patience: int | None = None
    monitor: str = "accuracy"
    stopping_threshold: float | None = None
    seed: int = 0
    device: str = "cpu"
    amp: bool = False
    save_every: int | None = None
    accumulate: int = 1

    def __post_init__(self):
        for name, least in WHOLE.items():
            value = getattr(self, name)
            if not (value is None and name in OPTIONAL) and not (_is_number(value, Integral) and least <= value < MOST):
                raise ValueError(f"{name}={value!r}; give it a whole number, at least {least} and below 2^63")
        for name, least in NUMBERS.items():
            value = getattr(self, name)
            if not (value is None and name in OPTIONAL) and not (_is_number(value, Real) and isfinite(value) and value >= least):
                raise ValueError(f"{name}={value!r}; give it a finite number{BOUNDS.get(least, '')}")
        if len(self.betas) != 2 or not all(0 <= beta < 1 for beta in self.betas):
            raise ValueError(f"betas={self.betas}; give it two numbers from 0 to just below 1")
        if self.amp and self.device != "cuda":
            raise ValueError(f"amp=True and device={self.device}: mixed precision is for cuda; leave one of them out")

    def lr_at(self, step, total_steps):  # -> float
        """The learning rate at a step, counted from 0 over all epochs; `total_steps` is their number."""
        if step < self.warmup_steps:
            return self.lr * (step + 1) / self.warmup_steps
        return self.lr * (total_steps - step) / max(total_steps - self.warmup_steps, 1) if self.linear_decay else self.lr


def _is_number(value, kind):
    return isinstance(value, kind) and not isinstance(value, bool)
