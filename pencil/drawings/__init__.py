"""Drawings of a run: SVG that shows the run's numbers, and follows them when a reader changes an input.

A drawing function takes a `Worked` and looks its values up by name. Import the functions from this package, not from its
underscored modules. In the order of the chapters:

canvas               the primitives: boxes, arrows, numbers, steps
marks                the SVG elements that they are made of
paint                attributes that follow a number, such as a width, an opacity or a position
_query_to_weights    one query, its scores with every key, and the weights as arrows
_path_lengths        maximum path length in an RNN and in attention
_multi_head          two heads, their concatenation and the output projection, without numbers
_tokens              tokenization and embedding of a text; the merges of BPE
_lookup              an embedding lookup as a product with a one-hot row
_context_windows     the context window of co-occurrence counts
_formula             attention as two products of matrices
_plane               rows as arrows in a plane
_projections         projections of rows on others
_pull                a context among its values, with a query to drag
_unrolled            an RNN unrolled
_jacobian_paths      the paths of a gradient over two steps
_product             a matrix product
_lstm                one step of an LSTM
_seq2seq             two RNNs that translate: the bottleneck, and attention
_attention           the attention weights of one word, and of all words
_divided             probability distributions as stacked bars
_review              a classifier with attention, from words to output
_heads               the attention of one word in two heads
_halves              the output projection as the sum of its heads' contributions
_flow                attention from word to word through several blocks
_maps                attention maps of some heads on one text
_strips              which characters of a text each head attends to
_classifiers         four classifiers side by side
_block               a transformer block, with a lane for each word; its inputs and parameters
_stream              the residual stream of a word through a stack of blocks
_orders              Pre-LN against Post-LN; a block of 2017 against a modern one
hands                sinusoidal encodings as clock hands; rotary queries and keys
_position_encodings  sinusoidal encodings as a heat map
biases               attention biases of ALiBi and T5
_machines            encoder, decoder and encoder-decoder with their masks
_gears               the chain rule as gears
_graph               a computation graph with values and gradients
_block_gradients     backpropagation through a block
_valley              the paths of optimizers on a loss of two parameters
_writer              a whole GPT
_window              a text window as training examples
_sampling            sampling from a distribution by inversion
_cache               a KV cache, and a new token that attends to it
_training_stages     fine-tuning, preferences and rewards, one after the other
_answer              the losses of a question and an answer, with the mask
_group               the advantages of GRPO
_patches             patchify
_seeing              a photo in the prompt of a language model
_sharing             multi-head, grouped-query and multi-query attention
_streams             two residual streams, mixed around a layer
_sliding_windows     sliding window masks
_pages               a paged KV cache
_ring                a ring buffer KV cache
_delta_rule          the delta rule: a state is read, and the error written
_chunks              linear attention in chunks
_state               linear attention as a square, and as a state that tokens write and read
_memory              an online softmax over two tiles, between slow and fast memory
_routing             the routing of a mixture of experts
_quantization        rounding to the values of a format
_adapter             LoRA
_drafts              speculative decoding: the overlap of two distributions, and the tokens of a round
_drafted             rounds of speculative decoding on one text
_tiles               the tiles of flash attention in order
"""

from pencil.drawings._adapter import adapter
from pencil.drawings._answer import answer
from pencil.drawings._attention import attention, shares
from pencil.drawings._block import block, givens, result
from pencil.drawings._block_gradients import block_gradients
from pencil.drawings._cache import cache
from pencil.drawings._chunks import chunks
from pencil.drawings._classifiers import classifiers
from pencil.drawings._context_windows import context_windows
from pencil.drawings._delta_rule import delta_rule
from pencil.drawings._divided import divided
from pencil.drawings._drafted import drafted
from pencil.drawings._drafts import overlap, rounds
from pencil.drawings._flow import flow
from pencil.drawings._formula import formula
from pencil.drawings._gears import gears
from pencil.drawings._graph import graph
from pencil.drawings._group import group
from pencil.drawings._halves import halves
from pencil.drawings._heads import heads
from pencil.drawings._jacobian_paths import jacobian_paths
from pencil.drawings._lookup import lookup
from pencil.drawings._lstm import lstm
from pencil.drawings._machines import machines
from pencil.drawings._maps import maps
from pencil.drawings._memory import memory
from pencil.drawings._multi_head import multi_head
from pencil.drawings._orders import generations, orders
from pencil.drawings._pages import pages
from pencil.drawings._patches import patches
from pencil.drawings._path_lengths import path_lengths
from pencil.drawings._plane import plane
from pencil.drawings._position_encodings import position_encodings
from pencil.drawings._product import product
from pencil.drawings._projections import projections
from pencil.drawings._pull import pull
from pencil.drawings._quantization import quantization
from pencil.drawings._query_to_weights import query_to_weights
from pencil.drawings._review import review
from pencil.drawings._ring import ring
from pencil.drawings._routing import routing
from pencil.drawings._sampling import sampling
from pencil.drawings._seeing import seeing
from pencil.drawings._seq2seq import seq2seq
from pencil.drawings._sharing import sharing
from pencil.drawings._sliding_windows import sliding_windows
from pencil.drawings._state import state
from pencil.drawings._stream import stream
from pencil.drawings._streams import streams
from pencil.drawings._strips import strips
from pencil.drawings._tiles import tiles
from pencil.drawings._tokens import merges, tokens
from pencil.drawings._training_stages import training_stages
from pencil.drawings._unrolled import unrolled
from pencil.drawings._valley import valley
from pencil.drawings._window import window
from pencil.drawings._writer import writer
from pencil.drawings.biases import bias, gaps
from pencil.drawings.canvas import Canvas, Drawing
from pencil.drawings.hands import clocks, turns

__all__ = [
    "Canvas", "Drawing", "adapter", "answer", "attention", "bias", "block", "block_gradients", "cache", "chunks", "classifiers", "clocks",
    "context_windows", "delta_rule", "divided", "drafted", "flow", "formula", "gaps", "gears", "generations", "givens", "graph", "group",
    "halves", "heads", "jacobian_paths", "lookup", "lstm", "machines", "maps", "memory", "merges", "multi_head", "orders", "overlap", "pages",
    "patches", "path_lengths", "plane", "position_encodings", "product", "projections", "pull", "quantization", "query_to_weights", "result",
    "review", "ring", "rounds", "routing", "sampling", "seeing", "seq2seq", "shares", "sharing", "sliding_windows", "state", "stream", "streams",
    "strips", "tiles", "tokens", "training_stages", "turns", "unrolled", "valley", "window", "writer",
]  # fmt: skip
