"""The machine in torch: the same files, the same names, batched, on any device; `verify` holds it against the reference.

Read it beside `pencil.reference`, file by file. Every forward takes `note=None`: without one it takes the fast path,
with one it names every value that the reference names. A small GPT that writes on from three tokens:

    model = Decoder(Config(d_model=64, n_heads=4, n_blocks=2, rows=50, max_len=128), padding=False).eval()
    ids, cache = torch.tensor([[3, 1, 4]]), Cache()
    with torch.no_grad():
        for _ in range(5):
            ids = model(ids, cache=cache)[:, -1:].argmax(-1)  # the cache holds what came before

`X.like(bundle)` is a module with a bundle's numbers, and
`flat` and `load` carry them both ways. Only torch's own here: part (what all modules share), config (sizes), bend, cache,
sight (what the fast path works out once), averaged (a summary without the rows), weights, verify.
"""

from pencil.model.attention import attention
from pencil.model.bidirectional import Bidirectional
from pencil.model.block import Block
from pencil.model.cache import Cache
from pencil.model.classifier import Classifier
from pencil.model.config import GPT2, Config
from pencil.model.decoder import Decoder
from pencil.model.encoder import Encoder
from pencil.model.encoder_decoder import EncoderDecoder
from pencil.model.feed_forward import FeedForward
from pencil.model.head import Head
from pencil.model.heads import MultiHeadAttention
from pencil.model.layer_norm import LayerNorm
from pencil.model.lstm import LSTM
from pencil.model.masks import causal_mask, key_mask, padding_mask
from pencil.model.rnn import RNN
from pencil.model.stack import Stack
from pencil.model.verify import Agreement, Disagreement, verify
from pencil.model.vit import ViT
from pencil.model.walker import WalkerClassifier
from pencil.model.weights import flat, load

__all__ = [
    "GPT2", "LSTM", "RNN", "Agreement", "Bidirectional", "Block", "Cache", "Classifier", "Config", "Decoder", "Disagreement", "Encoder",
    "EncoderDecoder", "FeedForward", "Head", "LayerNorm", "MultiHeadAttention", "Stack", "ViT", "WalkerClassifier",
    "attention", "causal_mask", "flat", "key_mask", "load", "padding_mask", "verify",
]  # fmt: skip
