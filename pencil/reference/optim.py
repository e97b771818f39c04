"""Optimizers: one step of gradient descent, plain (SGD) or by Adam."""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note
from pencil.reference.contracts import check_number, shapes


@shapes("*shape, *shape, lr: () -> *shape")
def sgd(params, grad, *, lr, note=no_note):
    """One step of gradient descent: params − lr · grad (Cauchy 1847; torch.optim.SGD).

    - `params`: the numbers that are learned
    - `grad`: the gradient of the loss with respect to each of them
    - `lr`: the learning rate, a scalar

    Raises ValueError for params and grad of different shapes.
    """
    return note("updated", params - note("step", lr * grad))


@dataclass(frozen=True)
class AdamConfig:
    """The hyperparameters of Adam, with its authors' defaults; in torch.optim.Adam they are lr, betas and eps."""

    lr: object = 0.001
    beta1: object = 0.9  # the decay of the running mean of the gradients
    beta2: object = 0.999  # the decay of the running mean of their squares
    eps: float = 1e-8

    def __post_init__(self):
        check_number("lr", self.lr)
        check_number("eps", self.eps, least=0)
        for name in ("beta1", "beta2"):
            beta = getattr(self, name)
            if isinstance(beta, (int, float)) and not 0 <= beta < 1:
                raise ValueError(f"{name}={beta} is no decay rate; take one from 0 up to, and not including, 1")


@dataclass(frozen=True)
class AdamState:
    """The state of Adam between steps: for each parameter the running means of its gradient and of the square, and the number of steps."""

    exp_avg: object = 0.0
    exp_avg_sq: object = 0.0
    step: int = 0


@shapes("*shape, *shape -> *shape, _")
def adam(params, grad, *, config=AdamConfig(), state=AdamState(), note=no_note):  # -> the updated params, and the AdamState after the step
    """One step of Adam (Kingma and Ba 2015, algorithm 1; torch.optim.Adam).

    - `params`, `grad`: as in `sgd`
    - `config`: the hyperparameters
    - `state`: what the previous step returned

    Bias correction: the means start at 0 and are divided by 1 − beta^steps. The first step is therefore about lr long for every
    parameter, whatever the size of its gradient. Raises ValueError as `sgd` does.
    """
    steps = state.step + 1
    mean = note("mean", config.beta1 * state.exp_avg + (1 - config.beta1) * grad)
    square = note("square", config.beta2 * state.exp_avg_sq + (1 - config.beta2) * (grad * grad))
    mean_hat = note("mean_hat", mean / (1 - config.beta1**steps))
    square_hat = note("square_hat", square / (1 - config.beta2**steps))
    denom = note("denom", np.sqrt(square_hat) + config.eps)
    step = note("step", config.lr * mean_hat / denom)
    return note("updated", params - step), AdamState(mean, square, steps)
