"""The model in PyTorch: batched, on any device, with the names of `pencil.reference`, against which `verify` compares it.

Read it beside `pencil.reference`, file by file: functional, masks, positions, attending, latent, pooling, networks, experts, streams, blocks,
classify, recurrent, fast_weights, delta_net, sparse, transformers, vision, preference, flash, quantization, adapters. The rest has no
counterpart there: config and config_params (the description of a model, which the reference takes too), module (the base class), heads
(checks of a layer's heads), attention_context (masks and position tables that the blocks of a stack share), cache (keys and values, or a
state), generation (with a cache), saved (a model in a file), flash_kernel (flash attention in Triton; nothing here imports it), and
verification with runs (all ways to run a model must agree).

Arguments come in one order: arrays first, the others by keyword (mask, …, note). Every forward takes `note=None`: without a
note it runs torch's fast kernels, with one it names every value that the reference names.
`X(config)` draws new weights, `X.from_params(params)` has the numbers of reference params; `state_arrays` and `load_arrays` get and
set all parameters by name. `named = {}; model(ids, note=named.setdefault)` keeps every named value. A small GPT that continues two
texts:

    model = Decoder(Config(d_model=64, n_heads=4, n_layers=2, vocab_size=50, max_len=128)).eval()
    generate(model, [[3, 1, 4], [1, 5]], max_new_tokens=5, temperature=0.8, top_p=0.9)
"""

from types import ModuleType as _ModuleType

from pencil.model.adapters import LoRALinear, replace_linear
from pencil.model.attending import MultiHeadAttention, attention
from pencil.model.blocks import Block, Stack
from pencil.model.cache import Cache, PagedCache, RingCache
from pencil.model.classify import Classifier, MLPHead, RNNClassifier
from pencil.model.config import Config
from pencil.model.delta_net import GatedDeltaNet
from pencil.model.experts import Experts
from pencil.model.fast_weights import chunked_attention, linear_attention, recurrent_attention
from pencil.model.flash import FlashAttention, flash_attention
from pencil.model.functional import LayerNorm, RMSNorm
from pencil.model.generation import NextToken, generate
from pencil.model.latent import LatentAttention
from pencil.model.masks import causal_mask, key_mask, padding_mask
from pencil.model.module import load_arrays, state_arrays
from pencil.model.networks import FeedForward
from pencil.model.quantization import QuantizedLinear
from pencil.model.recurrent import LSTM, RNN, Bidirectional
from pencil.model.saved import load, save
from pencil.model.sparse import compress, index_scores, top_k_mask
from pencil.model.streams import HyperConnection
from pencil.model.transformers import Decoder, Encoder, EncoderDecoder
from pencil.model.verification import Agreement, Disagreement, verify
from pencil.model.vision import ViT

__all__ = [name for name, thing in globals().items() if not (name.startswith("_") or isinstance(thing, _ModuleType))]
