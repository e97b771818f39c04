"""Pictures drawn from a run: SVG whose numbers are the run's, and follow it when a reader changes a given one.

A picture takes a `Worked` and finds its values by their names. Each function stands in a module of its name behind an underscore,
which is imported from here alone. In the order of the chapters:

canvas               the primitives of all pictures: boxes, arrows, numbers, steps
paint                attributes that follow a number, such as a width, an opacity or a position
_query_to_weights    one query, its scores with every key, and the weights as arrows
_path_lengths        how far a word's information travels: through an RNN's states, or straight by attention
_multi_head          two heads that read one row, their concatenation and the output projection
_tokens              from a text to rows, and byte pairs that merge
_lookup              a one-hot row that picks a row of an embedding
_context_windows     the window of a co-occurrence count, sliding over a text
_plane               rows as arrows in a plane
_projections         the projection of one row on others
_unrolled            an RNN unrolled, step beside step
_product             two matrices and their product, a row meeting a column
_lstm                one step of an LSTM: its gates and its cell
_attention           the attention weights of one word, and of all words
_divided             a whole divided among words, a bar for each way to divide it
_review              a text from its words to one output, a lane for each word
_heads               two heads, and what is made of both
_halves              the output matrix as two halves, each of which adds a row
_strips              which letters of a text each head attends to
_classifiers         four classifiers side by side
_block               a transformer block, a lane for each word; what is given to it, and what comes out
_orders              one word in Pre-LN and in Post-LN; in a block of 2017 and in a modern one
hands                positions as the hands of clocks, and rotated queries and keys
_position_encodings  sinusoidal encodings of many positions as a heat map
biases               what is added to the scores for where two words stand
_machines            encoder, decoder and both: who may attend to whom
_graph               a computation graph, values forward and gradients back
_block_gradients     the gradients of a block on their way back, by its wires and its branches
_valley              the paths of optimizers down a loss of two parameters
_window              a text as all the training examples in it
_sampling            a draw from probabilities
_cache               the keys and values that are kept, and a new word that attends to them
_answer              a question and its answer in one row, and which of its losses count
_group               a group of answers, each with a reward, and its distance from the mean
_patches             an image cut into patches, each flattened
_sharing             heads that share a key and a value
_sliding_windows     how far back each word sees
_pages               a cache in pages: logical and physical blocks
_ring                a cache as a ring of slots, each word in that of the one that leaves the window
_online_softmax      a softmax worked tile by tile
_routing             words, and the experts that a router picks for each
_quantization        a row of numbers, each moved to the nearest value of a format
_adapter             a weight matrix that is frozen, and beside it two narrow ones that learn (LoRA)
_drafts              two dice of which one drafts for the other, and a round of drafts
_tiles               a score matrix in tiles, in the order in which flash attention computes them
"""

from pencil.drawings._adapter import adapter
from pencil.drawings._answer import answer
from pencil.drawings._attention import attention, shares
from pencil.drawings._block import block, givens, result
from pencil.drawings._block_gradients import block_gradients
from pencil.drawings._cache import cache
from pencil.drawings._classifiers import classifiers
from pencil.drawings._context_windows import context_windows
from pencil.drawings._divided import divided
from pencil.drawings._drafts import overlap, rounds
from pencil.drawings._graph import graph
from pencil.drawings._group import group
from pencil.drawings._halves import halves
from pencil.drawings._heads import heads
from pencil.drawings._lookup import lookup
from pencil.drawings._lstm import lstm
from pencil.drawings._machines import machines
from pencil.drawings._multi_head import multi_head
from pencil.drawings._online_softmax import online_softmax
from pencil.drawings._orders import generations, orders
from pencil.drawings._pages import pages
from pencil.drawings._patches import patches
from pencil.drawings._path_lengths import path_lengths
from pencil.drawings._plane import plane
from pencil.drawings._position_encodings import position_encodings
from pencil.drawings._product import product
from pencil.drawings._projections import projections
from pencil.drawings._quantization import quantization
from pencil.drawings._query_to_weights import query_to_weights
from pencil.drawings._review import review
from pencil.drawings._ring import ring
from pencil.drawings._routing import routing
from pencil.drawings._sampling import sampling
from pencil.drawings._sharing import sharing
from pencil.drawings._sliding_windows import sliding_windows
from pencil.drawings._strips import strips
from pencil.drawings._tiles import tiles
from pencil.drawings._tokens import merges, tokens
from pencil.drawings._unrolled import unrolled
from pencil.drawings._valley import valley
from pencil.drawings._window import window
from pencil.drawings.biases import bias, gaps
from pencil.drawings.canvas import Canvas, Drawing
from pencil.drawings.hands import clocks, turns

__all__ = [
    "Canvas", "Drawing", "adapter", "answer", "attention", "bias", "block", "block_gradients", "cache", "classifiers", "clocks", "context_windows",
    "divided", "gaps", "generations", "givens", "graph", "group", "halves", "heads", "lookup", "lstm", "machines", "merges", "multi_head",
    "online_softmax", "orders", "overlap", "pages", "patches", "path_lengths", "plane", "position_encodings", "product", "projections",
    "quantization", "query_to_weights", "result", "review", "ring", "rounds", "routing", "sampling", "shares", "sharing", "sliding_windows", "strips",
    "tiles", "tokens", "turns", "unrolled", "valley", "window",
]  # fmt: skip
