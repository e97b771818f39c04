"""The model in PyTorch: batched, on any device, with the names of `pencil.reference`, against which `verify` compares it.

Read it beside `pencil.reference`, file by file: functional, masks, positions, attending, pooling, networks, experts, blocks, classify,
recurrent, transformers, vision, preference, flash, quantization, adapters. The rest has no counterpart there: config (sizes), module (the base
class), heads (checks of a layer's heads), cache (keys and values), generate (next-token probabilities with a cache), flash_kernel (flash attention
in Triton; nothing here imports it), and verification with runs (all ways to run a model must agree).

Arguments come in one order: arrays first, the others by keyword (mask, …, note). Every forward takes `note=None`: without a
note it runs torch's fast kernels, with one it names every value that the reference names.
`X(sizes)` draws new weights, `X.from_params(params)` has the numbers of reference params; `state_arrays` and `load_arrays` get and
set all parameters by name. `named = {}; model(ids, note=named.setdefault)` keeps every named value. A small GPT that generates five
tokens:

    model = Decoder(Config(d_model=64, n_heads=4, n_layers=2, vocab_size=50, max_len=128)).eval()
    ids, cache = torch.tensor([[3, 1, 4]]), Cache()
    with torch.no_grad():
        for _ in range(5):
            ids = model(ids, cache=cache)[:, -1:].argmax(-1)  # the cache holds what came before
"""

from pencil.model.adapters import LoRALinear, replace_linear
from pencil.model.attending import MultiHeadAttention, attention
from pencil.model.blocks import Block, Stack
from pencil.model.cache import Cache, PagedCache, RingCache
from pencil.model.classify import Classifier, MLPHead, RNNClassifier
from pencil.model.config import GPT2, LLAMA, Config
from pencil.model.experts import Experts
from pencil.model.flash import FlashAttention, flash_attention
from pencil.model.functional import LayerNorm, RMSNorm
from pencil.model.generate import NextToken
from pencil.model.masks import causal_mask, key_mask, padding_mask
from pencil.model.module import load_arrays, state_arrays
from pencil.model.networks import FeedForward
from pencil.model.quantization import QuantizedLinear
from pencil.model.recurrent import LSTM, RNN, Bidirectional
from pencil.model.transformers import Decoder, Encoder, EncoderDecoder
from pencil.model.verification import Agreement, Disagreement, verify
from pencil.model.vision import ViT

__all__ = [
    "GPT2",
    "LLAMA",
    "LSTM",
    "RNN",
    "Agreement",
    "Bidirectional",
    "Block",
    "Cache",
    "Classifier",
    "Config",
    "Decoder",
    "Disagreement",
    "Encoder",
    "EncoderDecoder",
    "Experts",
    "FeedForward",
    "FlashAttention",
    "LayerNorm",
    "LoRALinear",
    "MLPHead",
    "MultiHeadAttention",
    "NextToken",
    "PagedCache",
    "QuantizedLinear",
    "RMSNorm",
    "RNNClassifier",
    "RingCache",
    "Stack",
    "ViT",
    "attention",
    "causal_mask",
    "flash_attention",
    "key_mask",
    "load_arrays",
    "padding_mask",
    "replace_linear",
    "state_arrays",
    "verify",
]  # fmt: skip
