"""Layers of linear attention with the gated delta rule: verified under a trace, what their cache holds and takes back, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import close

from pencil import reference as ref
from pencil.model import Block, Cache, Config, Decoder, GatedDeltaNet, NextToken, RingCache, generate, verify
from pencil.params import map_arrays
from pencil.reference.delta_net import causal_conv, softplus
from pencil.trace import Trace

SMALL = Config(6, 2, n_layers=2, vocab_size=7, softmax=ref.stable_softmax)
LINEAR = replace(SMALL, linear_layers=(1,), norm=ref.rms_norm, norm_bias=False)
GROUPS = dict(linear_heads=4, linear_key_heads=2, linear_d_k=3, linear_d_v=5, linear_conv_size=2)
KINDS = {
    "one of two": LINEAR,
    "all, in groups": replace(LINEAR, linear_layers=(1, 2), **GROUPS),
    "one head": replace(SMALL, n_heads=1, linear_layers=(2,), linear_conv_size=1, bias=False, affine=False),
    "beside a window and latents": replace(LINEAR, latent_dim=3, window=2, window_layers=(2,), position_encoding=ref.Alibi()),
}


def filled(params):
    rng = np.random.default_rng(1)
    return map_arrays(params, lambda _, array: rng.normal(size=np.shape(array)) / np.sqrt(np.shape(array)[-1]))


@pytest.mark.parametrize("config", KINDS.values(), ids=list(KINDS))
def test_every_named_value_of_a_decoder_its_cache_and_its_gradients(config):
    params, ids, trace = filled(config.decoder_params()), np.array([3, 1, 4, 1, 5]), Trace()
    if config.position_encoding is not None:
        config = replace(config, position_encoding=ref.Alibi(positions=trace.given("positions", np.arange(5.0))))
    ref.decoder(ids, trace.given_each("params", params), config=config, note=trace)
    agreed = verify(trace, Decoder.from_params(params, config), ids=ids)
    assert any("cache" in run for run in agreed.runs)
    one, block = config.linear_sizes[0] == 1, f"block{config.linear_layers[0]}"
    of_head = {"query.scaled", "key.unit", "value.conv", "token5.error", "token5.state", "context"}
    wanted = {f"{block}.{'' if one else 'head1.'}{name}" for name in of_head} | {f"{block}.{name}" for name in ("decay", "beta.prob", "gated_concat")}
    assert wanted <= set(agreed.names)


def test_the_convolution_and_the_softplus_are_those_of_torch():
    rng = np.random.default_rng(0)
    for length, size in ((1, 4), (5, 3), (2, 1)):
        x, weight = rng.normal(size=(2, length, 3)), rng.normal(size=(3, size))
        padded = torch.nn.functional.pad(torch.tensor(x).mT, (size - 1, 0))
        close(causal_conv(x, weight), torch.nn.functional.conv1d(padded, torch.tensor(weight)[:, None], groups=3).mT)
    z = np.array([-800.0, -1, 0, 2, 800])
    close(softplus(z), torch.nn.functional.softplus(torch.tensor(z)))


def test_a_state_is_as_large_for_one_token_as_for_many():
    config = replace(LINEAR, linear_layers=(1, 2), **GROUPS)
    model, sizes = Decoder(config).eval(), set()
    for length in (1, 9):
        cache = Cache()
        model(torch.ones(1, length, dtype=torch.long), cache=cache)
        rows, state = cache.layer(1).state
        sizes.add((rows.shape, state.shape))
    assert sizes == {((1, 1, 2 * 2 * 3 + 4 * 5), (1, 4, 3, 5))} and cache.layer(1).key is None


def test_a_cache_takes_back_the_last_call_whole():
    model, ids = Decoder.from_params(filled(LINEAR.decoder_params()), LINEAR).eval(), torch.tensor([[3, 1, 4, 1, 5, 2]])
    whole = model(ids)
    for cache in (Cache(), Cache(6)):
        with torch.no_grad():
            for part in (slice(2), slice(2, 5)):
                model(ids[:, part] * 0 + 6 if part.start else ids[:, part], cache=cache)
            with pytest.raises(ValueError, match=r"crop\(4\) of 5 tokens: .* crop\(2\), and run"):
                cache.crop(4)
            with pytest.raises(ValueError, match=r"crop\(1\) of 5 tokens: .* crop\(0\), and run"):
                cache.crop(1)
            cache.crop(2)
            with pytest.raises(ValueError, match="outside the embedding"):  # a call that fails leaves the cache as it was
                model(torch.tensor([[9]]), cache=cache)
            close(torch.cat([model(ids[:, part], cache=cache) for part in (slice(2, 3), slice(3, 6))], 1), whole[:, 2:])
            cache.crop(0)
            close(model(ids, cache=cache), whole)


def test_a_call_that_fails_in_a_later_layer_leaves_the_state_as_it_was():
    model, ids = Decoder.from_params(filled(LINEAR.decoder_params()), LINEAR).eval(), torch.tensor([[3, 1, 4, 1]])
    cache, second = Cache(), model.stack.blocks[1]
    with torch.no_grad():
        model(ids[:, :2], cache=cache)
        hook = second.register_forward_pre_hook(lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            model(ids[:, 2:3], cache=cache)
        hook.remove()
        close(model(ids[:, 2:], cache=cache), model(ids)[:, 2:])


def test_a_ring_and_drafts_and_prompts_of_unequal_lengths():
    config = replace(LINEAR, window=3)
    model, ids = Decoder.from_params(filled(config.decoder_params()), config).eval(), torch.tensor([[3, 1, 4, 1, 5, 2]])
    ring = RingCache(3)
    with torch.no_grad():
        close(torch.cat([model(ids[:, k : k + 1], cache=ring) for k in range(6)], 1), model(ids))
    probs = NextToken(model)
    for text in ([3, 1, 4], [3, 1, 4, 1, 5], [3, 1, 4, 2], [6]):  # each goes back behind what was drafted
        close(probs(text)[0], model(torch.tensor(text))[-1].softmax(-1))
    prompts = [[3, 1, 4, 1], [5], [2, 6]]
    alone = [generate(model, [prompt], max_new_tokens=5, temperature=0)[0] for prompt in prompts]
    assert generate(model, prompts, max_new_tokens=5, temperature=0) == alone


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_keeps_its_state_in_float32(dtype):
    model, ids = Decoder.from_params(filled(LINEAR.decoder_params()), LINEAR).eval(), torch.tensor([[3, 1, 4, 1]])
    wanted, cache = model(ids), Cache()
    found = model.to(dtype)(ids, cache=cache)
    assert found.dtype == dtype and cache.layer(1).state[1].dtype == torch.float32
    assert (found.double() - wanted).abs().max() < 0.05 * wanted.abs().max()


def test_a_new_layer_forgets_at_rates_of_many_sizes():
    rates = GatedDeltaNet(replace(LINEAR, linear_heads=500)).log_rate.exp()
    assert 0 < rates.min() < 1 and 15 < rates.max() <= 16


@pytest.mark.parametrize(
    "change, says",
    [
        ({"linear_layers": ()}, "linear_heads=4 and no linear_layers; say which layers"),
        ({"linear_layers": [1]}, r"linear_layers=\[1\]; give a tuple of the layers' numbers, from 1 on"),
        ({"linear_layers": (3,)}, r"linear_layers=\(3,\) and n_layers=2; there is no such layer"),
        ({"linear_key_heads": 3}, "linear_heads=4 are not shared out to linear_key_heads=3; try 2 or 4"),
        ({"linear_conv_size": 0}, "linear_conv_size=0; a size is at least 1"),
        ({"window": 2, "window_layers": (1, 2)}, "layer 1 is in window_layers and in linear_layers"),
    ],
)
def test_a_description_that_cannot_be_run_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        replace(LINEAR, **GROUPS | change)


def test_what_reads_both_ways_has_no_such_layer():
    image = replace(LINEAR, patch_size=2, n_classes=3, max_len=5)
    for make, what in ((LINEAR.encoder_params, "an encoder"), (image.vit_params, "a ViT")):
        with pytest.raises(ValueError, match=rf"linear_layers=\(1,\) and {what}: linear attention reads from left to right"):
            make()
    params, x = filled(LINEAR.block_params()), np.random.default_rng(2).normal(size=(3, 6))
    block, hole = Block.from_params(params, LINEAR), np.tri(3, dtype=bool) & (np.arange(3) != 1)
    for mask in (None, np.ones((3, 3), bool), hole):
        with pytest.raises(ValueError, match="linear attention reads a text from left to right"):
            ref.block(x, params, config=LINEAR, mask=mask)
        with pytest.raises(ValueError, match="linear attention reads a text from left to right"):
            block(torch.tensor(x), mask=None if mask is None else torch.tensor(mask))
    with pytest.raises(ValueError, match="linear attention reads a text from left to right"):
        block(torch.tensor(x), mask=torch.tensor(hole), causal=True)
    wanted = ref.block(x, params, config=LINEAR, mask=ref.causal_mask(3))
    close(block(torch.tensor(x), mask=torch.tensor(ref.causal_mask(3))), wanted)
    close(block(torch.tensor(x), causal=True), wanted)
    with pytest.raises(ValueError, match="a token comes after padding"):
        ref.block(x, params, config=LINEAR, mask=hole, padding_mask=np.array([True, False, True]))


def test_params_that_do_not_fit_are_refused():
    params, x = filled(replace(LINEAR, **GROUPS).linear_attention_params()), np.ones((2, 6))
    first, second, *others = params.heads
    for change, says in (
        ({"heads": (second, first, *others)}, "the first head has no query and no key"),
        ({"heads": (replace(first, key_conv=None), second, *others)}, "head1 has some of query, key and their convolutions"),
        ({"heads": (first, second)}, "beta has 4 rows for 2 heads"),
    ):
        wrong = replace(params, **change)
        for run in (lambda wrong=wrong: ref.gated_delta_net(x, wrong), lambda wrong=wrong: GatedDeltaNet.from_params(wrong, LINEAR)):
            with pytest.raises(ValueError, match=says):
                run()
    for change, says in (
        ({"heads": (first, *others, second)}, "head2: torch shares queries and keys in groups of one size"),
        ({"heads": (first, replace(second, value=second.value[:3]), *others)}, r"head2.value is \(3, 6\) and head1.value \(5, 6\)"),
        ({"gate": params.gate[:3]}, "the gate .* writes 3 numbers where 20 are wanted"),
        ({"log_rate": params.log_rate[:1]}, "log_rate has the shape"),
    ):
        with pytest.raises(ValueError, match=says):
            GatedDeltaNet.from_params(replace(params, **change), LINEAR)
    with pytest.raises(ValueError, match="the query weight reads rows of 6"):
        GatedDeltaNet(LINEAR)(torch.zeros(2, 5), causal=True)
