"""Labs: interactive widgets that run in a built page (without a kernel) and in Jupyter. Each lab has a module; the others are

lab         Lab, the base class, and Part, Step, Choice and Variant, of which it is made
drawn_lab   the base of labs with random draws and a tally
stepper     Stepper, the lab of any run
jupyter     the Jupyter widget of a lab; imported when a lab is shown there, and not before
compact     the short form of a large program
exported    the script of a trained model: its program, and its parameters in int8

The scripts in `pencil.web` make labs live: they replay the recorded programs, by the rules of `pencil.trace` and `pencil.rounding`.
"""

from pencil.widgets.attention_lab import AttentionLab
from pencil.widgets.block_lab import BlockLab
from pencil.widgets.bpe_lab import BPELab
from pencil.widgets.cache_lab import CacheLab
from pencil.widgets.chat_lab import ChatLab
from pencil.widgets.dice_lab import DiceLab
from pencil.widgets.digits_lab import DigitsLab
from pencil.widgets.heads_lab import HeadsLab
from pencil.widgets.keep_lab import KeepLab
from pencil.widgets.lab import Choice, Lab, Part, Step, Variant, one_step
from pencil.widgets.lstm_lab import LSTMLab
from pencil.widgets.mask_lab import MaskLab
from pencil.widgets.modern_lab import ModernLab
from pencil.widgets.open_writer_lab import OpenWriterLab
from pencil.widgets.pages_lab import PagesLab
from pencil.widgets.patch_lab import PatchLab
from pencil.widgets.pooling_lab import PoolingLab
from pencil.widgets.position_lab import PositionLab
from pencil.widgets.preference_lab import PreferenceLab
from pencil.widgets.ring_lab import RingLab
from pencil.widgets.rnn_lab import RNNLab
from pencil.widgets.rotary_lab import RotaryLab
from pencil.widgets.row_lab import RowLab
from pencil.widgets.sampling_lab import SamplingLab
from pencil.widgets.softmax_lab import SoftmaxLab
from pencil.widgets.sparse_lab import SparseLab
from pencil.widgets.state_lab import StateLab
from pencil.widgets.stepper import Stepper
from pencil.widgets.valley_lab import ValleyLab
from pencil.widgets.writer_lab import WriterLab

__all__ = [
    "AttentionLab", "BPELab", "BlockLab", "CacheLab", "ChatLab", "Choice", "DiceLab", "DigitsLab", "HeadsLab", "KeepLab", "LSTMLab", "Lab",
    "MaskLab", "ModernLab", "OpenWriterLab", "PagesLab", "Part", "PatchLab", "PoolingLab", "PositionLab", "PreferenceLab", "RNNLab", "RingLab",
    "RotaryLab", "RowLab", "SamplingLab", "SoftmaxLab", "SparseLab", "StateLab", "Step", "Stepper", "ValleyLab", "Variant", "WriterLab", "one_step",
]  # fmt: skip
