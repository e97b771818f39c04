"""The models in plain NumPy: pure functions, and dataclasses for their parameters. The files, in the order in which to read them:

text         tokens, vocabulary, embedding
bpe          byte pair encoding
byte_bpe     the same on bytes, as GPT-2 and Llama 3 have it
wordpiece    WordPiece, as BERT has it
counting     bags of words, TF-IDF, co-occurrence, PPMI
vectors      word vectors: SVD, cosine similarity, skip-gram, GloVe
functional   linear, softmax, sigmoid, activations, LayerNorm, RMSNorm, cross-entropy
recurrent    RNN and its Jacobians, LSTM, a step of a GRU, both directions
attending    scaled dot-product attention, one head, several heads, heads that share keys and values
latent       multi-head latent attention: the keys and values of all heads made from one short row
caching      attention with a key-value cache, and its layouts: paged, and a ring buffer
fast_weights attention without softmax, as a state: linear attention, decay, the delta rule, and all of them in chunks
delta_net    a layer of linear attention with the gated delta rule (Gated DeltaNet)
sparse       sparse attention: masks of few keys, an indexer that chooses the best, tokens pressed together
flash        attention tile by tile, forward and backward (FlashAttention)
pooling      from the rows of a text to one row
classify     classifiers on attention and on an RNN
networks     the feed-forward network
experts      mixture of experts: a router, the networks that it picks for each token, and load balancing
streams      hyper-connections: several residual streams, and the doubly stochastic matrix that mixes them
blocks       the transformer block and a stack of them
positions    learned, sinusoidal, RoPE, ALiBi
masks        causal and padding masks
optim        SGD and Adam
generation   n-grams, and sampling the next token
quantization integers times a scale, codebooks, and a linear layer on integers
adapters     LoRA: two low-rank matrices beside a frozen one
speculative  speculative decoding: drafted tokens, checked by the target model
preference   fine-tuning losses: masked cross-entropy, DPO, GRPO
vision       patches and the vision transformer
transformers encoder, decoder, encoder-decoder
interpretability attention patterns of heads, the logit lens, ablation of heads
contracts    the decorator that checks shapes, used by all of them

Rows are tokens. A weight matrix has the layout of torch.nn.Linear, (numbers out, numbers in): `x @ weight.T`.
Every function that computes takes `note=`, which it calls with the name and the value of each step; a `pencil.trace.Trace` records them.
"""

from types import ModuleType as _ModuleType

from pencil.reference.adapters import LoRAParams, lora_linear, merge_lora
from pencil.reference.attending import (
    AttentionParams,
    QKVParams,
    attention,
    attention_scores,
    cross_attention,
    multi_head_attention,
    qkv,
    self_attention,
    weighted_sum,
)
from pencil.reference.blocks import BlockConfig, BlockParams, block, stack
from pencil.reference.bpe import BPE, pair_counts, pre_tokenize, train_bpe
from pencil.reference.byte_bpe import ByteBPE
from pencil.reference.caching import KVCache, cached_attention, kv_bytes, page_slots, ring_slots, write_slots
from pencil.reference.classify import ClassifierParams, MLPParams, RNNClassifierParams, classifier, mlp_head, rnn_classifier
from pencil.reference.counting import bag_of_words, cooccurrence, one_hot, ppmi, tf_idf
from pencil.reference.delta_net import DeltaHeadParams, GatedDeltaNetParams, gated_delta_net
from pencil.reference.experts import ExpertsParams, Routing, balancing_bias, load_balancing_loss, mixture_of_experts, queue_places, route
from pencil.reference.fast_weights import chunked_attention, linear_attention, recurrent_attention
from pencil.reference.flash import flash_attention, flash_attention_backward, tiles
from pencil.reference.functional import (
    LayerNormParams,
    binary_cross_entropy,
    gelu,
    gelu_erf,
    layer_norm,
    linear,
    relu,
    rms_norm,
    sigmoid,
    silu,
    softmax,
    stable_softmax,
)
from pencil.reference.generation import (
    NgramCounts,
    count_ngrams,
    greedy,
    next_token_probs,
    ngram_probs,
    probabilities,
    sample,
    temperature,
    top_k,
    top_p,
    witten_bell,
)
from pencil.reference.interpretability import (
    first_token_mask,
    gate_heads,
    head_output,
    induction_mask,
    logit_lens,
    pattern_score,
    previous_token_mask,
    same_token_mask,
    without_head,
)
from pencil.reference.latent import LatentAttentionParams, latent_attention
from pencil.reference.masks import causal_mask, key_mask, padding_mask
from pencil.reference.networks import FeedForwardParams, feed_forward
from pencil.reference.optim import AdamConfig, AdamState, adam, sgd
from pencil.reference.pooling import first_token, last_token, max_pool, mean_pool
from pencil.reference.positions import (
    Alibi,
    LinearScaling,
    Llama3Scaling,
    Rotary,
    YarnScaling,
    add_positions,
    alibi,
    apply_rope,
    sinusoid,
    sinusoidal,
)
from pencil.reference.preference import (
    clipped_objective,
    dpo_loss,
    grpo_advantages,
    kl_estimate,
    masked_cross_entropy,
    token_log_probs,
)
from pencil.reference.quantization import (
    absmax_quantize,
    codebook_dequantize,
    codebook_quantize,
    dequantize,
    in_groups,
    int8_linear,
    zero_point_quantize,
)
from pencil.reference.recurrent import (
    BidirectionalParams,
    GRUParams,
    LSTMParams,
    RNNParams,
    bidirectional,
    final_hidden,
    gru_step,
    jacobian_product,
    lstm,
    lstm_step,
    rnn,
    rnn_step,
    run_rnn,
    step_jacobian,
)
from pencil.reference.sparse import block_mask, compress, compressed_mask, index_scores, sink_mask, top_k_mask
from pencil.reference.speculative import acceptance_rate, adjusted_probs, expected_tokens, output_probs, speculate, speculative_sampling
from pencil.reference.streams import HyperConnectionParams, hyper_connection, mix_streams, sinkhorn
from pencil.reference.text import PADDING, Vocabulary, build_vocabulary, embed, pad_or_truncate, tokenize, words_and_punctuation
from pencil.reference.transformers import DecoderParams, EncoderDecoderParams, EncoderParams, decoder, encoder, encoder_decoder, unembed
from pencil.reference.vectors import SVD, cosine_similarity, glove, glove_weight, most_similar, skip_gram, skip_gram_step, truncated_svd
from pencil.reference.vision import ViTParams, patchify, prepend_class_token, sinusoidal_2d, vit
from pencil.reference.wordpiece import WordPiece

__all__ = [name for name, thing in globals().items() if not (name.startswith("_") or isinstance(thing, _ModuleType))]
