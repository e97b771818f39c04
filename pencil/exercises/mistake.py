"""One mistake, as the catalogues list them. It is worked from the values beside its own, so it follows every given number, and the
page's engine works it out again for a reader's own.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pencil.trace.operations import TraceError


@dataclass(frozen=True)
class Mistake:
    """One mistake: the value that it spoils, how it is worked, and what to say to who made it.

    `work` takes a function that finds a value of the same scope by its name, and gives the wrong one. One that is made `far` is a step
    left out: in its own value the values nearby tell it, so it is looked for further up alone.
    """

    key: str
    value: str  # the last part of the name of the value: "weights" spoils head1.weights as well; of a slope the whole name
    work: Callable
    message: str
    far: bool = False


def by_columns(name):  # str -> work
    """A vector times the columns of the weight matrix, not its rows."""
    return lambda at: _columns(at, name)


def _columns(at, name):
    read, grid = _product(at, name)
    return (read @ grid).reshape(at(name).shape)


def unread(name):  # str -> work
    """The vector itself, as it was before the weight matrix."""
    return lambda at: (_product(at, name)[0] * 1).reshape(at(name).shape)


def _product(at, name):  # -> what is read, and the weight matrix
    step = at(name).args[0]
    while step.op == "gather":  # a row that was laid flat
        step = step.args[0]
    if step.op == "matmul" and step.args[1].op == "gather":
        return step.args[0], step.args[1].args[0]
    raise TraceError("not made by a weight matrix")


def without_bias(name):  # str -> work
    """The products, without what is added to them."""

    def work(at):
        step = at(name).args[0]
        if step.op != "add" or step.args[1].op != "given":
            raise TraceError("made without a bias")
        return step.args[0] * 1

    return work
