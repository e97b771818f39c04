"""The book's fixed words, sticks and grids. Every other number of its pages is worked out from these.

The rows [2, 1, 1, 0] and [0, 1, 2, 1] run through the whole book: they are nolan and ended in the
film review, cat and sat in the block. Plain NumPy arrays; a grid is a stack of weight-rows.
"""

import numpy as np

from pencil.reference.block import Block
from pencil.reference.feed_forward import FeedForward
from pencil.reference.head import Head
from pencil.reference.heads import Attention
from pencil.reference.lstm import LSTM
from pencil.reference.rnn import Recurrent
from pencil.reference.tags import Grids
from pencil.reference.vit import ViT


def _grid(*rows):
    return np.array(rows, float)


def _reorder(*slots):  # a grid whose row k reads the one slot it names (from 0)
    return np.eye(4)[list(slots)]


ROWS = _grid([2, 1, 1, 0], [0, 1, 2, 1])

# "nolan ended" (source 000): the ranks, the WANT grid and all six tags are printed there;
# the HAVE and GIVE grids are ours, chosen to give the printed tags.
REVIEW = ("nolan", "ended")
REVIEW_RANKS = {"the": 1, "movie": 2, "was": 3, "boring": 4, "nolan": 73, "ended": 88}
REVIEW_GRIDS = Grids(
    query=_grid([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]),
    key=_grid([0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]),
    value=_grid([1, 0, 0, 0], [0, 0, 0, 3], [0, 0, 0, 1], [0, 1, 0, -1]),
)
REVIEW_HEAD = Head(  # a head small enough for the pencil; ours
    grid1=_grid([1, 1, 0, 0], [0, 0, -1, 1]),
    nudge1=np.array([-1.0, 0.0]),
    grid2=_grid([2, 1]),
    nudge2=np.array([-1.0]),
)

# "cat sat" (source 001)
PAIR = ("cat", "sat")
PAIR_EMBEDDINGS = _grid([1, 0, 1, 0], [0, 1, 1, 0])
PAIR_SEATS = _grid([1, 1, 0, 0], [0, 0, 1, 1])
PAIR_HEAD = Grids(query=_reorder(2, 0, 3, 1), key=_reorder(3, 2, 1, 0), value=_reorder(1, 2, 3, 0))
PAIR_BLOCK = Block(
    attention=Attention((PAIR_HEAD,), output=np.eye(4)),
    feed_forward=FeedForward(
        widen=_grid([1, -1, 0, 0], [0, 0, 1, -1], [1, 1, 0, 0], [0, 1, 1, 0]),
        narrow=_reorder(1, 2, 3, 0),
    ),
)
MIXING_GRID = _grid([0.5, 0.2, 0.1, 0.0], [-0.3, 0.4, 0.0, 0.6], [0.1, 0.1, 0.7, 0.2], [0.0, 0.5, 0.5, 0.5])
MIXING_ROW = np.array([1.414, 0.0, 0.0, -1.414])  # cat, tamed, as it stands on paper

# the soft lookup (source 002): three keys, their values, one query that points along the first key
LOOKUP_KEYS = _grid([1, 0], [0, 1], [1, 1])
LOOKUP_VALUES = _grid([10, 0], [0, 10], [5, 5])
LOOKUP_QUERY = _grid([1, 0])

# The whole block (chapter 10): a worker four times as wide as the row; ours. Hidden number 4k is slot k
# itself, the three behind it are by how much slot k stands above each other slot; slot k adds its four.
WIDE_WORKER = FeedForward(
    widen=np.array([row for k in range(4) for row in (np.eye(4)[k], *(np.eye(4)[k] - np.eye(4)[j] for j in range(4) if j != k))]),
    narrow=np.kron(np.eye(4), np.ones((1, 4))),
)

# Readers and writers (chapter 12): one small machine that fills a gap and goes on with a text, and one that asks
# another text; ours. Slots of a stick: a thing, a doing, to do with rest, to do with food. (Cat and sat as above.)
MASK_WORDS = ("gap", "cat", "sat", "ate", "fish")
MASK_STICKS = _grid([0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1])
MASK_TEXT = (1, 0, 4)  # cat gap fish
MASK_GRIDS = Grids(
    query=_grid([0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]),  # a doing asks for things
    key=_grid([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]),
    value=_grid([0, 0, 0, 0], [2, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 4]),  # a thing hands over a doing, and what it has to do with
)
CROSS_SOURCE, CROSS_TARGET = ("black", "cat"), ("begin", "tac")
CROSS_MEMORY = _grid([0, 1, 2, 1], [2, 1, 1, 0])
CROSS_ROWS = _grid([1, 0, 1, 0], [0, 1, 0, 1])
CROSS_GRIDS = Grids(
    query=_grid([2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0]),
    key=_grid([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]),
    value=_reorder(1, 2, 3, 0),
)

# Many heads (chapter 07): "the cat sat" with two heads, each half as wide as the stick; cat and sat as above, the rest ours. Head one asks
# who did it, head two how the thing was named; the output grid writes the sum of the two heads and their difference.
HEADS_WORDS = ("the", "cat", "sat")
HEADS_STICKS = _grid([1, 0, 0, 1], [2, 1, 1, 0], [0, 1, 2, 1])
TWO_HEADS = Attention(
    heads=(
        Grids(query=_reorder(2, 3), key=_reorder(0, 1), value=_reorder(0, 1)),
        Grids(query=_reorder(2, 1), key=_grid([0, 0, 0, 1], [1, 0, -1, 0]), value=_reorder(2, 3)),
    ),
    output=_grid([1, 0, 1, 0], [0, 1, 0, 1], [1, 0, -1, 0], [0, 1, 0, -1]),
)

