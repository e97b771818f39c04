"""Pictures drawn from a run: SVG whose numbers are the run's, and follow it when a reader changes a given one.

A picture takes a `Worked` and finds its values by their names. Each function stands in a module of its name behind an underscore,
which is imported from here alone. In the order of the chapters:

canvas        what every picture is made of: boxes, arrows, numbers, steps
paint         what a number paints besides its digits
_look         one word that looks at others, from its query to its shares
_ways         a far word by walking and by looking, and two heads that make one row
_tokens       from a text to rows, and byte pairs that join
_lookup       a one-hot row that picks a row of a table
_neighbours   a window that slides over a text
_plane        rows as arrows in a plane
_shadows      how far one row goes along others
_unrolled     an RNN, step beside step
_product      two matrices and their product, a row meeting a column
_lstm         one step of an LSTM, its votes and its belt
_attention    one word that asks, and who listens to whom
_divided      a whole that its words divide, a bar for each way of dividing it
_review       a text from its words to one answer, a lane for each word
_heads        two heads, and what is made of both
_halves       the output matrix as two halves, each of which adds a row
_strips       which letters of a text each head attends to
_classifiers  four machines that judge a text, side by side
_block        a transformer block, a lane for each word; what is given to it, and what comes out
_orders       one word with the norm first and with the norm last; in a block as it was, and as it is now
hands         positions as the hands of clocks, and turned queries and keys
_stamps       the stamps of many seats as a heat map
biases        what is added to the scores for where two words stand
_machines     encoder, decoder and both: who may look at whom
_graph        a computation graph, values down and slopes back
_returns      the slopes of a block on their way back, by its wires and its branches
_valley       the ways of optimizers down a valley of two dials
_window       a text as all the questions that it asks
_sampling     a draw from shares
_cache        what is kept of the words before, and a new word's look at it
_answer       a question and its answer in one row, and which of its misses count
_group        a group of answers, each with a reward, and its place beside the mean
_patches      a picture cut into patches, each laid flat
_sharing      heads that share a key and a value
_windows      how far back each word sees
_pages        where the kept rows of texts lie: logical and physical blocks
_ring         a ring of slots, each word in that of the one that leaves the window
_running      a softmax that is worked tile by tile
_routing      words, and the experts that a router picks for each
_rungs        a row of numbers, each on its way to the nearest place of a format
_adapter      a grid that is kept, and beside it two narrow ones that learn
_drafts       two dice of which one drafts for the other, and a round of drafts
"""

from pencil.drawings._adapter import adapter
from pencil.drawings._answer import answer
from pencil.drawings._attention import attention, shares
from pencil.drawings._block import block, givens, result
from pencil.drawings._cache import cache
from pencil.drawings._classifiers import classifiers
from pencil.drawings._divided import divided
from pencil.drawings._drafts import overlap, rounds
from pencil.drawings._graph import graph
from pencil.drawings._group import group
from pencil.drawings._halves import halves
from pencil.drawings._heads import heads
from pencil.drawings._look import look
from pencil.drawings._lookup import lookup
from pencil.drawings._lstm import lstm
from pencil.drawings._machines import machines
from pencil.drawings._neighbours import neighbours
from pencil.drawings._orders import generations, orders
from pencil.drawings._pages import pages
from pencil.drawings._patches import patches
from pencil.drawings._plane import plane
from pencil.drawings._product import product
from pencil.drawings._returns import returns
from pencil.drawings._review import review
from pencil.drawings._ring import ring
from pencil.drawings._routing import routing
from pencil.drawings._rungs import rungs
from pencil.drawings._running import running
from pencil.drawings._sampling import sampling
from pencil.drawings._shadows import shadows
from pencil.drawings._sharing import sharing
from pencil.drawings._stamps import stamps
from pencil.drawings._strips import strips
from pencil.drawings._tiles import tiles
from pencil.drawings._tokens import merges, tokens
from pencil.drawings._unrolled import unrolled
from pencil.drawings._valley import valley
from pencil.drawings._ways import joined, ways
from pencil.drawings._window import window
from pencil.drawings._windows import windows
from pencil.drawings.biases import bias, gaps
from pencil.drawings.canvas import Canvas, Drawing
from pencil.drawings.hands import clocks, turns

__all__ = [
    "Canvas", "Drawing", "adapter", "answer", "attention", "bias", "block", "cache", "classifiers", "clocks", "divided", "gaps", "generations", "givens",
    "graph", "group", "halves", "heads", "joined", "look", "lookup", "lstm", "machines", "merges", "neighbours", "orders", "overlap", "pages",
    "patches", "plane", "product", "result", "returns", "review", "ring", "rounds", "routing", "rungs", "running", "sampling", "shadows", "shares",
    "sharing", "stamps",
    "strips", "tiles", "tokens", "turns", "unrolled", "valley", "ways", "window", "windows",
]  # fmt: skip
