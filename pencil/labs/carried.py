"""What the machines that a page carries have in common: how they were trained, and their bundle made again from its arrays."""

from pencil.bundles import each
from pencil.reference import Attention, Block, FeedForward, Grids, Norm, Recipe, gelu, stable_softmax

RECIPE = Recipe(eps=1e-5, bend=gelu, softmax=stable_softmax)  # GPT-2's, as chapters 14 and 15 train them (pencil.model.config)


def filled(make, arrays):  # (blocks -> a bundle with a place for each array), {name: array} -> the bundle
    """A machine with as many heads and blocks as the arrays are named for."""
    heads, blocks = (sum(name.startswith(scope) and name.endswith(".query") for name in arrays) for scope in ("block1.attention.head", "block"))
    block = Block(Attention((Grids(*[0] * 6),) * heads, 0, 0), FeedForward(0, 0, 0, 0), (Norm(0, 0), Norm(0, 0)))
    return each(make((block,) * (blocks // heads)), lambda name, _: arrays[name])