# Sticks with meaning (chapter 02): six sentences to count neighbours in, and a guess to correct; ours
STICK_TEXT = (
    "A good film that has a bad plot.",
    "A good film that has a good plot.",
    "A bad film that has a bad plot.",
    "The king gave the crown to the queen.",
    "The queen showed the crown to the king.",
    "The king took the crown from the queen.",
)
STICK_WORDS, STICK_NEIGHBOURS, STICK_WINDOW = ("good", "bad", "king", "queen"), ("film", "plot", "crown"), 3
STICK_DIRECTIONS = _grid([1, 1, 0], [0, 0, 1], [1, -1, 0])  # those of the SVD of its PPMI, before they are cut to length 1
GUESS_WORD, GUESS_NEIGHBOURS, GUESS_TRUTH = _grid([1, 0]), _grid([0, 1], [1, 0], [0, -1]), _grid([1, 0, 0])

# The labs (pencil.widgets): words to add to the review; ours.
LAB_WORDS = (*REVIEW, "was", "boring", "the", "movie")
LAB_ROWS = np.vstack([ROWS, _grid([0, 0, 1, 0], [1, -1, 0, 2], [0, 0, 0, 1], [1, 0, 2, 0])])

# Words into numbers (chapter 01): a sentence of the chain letter in source 004, and what it says; three texts to count in (ours);
# a text whose words are cut into byte pairs.
MEME = "it doesn't matter in what order the letters in a word are, the only important thing is that the first and last letter be in the right place."
MEME_SCRAMBLED = (
    "it dseno't mtaetr in waht oerdr the ltteres in a wrod are, the olny iproamtnt tihng is taht the frsit and lsat ltteer be in the rghit pclae."
)
TALLY = ("the cat sat", "the boring boring movie", "the boring cat")
PIECES_TEXT = "the cat sat on the mat"

# The walker (chapter 03): "not very good" with sticks and a memory of two numbers; ours. Stick: praise, denial. Memory: how the review sounds
# so far, and whether a "not" is in the air; a "not" in the air pulls the sound down by three.
WALK_WORDS = ("not", "very", "good")
WALK_STICKS = _grid([0, 1], [0.5, 0], [1, 0])
WALK_GRIDS = Recurrent(input=_grid([2, 0], [0, 1]), hidden=_grid([1, -3], [0, 1]), bias=np.array([-0.5, 0.0]))
WALK_HEAD = Head(grid1=_grid([2, 0], [-2, 0]), nudge1=np.zeros(2), grid2=_grid([2, -2]), nudge2=np.zeros(1))
PAIR_WALK = Recurrent(input=_grid([1, 0, 0, 0], [0, 1, 0, 0]), hidden=_grid([0.5, 0], [0, 0.5]))  # what is cat's alone, what is sat's alone

# The two-memory worker (chapter 04): "not good" with the walker's sticks (any other word is zeros) and its two slots, how the review sounds and
# whether a "not" is in the air; ours. The voters read the word alone. A word of praise uses the "not" up: it stops keeping it.
BELT_STICKS = dict(zip(WALK_WORDS, WALK_STICKS.tolist(), strict=True))
BELT_SLOTS = ("sound", "denial")
BELT_GRIDS = LSTM(
    keep=Recurrent(input=_grid([0, 0], [-4, 0]), hidden=np.zeros((2, 2)), bias=np.array([2.0, 2.0])),
    admit=Recurrent(input=_grid([4, 0], [0, 4]), hidden=np.zeros((2, 2)), bias=np.array([-2.0, -2.0])),
    show=Recurrent(input=_grid([4, 0], [0, 0]), hidden=np.zeros((2, 2)), bias=np.array([-2.0, 2.0])),
    candidate=Recurrent(input=_grid([1, 0], [0, 2]), hidden=_grid([0, -4], [0, 0]), bias=np.zeros(2)),
)

# Learning by pencil (chapter 13): three words that may come after "cat sat", each with the row that it is matched by; ours.
NEXT_WORDS, NEXT_ROWS = ("down", "up", "off"), _grid([1, 0, -1, 0], [1, 0, 0, 0], [0, 1, -1, 1])

# Pictures (chapter 15): two letters of the same four patches, and a machine that tells them apart by cat and sat's own block; ours. A patch's
# stick: how much ink, top less bottom, left less right, one diagonal less the other. A seat: top or bottom in slot two, left or right in slot four.
LETTER_L = _grid([1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1])
LETTER_J = LETTER_L[:, [2, 3, 0, 1]]  # its left half and its right half, swapped
LETTER_PATCHES = ("stroke", "empty", "corner", "foot")  # what the patches of L show, in their order
LETTERS = ViT(
    patch=_grid([1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]),
    blocks=(PAIR_BLOCK,),
    head=_grid([-1, 1, 0, 0], [1, -1, 0, 0]),  # L, J
    class_token=ROWS[1:],
    seats=_grid([0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 0, -1], [0, -1, 0, 1], [0, -1, 0, -1]),
)

# A tiny GPT (chapter 14): the row of a third word after "cat sat", stick and seat together, and the scores of three words to go on with; ours.
PAIR_NEXT, NEXT_SCORES = _grid([2, 0, 2, 0]), np.array([2.0, 1.0, 0.0])
