"""The book's fixed words and numbers, one module a chapter. Every other number of its pages is worked out from these.

    shared    What several chapters share: two rows of four numbers, and how the modules beside this one write their matrices down.
    text      Chapter 01, words to numbers: the chain letter of source 004, three texts to count in, a text to cut into byte pairs.
    vectors   Chapter 02, word vectors: six sentences to count contexts in, and one step of skip-gram.
    rnn       Chapter 03, the RNN: "not very good", with vectors and a hidden state of two numbers.
    lstm      Chapter 04, the LSTM and the GRU: "not good" with the vectors of chapter 03.
    lookup    Chapter 05, the soft lookup (source 002): three keys, their values, one query that points along the first key.
    review    Chapter 06, attention (source 000): the review "nolan ended", one head and a classifier; and the words that its labs can add.
    heads     Chapter 07, many heads: "cat sat table" with two heads, each half as wide as the model.
    block     Chapter 10, the whole block (source 001): "cat sat".
    masks     Chapter 12, masks: one small machine that fills a gap and goes on with a text, and one that attends to another text.
    learning  Chapters 13 and 13b, backpropagation and descent: both machines with their losses, and the sheets of their gradients.
    writer    Chapter 14, a tiny GPT: a third word behind "cat sat", and the logits of three words to go on with.
    chatbot   Chapter 14b, the chatbot: a question and its answer as one row of tokens.
    vision    Chapter 15, the vision transformer: two letters made of the same four patches, and a ViT that tells them apart.
    modern    Chapter 16, the modern block: the grids of chapter 10 for two heads that share a key and a value, and a gated network.
    cache     Chapter 17, the cache: six words with one head that looks back, and a query matrix of logarithms, so that every share is a fraction.
    fast_weights  Chapter 17b, linear attention: four tokens and a state, a key that is written three times, and a model's sizes.
    sparse    Chapter 17c, sparse attention: six tokens of which the last looks for one, an indexer, and a model's sizes.
    flash     Chapter 18, FlashAttention: one query and four keys, whose scores are logarithms of whole numbers.
    experts   Chapter 19, mixture of experts: four tiny experts whose scores are logarithms of whole numbers; the block of chapter 16 with two.
    fewer_bits  Chapter 20, fewer bits: rows to be written in few bits, and a matrix with an adapter.
    induction Chapter 22, a real writer opened: two heads that say what came after a word before.
    words     the book's own words for the field's terms
    diagrams  The block of chapter 10 as a diagram, in the words of its page.

Plain NumPy arrays. A weight matrix is a stack of weight rows, as in torch.nn.Linear: `x @ W.T`.
"""

from types import ModuleType as _ModuleType

from pencil.examples.block import MIXING_MATRIX, MIXING_ROW, PAIR, PAIR_BLOCK, PAIR_EMBEDDINGS, PAIR_HEAD, PAIR_POSITIONS, WIDE_FEED_FORWARD
from pencil.examples.cache import CACHE_HEAD, CACHE_ROWS, CACHE_SIZES, CACHE_WORDS, LATENT_SIZES
from pencil.examples.chatbot import CHAT_MASK, CHAT_SCORES, CHAT_TOKENS
from pencil.examples.experts import EXPERTS, EXPERTS_BLOCK, EXPERTS_CONFIG, EXPERTS_ROWS, ROUTER_EXPS
from pencil.examples.fast_weights import (
    GATED_KEYS,
    GATED_QUERIES,
    GATED_VALUES,
    HYBRID_SIZES,
    PLACE_KEYS,
    PLACE_VALUES,
    PLACE_WORDS,
    STATE_KEYS,
    STATE_QUERIES,
    STATE_VALUES,
    STATE_WORDS,
)
from pencil.examples.fewer_bits import ADAPTER_A, APART_ROWS, APART_WEIGHT, EVEN_ROW, FOUR_BIT_ROW, OUTLIER_ROW, SHIFTED_ROW, WANTED_ROWS
from pencil.examples.flash import FLASH_EXPS, FLASH_VALUES, FLASH_WORDS
from pencil.examples.heads import HEADS_VECTORS, HEADS_WORDS, TWO_HEADS
from pencil.examples.induction import INDUCTION_AFTER, INDUCTION_BACK, INDUCTION_COLUMNS, INDUCTION_NAMES, induction_rows
from pencil.examples.learning import NEXT_ROWS, NEXT_WORDS, review_loss, slopes_sheet, third_word_loss
from pencil.examples.lookup import LOOKUP_KEYS, LOOKUP_QUERY, LOOKUP_VALUES
from pencil.examples.lstm import GRU_PARAMS, LSTM_PARAMS, LSTM_VECTORS
from pencil.examples.masks import CROSS_MEMORY, CROSS_PARAMS, CROSS_ROWS, CROSS_SOURCE, CROSS_TARGET, MASK_PARAMS, MASK_TEXT, MASK_VECTORS, MASK_WORDS
from pencil.examples.modern import GATED_FEED_FORWARD, MODERN_ATTENTION, MODERN_BLOCK, MODERN_CONFIG
from pencil.examples.review import LAB_ROWS, LAB_WORDS, REVIEW, REVIEW_HEAD, REVIEW_PARAMS, REVIEW_RANKS
from pencil.examples.rnn import PAIR_RNN, RNN_HEAD, RNN_OUTPUT, RNN_PARAMS, RNN_UNITS, RNN_VECTORS, RNN_WORDS
from pencil.examples.shared import ROWS
from pencil.examples.sparse import (
    INDEX_KEYS,
    INDEX_QUERIES,
    INDEX_WEIGHTS,
    INDEXER_SIZES,
    PRESSED_RATES,
    SPARSE_KEYS,
    SPARSE_QUERY,
    SPARSE_VALUES,
    SPARSE_WORDS,
)
from pencil.examples.text import BPE_TEXT, MEME, MEME_SCRAMBLED, TALLY
from pencil.examples.vectors import (
    CONTEXT_NEIGHBOURS,
    CONTEXT_TEXT,
    CONTEXT_WINDOW,
    CONTEXT_WORDS,
    SKIP_GRAM_NEIGHBOURS,
    SKIP_GRAM_TARGET,
    SKIP_GRAM_WORD,
    SVD_DIRECTIONS,
)
from pencil.examples.vision import LETTER_J, LETTER_L, LETTER_PATCHES, LETTERS
from pencil.examples.writer import NEXT_SCORES, PAIR_NEXT

__all__ = [name for name, thing in globals().items() if not (name.startswith("_") or isinstance(thing, _ModuleType))]
