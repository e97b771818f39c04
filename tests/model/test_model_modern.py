"""The modern decoder against the reference, in every mode, and with a cache of shared keys and values."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from pencil.model import Block, Cache, Config, Decoder, MultiHeadAttention, RMSNorm, attention, causal_mask, load_arrays, verify
from pencil.params import flatten, unflatten
from pencil.reference import Alibi, LayerNormParams, QKVParams, Rotary, decoder, layer_norm, softmax
from pencil.reference import causal_mask as reference_mask
from pencil.trace import Trace

LLAMA = Config.llama(12, 6, n_kv_heads=2, d_k=4, n_layers=2, vocab_size=9)
IDS = [1, 3, 2, 5, 4]


def drawn(config):
    params, rng = config.decoder_params(), np.random.default_rng(0)
    return unflatten(params, {name: 0.4 * rng.normal(size=array.shape) for name, array in flatten(params).items()})


@pytest.mark.parametrize("change", [{}, {"qk_norm": True}, {"n_kv_heads": 1}, {"n_kv_heads": None}, {"bias": True, "qk_norm": True}], ids=str)
def test_it_has_the_numbers_of_the_reference_in_every_way_to_run_it(change):
    plain, trace = replace(LLAMA, **change), Trace()
    params = drawn(plain)
    config = replace(plain, position_encoding=Rotary(trace.given("positions", range(5))))
    decoder(np.array(IDS), trace.given_each("params", params), config=config, note=trace)
    agreement = verify(trace, Decoder.from_params(params, plain), ids=IDS)
    assert {"block2.gated", "block1.head1.key.rotated", "block1.norm1.rms", "logits"} <= set(agreement.names)
    assert {"alone", "in a batch", "with a cache", "with an allocated cache"} <= set(agreement.runs)


def test_the_cache_holds_the_shared_pairs_alone():
    cache, writer = Cache(), Decoder(LLAMA).eval()
    with torch.no_grad():
        writer(torch.tensor([IDS]), cache=cache)
    assert cache.layer(1).key.shape == cache.layer(2).value.shape == (1, 2, 5, 4)


def test_a_gated_network_has_as_many_dials():
    plain, gated = Config(48), Config(48, gated=True)
    count = [sum(array.size for array in flatten(replace(one, bias=False).feed_forward_params()).values()) for one in (plain, gated)]
    assert gated.feedforward_dim == 128 and count[0] == count[1] == 18432


def test_sizes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="n_heads=6 are not shared out to n_kv_heads=4; try 3 or 6"):
        replace(LLAMA, n_kv_heads=4)
    with pytest.raises(ValueError, match="RMSNorm has a gain and no bias"):
        RMSNorm(Config(4))
    with pytest.raises(ValueError, match="norm=softmax has no torch form"):
        Block(replace(LLAMA, norm=softmax))
    params = drawn(LLAMA).blocks[0]
    one, *rest = params.attention.heads
    uneven = replace(params.attention, heads=(one, QKVParams(one.query, one.key, one.value), *rest))
    with pytest.raises(ValueError, match="groups of one size"):
        Block(replace(params, attention=uneven))


@pytest.mark.parametrize("norm", [layer_norm, LLAMA.norm])
def test_the_norm_of_a_config_is_that_of_its_block(norm):
    block = Block(replace(LLAMA, affine=False, norm=norm))
    assert isinstance(block.norm1, RMSNorm) == (norm is LLAMA.norm) and block.norm1.gain is None


def test_new_arrays_go_in_by_name():
    model = RMSNorm(LayerNormParams(np.ones(3)))
    load_arrays(model, {"gain": np.array([1.0, 2, 3])})
    with pytest.raises(ValueError, match="a row of zeros"):
        model(torch.zeros(2, 3), note=lambda name, value: value)


@pytest.mark.parametrize("queries, keys, window", [(4, 4, 2), (1, 6, 3), (2, 5, 9)])
def test_the_window_is_that_of_the_reference(queries, keys, window):
    assert (causal_mask(queries, keys, window=window).numpy() == reference_mask(keys, window=window)[-queries:]).all()
    with pytest.raises(ValueError, match="window=0"):
        causal_mask(2, window=0)


def test_one_query_row_reads_every_text_of_a_batch():
    query, key = torch.randn(1, 3, 4), torch.randn(5, 2, 4)
    for pair in ((query, key), (query[None], key[:, None]), (torch.randn(2, 6, 3, 4), torch.randn(2, 1, 2, 4))):
        torch.testing.assert_close(attention(*pair, pair[1]), attention(*pair, pair[1], note=lambda name, value: value))


def test_grouped_keys_are_shared_out_without_a_note_alone():
    query, key = torch.randn(2, 6, 3, 4), torch.randn(2, 3, 5, 4)
    every = key.repeat_interleave(2, -3)
    torch.testing.assert_close(attention(query, key, key), attention(query, every, every, note=lambda name, value: value))
    with pytest.raises(ValueError, match=r"3 heads of keys for 6 of queries, and a note: .* key.repeat_interleave\(2, -3\)"):
        attention(query, key, key, note=lambda name, value: value)


def test_a_shared_head_with_numbers_of_its_own_is_refused():
    attention_params = drawn(LLAMA).blocks[0].attention
    one, shared, *rest = attention_params.heads
    for odd, says in ((replace(shared, value=one.value), "and not the other"), (replace(shared, value_bias=np.ones(4)), "which nothing would add")):
        with pytest.raises(ValueError, match=says):
            MultiHeadAttention(replace(attention_params, heads=(one, odd, *rest)))


@pytest.mark.parametrize("made", [Config.llama, Config.qwen3])
def test_a_model_with_rotary_positions_takes_no_table_of_them(made):
    with pytest.raises(ValueError, match="max_len=16: rotary positions have no table"):
        made(16, 8, max_len=16)
    assert made(16, 8, max_len=None).max_len is None


@pytest.mark.parametrize("encoding", [Rotary, Alibi])
def test_two_descriptions_are_equal_where_their_positions_are(encoding):
    one, same, other, none = (Config(8, 2, position_encoding=encoding(x)) for x in (np.arange(3), [0, 1, 2], np.arange(1, 4), None))
    assert one == same and hash(one) == hash(same) and one != other and one != none and other != none
    assert Config(8, 2, position_encoding=Rotary()) != Config(8, 2, position_encoding=Alibi()) != Config(8, 2)
    assert Config(8, 2, position_encoding=Rotary(base=9.0)) != Config(8, 2, position_encoding=Rotary())
