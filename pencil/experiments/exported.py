"""What the models that a page carries have in common: their BlockConfig, and the way from stored arrays back to dataclasses."""

from pencil.params import map_arrays
from pencil.reference import AttentionParams, BlockConfig, BlockParams, FeedForwardParams, LayerNormParams, QKVParams, gelu, stable_softmax

CONFIG = BlockConfig(eps=1e-5, activation=gelu, softmax=stable_softmax)  # GPT-2's, with which chapters 14 and 15 train (pencil.model.config)


def fill_params(make, arrays):  # (blocks -> params with a placeholder for each array), {flat name: array} -> the params
    """The parameters of a model with as many heads and blocks as the arrays' names count."""
    heads, blocks = (sum(name.startswith(scope) and name.endswith(".query") for name in arrays) for scope in ("block1.attention.head", "block"))
    block = BlockParams(
        AttentionParams((QKVParams(*[0] * 6),) * heads, 0, 0), FeedForwardParams(0, 0, 0, 0), (LayerNormParams(0, 0), LayerNormParams(0, 0))
    )
    return map_arrays(make((block,) * (blocks // heads)), lambda name, _: arrays[name])
