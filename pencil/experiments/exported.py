"""What the models embedded in a page have in common: their BlockConfig, and how stored arrays become parameter dataclasses."""

from pencil.params import map_arrays
from pencil.reference import AttentionParams, BlockConfig, BlockParams, FeedForwardParams, LayerNormParams, QKVParams, gelu, stable_softmax

CONFIG = BlockConfig(eps=1e-5, activation=gelu, softmax=stable_softmax)  # as in a Config by default, with which these models are trained


def fill_params(make, arrays):  # function, {flat name: array} -> dataclass of parameters
    """Put arrays into a dataclass of parameters; the numbers of heads and blocks follow from the arrays' names.

    `make` takes a tuple of BlockParams and returns the dataclass, with a placeholder for each array.
    """
    heads, blocks = (sum(name.startswith(scope) and name.endswith(".query") for name in arrays) for scope in ("block1.attention.head", "block"))
    block = BlockParams(
        AttentionParams((QKVParams(*[0] * 6),) * heads, 0, 0), FeedForwardParams(0, 0, 0, 0), (LayerNormParams(0, 0), LayerNormParams(0, 0))
    )
    return map_arrays(make((block,) * (blocks // heads)), lambda name, _: arrays[name])
