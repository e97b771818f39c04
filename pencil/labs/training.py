"""How a machine is trained: every choice in one frozen bundle."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Training:
    """The choices of a run. Raises ValueError for one that makes no sense.

    passes     times through the pile; batch: how many texts go into one step, on all processes together
    rate       how far Adam steps; eps keeps it from dividing by nothing (1e-7 is Keras' own)
    decay      share of every dial that a step takes away, times the rate (AdamW: Loshchilov and Hutter 2019)
    warm       steps in which the rate climbs; with `fall` it then falls to nothing, in a straight line
    clip       the longest that a step's slope may be (Pascanu et al. 2013)
    patience   passes without a better `watch` before it stops; None goes on to the end
    enough     the `watch` at which there is nothing more to learn, and it stops
    seed       from which the order of the texts and the dropout come
    device     cpu, cuda or mps; mixed: bfloat16 where it does no harm, on cuda
    save_every steps between two checkpoints, besides that at the end of each pass
    """

    passes: int = 5
    batch: int = 64
    rate: float = 1e-3
    eps: float = 1e-7
    decay: float = 0.0
    warm: int = 0
    fall: bool = False
    clip: float | None = None
    patience: int | None = None
    watch: str = "accuracy"
    enough: float | None = None
    seed: int = 0
    device: str = "cpu"
    mixed: bool = False
    save_every: int | None = None

    def __post_init__(self):
        for name in ("passes", "batch", "patience", "save_every"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise ValueError(f"{name}={value}; give it at least 1")
        for name in ("rate", "eps", "clip"):
            if (value := getattr(self, name)) is not None and not value > 0:
                raise ValueError(f"{name}={value}; give it a number above 0")
        for name in ("decay", "warm", "seed"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}={getattr(self, name)}; it cannot be less than 0")
        if self.mixed and self.device != "cuda":
            raise ValueError(f"mixed=True and device={self.device}: mixed precision is for cuda; leave one of them out")

    def rate_at(self, step, steps):  # of all steps of all passes -> the rate
        """How far Adam steps at that step, the first being 0."""
        if step < self.warm:
            return self.rate * (step + 1) / self.warm
        return self.rate * (steps - step) / max(steps - self.warm, 1) if self.fall else self.rate
