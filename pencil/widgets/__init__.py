"""Labs: grids that a reader changes, in a built page without a kernel and in Jupyter with one.

Each lab is a class of its own; `lab` has what they share, and the ES modules beside it make them live, as they make the
chapters live. `engine.js` runs a program and `rounding.js` writes its numbers, by the rules of `pencil.trace` and `pencil.rounding`.
Nothing of Jupyter is imported until a lab is shown there.
"""

from pencil.widgets.attention_lab import AttentionLab
from pencil.widgets.block_lab import BlockLab
from pencil.widgets.digits_lab import DigitsLab
from pencil.widgets.heads_lab import HeadsLab
from pencil.widgets.lab import Choice, Lab, Part, Step, Variant, one_step
from pencil.widgets.patch_lab import PatchLab
from pencil.widgets.pooling_lab import PoolingLab
from pencil.widgets.position_lab import PositionLab
from pencil.widgets.row_lab import RowLab
from pencil.widgets.sampling_lab import SamplingLab
from pencil.widgets.softmax_lab import SoftmaxLab
from pencil.widgets.stepper import Stepper
from pencil.widgets.writer_lab import WriterLab

__all__ = [
    "AttentionLab", "BlockLab", "Choice", "DigitsLab", "HeadsLab", "Lab", "Part", "PatchLab", "PoolingLab", "PositionLab", "RowLab",
    "SamplingLab", "SoftmaxLab", "Step", "Stepper", "Variant", "WriterLab", "one_step",
]  # fmt: skip
