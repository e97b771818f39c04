"""Integers, codebooks and adapters: by hand, against loops and float64, and the torch modules against the reference."""

from statistics import NormalDist

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from pencil.formats import FORMATS, NF4
from pencil.model import Config, Decoder, LoRALinear, QuantizedLinear, replace_linear, verify
from pencil.model import quantization as in_torch
from pencil.reference import (
    LoRAParams,
    absmax_quantize,
    codebook_dequantize,
    codebook_quantize,
    dequantize,
    in_groups,
    int8_linear,
    lora_linear,
    merge_lora,
    zero_point_quantize,
)
from pencil.trace import Trace, backward, check_replay, same

ROWS = st.lists(st.floats(-1e3, 1e3).map(lambda x: round(x, 4)), min_size=1, max_size=9)


def test_the_row_by_pencil():
    whole, scale = absmax_quantize(np.array([0.5, -1.27, 0.8, 0.1]))
    assert whole.tolist() == [50, -127, 80, 10] and scale == pytest.approx(0.01)
    spoiled, large = absmax_quantize(np.array([0.04, 1.27, -0.8, 12.7]))
    assert spoiled.tolist() == [0, 13, -8, 127] and large == pytest.approx(0.1)
    moved = zero_point_quantize(np.array([-0.55, 0, 1, 2]))
    assert [part.tolist() for part in (moved[0], moved[2])] == [[-128, -73, 27, 127], [-73]]


@given(ROWS, st.integers(2, 8))
def test_each_number_comes_back_within_half_a_scale_and_zero_stays(row, bits):
    x, noise = np.array([*row, 0.0]), 1 + 1e-9
    whole, scale = absmax_quantize(x, bits=bits)
    assert np.abs(whole).max() <= 2 ** (bits - 1) - 1 and (np.abs(dequantize(whole, scale) - x) <= scale / 2 * noise).all()
    moved, scale, zero = zero_point_quantize(x, bits=bits)
    back = dequantize(moved, scale, zero_point=zero)
    assert -(2 ** (bits - 1)) <= moved.min() and moved.max() < 2 ** (bits - 1) and back[-1] == 0
    assert (np.abs(back - x) <= scale * noise).all()  # the zero point is rounded too
    code, scale = codebook_quantize(x)
    nearest = np.abs(x[:, None] / scale - np.array(NF4)).min(-1)
    np.testing.assert_allclose(np.abs(codebook_dequantize(code, scale) - x), nearest * scale, atol=1e-6)


@given(st.integers(0, 10**6))
def test_the_format_of_the_trace_says_the_same_but_beside_a_tie(seed):
    x = np.random.default_rng(seed).normal(size=40).astype(np.float32).astype(float)
    for name, bits in (("int8", 8), ("int4", 4)):
        whole, scale = absmax_quantize(x, bits=bits)
        clear = np.abs(np.abs(x / scale % 1) - 0.5) > 1e-4
        np.testing.assert_allclose(FORMATS[name].nearest(x)[clear], dequantize(whole, scale)[clear], rtol=1e-6)
    np.testing.assert_allclose(FORMATS["nf4"].nearest(x), codebook_dequantize(*codebook_quantize(x)), rtol=1e-6)


def test_the_codes_of_nf4_are_the_quantiles_of_a_normal_distribution():
    ends, normal = 0.9677083, NormalDist()  # as bitsandbytes has it: the mean of 1 − 1/(2 · 15) and 1 − 1/(2 · 16)
    assert ends == pytest.approx((1 - 1 / 30 + 1 - 1 / 32) / 2, abs=1e-7)
    above = [normal.inv_cdf(p) for p in np.linspace(ends, 0.5, 9)[:-1]]
    below = [-normal.inv_cdf(p) for p in np.linspace(ends, 0.5, 8)[:-1]]
    np.testing.assert_allclose(np.sort([*above, 0, *below]) / max(above), NF4, atol=2e-7)


def test_groups_have_scales_of_their_own_and_zeros_the_scale_one():
    x = np.array([[0.04, 1.27, -0.8, 12.7], [0, 0, 0, 0]])
    whole, scale = absmax_quantize(in_groups(x, size=2))
    np.testing.assert_allclose(scale[..., 0], [[0.01, 0.1], [1, 1]])
    assert whole.tolist() == [[[4, 127], [-8, 127]], [[0, 0], [0, 0]]]
    for wrong in (lambda: in_groups(x, size=3), lambda: absmax_quantize(x, bits=1), lambda: zero_point_quantize(x, bits=0)):
        with pytest.raises(ValueError, match=r"divides 4|at least 2"):
            wrong()
    with pytest.raises(ValueError, match="do not grow"):
        codebook_quantize(x, codes=np.array([1, 0]))
    with pytest.raises(ValueError, match="outside the table of 16"):
        codebook_dequantize(np.array([16]), np.array([1.0]))


def test_an_outlier_column_apart_saves_the_others():
    rng = np.random.default_rng(0)
    x, weight = rng.normal(size=(5, 64)), rng.normal(size=(7, 64))
    x[:, 3] *= 60
    off = [np.abs(int8_linear(x, weight, outliers=at) - x @ weight.T).mean() for at in (None, 6.0)]
    assert off[1] < off[0] / 10
    np.testing.assert_allclose(int8_linear(x, weight, outliers=0), x @ weight.T)  # all of it apart


def traced(x, weight, a, b, wanted, scaling=1):
    trace = Trace()
    x, weight, params = trace.given("x", x), trace.given("weight", weight), trace.given_each("params", LoRAParams(a, b))
    out = lora_linear(x, weight, params, scaling=scaling, note=trace)
    error = out - trace.given("wanted", wanted)
    trace("loss", (error * error).sum())
    trace("through", x @ merge_lora(weight, params, scaling=scaling, note=trace).T)
    return trace


SMALL = st.integers(-9, 9)


@given(st.data(), st.integers(1, 2))
def test_merged_and_apart_are_equal_in_fractions_and_the_slopes_are_those_of_torch(data, rank):
    x, weight, a, b, wanted = (
        np.reshape(data.draw(st.lists(SMALL, min_size=n * m, max_size=n * m)), (n, m)) for n, m in ((2, 3), (4, 3), (rank, 3), (4, rank), (2, 4))
    )
    trace = traced(x, weight, a, b, wanted, 0.5)
    assert same(trace, trace, {"out": "through"})
    backward(trace.names["loss"], noted=("params.a", "params.b"))
    assert {name for name in trace.names if name.startswith("grad.")} == {"grad.params.a", "grad.params.b"}
    layer = adapted(weight, a, b)
    ((layer(torch.tensor(x, dtype=torch.double)) - torch.tensor(wanted)) ** 2).sum().backward()
    for name in "ab":
        np.testing.assert_allclose(getattr(layer, name).grad, trace.names[f"grad.params.{name}"].exact)
    assert layer.base.weight.grad is None


def adapted(weight, a, b):  # with alpha / rank = 1/2
    base = nn.Linear(weight.shape[1], weight.shape[0], bias=False, dtype=torch.double)
    layer = LoRALinear(base, len(a), alpha=len(a) / 2)
    with torch.no_grad():
        for parameter, array in ((base.weight, weight), (layer.a, a), (layer.b, b)):
            parameter.copy_(torch.tensor(array))
    return layer


def test_the_torch_layer_names_what_the_reference_names():
    rng = np.random.default_rng(1)
    x, weight, a, b = (rng.normal(size=shape) for shape in ((2, 3), (4, 3), (2, 3), (4, 2)))
    trace = Trace()
    lora_linear(trace.given("x", x), weight, LoRAParams(a, b), scaling=0.5, note=trace)
    layer = adapted(weight, a, b)
    assert len(verify(trace, layer).names) == 4
    torch.testing.assert_close(layer.merge()(torch.tensor(x)), layer(torch.tensor(x)))
    for rank in (0, 1.5, float("nan")):
        with pytest.raises(ValueError, match=f"rank={rank}"):
            LoRALinear(nn.Linear(2, 2), rank)
    for wrong in (
        lambda: LoRALinear(nn.Linear(2, 2), 1, alpha=float("nan")),
        lambda: lora_linear(x, weight, LoRAParams(a, b), scaling=float("nan")),
        lambda: merge_lora(weight, LoRAParams(a, b), scaling=float("inf")),
    ):
        with pytest.raises(ValueError, match=r"(alpha|scaling)=.*finite number"):
            wrong()


@pytest.mark.parametrize("how", [{"bits": 8}, {"bits": 3, "group_size": 4}, {"codes": NF4, "group_size": 4}])
def test_a_quantized_layer_has_the_numbers_of_the_reference(how):
    base = nn.Linear(8, 5, dtype=torch.double)
    layer, rows = QuantizedLinear(base, **how), base.weight.detach().numpy()
    groups = in_groups(rows, size=how.get("group_size", 8))
    quantized = codebook_quantize(groups) if "codes" in how else absmax_quantize(groups, bits=how["bits"])
    back = codebook_dequantize(*quantized) if "codes" in how else dequantize(*quantized)
    np.testing.assert_allclose(layer.weight, back.reshape(5, 8))
    x = torch.randn(3, 8, dtype=torch.double)
    torch.testing.assert_close(layer(x), x @ layer.weight.T + base.bias)
    assert not list(layer.parameters()) and layer.quantized.element_size() == 1
    for wrong in ({"group_size": 3}, {"bits": 9}, {"bits": 4, "codes": NF4}):
        with pytest.raises(ValueError, match=r"divides 8|2 to 8|take one of them"):
            QuantizedLinear(base, **wrong)


@pytest.mark.parametrize("bits", [1, 2.5, 7.5, float("nan")])
def test_bits_are_whole(bits):
    for quantize in (lambda: absmax_quantize(np.ones(2), bits=bits), lambda: in_torch.absmax_quantize(torch.ones(2), bits=bits)):
        with pytest.raises(ValueError, match="whole number of bits"):
            quantize()


@pytest.mark.parametrize("codes", [(1.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.0,), tuple(range(600)), (-1.0, float("nan"), 1.0), (0.0, float("inf"))])
def test_a_table_grows_and_its_places_fit_a_byte(codes):
    for quantize in (lambda: codebook_quantize(np.ones(2), codes=np.array(codes)), lambda: in_torch.codebook_quantize(torch.ones(2), codes=codes)):
        with pytest.raises(ValueError, match=r"do not grow|2 to 256|is NaN|is infinite"):
            quantize()


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
@pytest.mark.parametrize("how", [{}, {"codes": NF4}])
def test_weights_that_are_no_numbers_are_refused(odd, how):
    base = nn.Linear(4, 2)
    with torch.no_grad():
        base.weight[1, 2] = odd
    with pytest.raises(ValueError, match="NaN or infinite"):
        QuantizedLinear(base, **how)


@pytest.mark.parametrize("how", [{}, {"codes": NF4}])
@pytest.mark.parametrize(("dtype", "size"), [(torch.float16, 1e-6), (torch.bfloat16, 1e-6), (torch.float32, 1e-44)])
def test_small_numbers_of_short_floats_come_back_and_the_layer_keeps_their_format(dtype, size, how):
    base = nn.Linear(4, 1, bias=False, dtype=dtype)
    with torch.no_grad():
        base.weight.copy_(torch.tensor([[1.0, -0.5, 0, 0.25]]) * size)
    layer = QuantizedLinear(base, **how)
    assert layer.weight.dtype == layer(torch.ones(1, 4, dtype=dtype)).dtype == dtype and layer.scale.all()
    assert ((layer.weight - base.weight).abs() <= max(size * 0.1, 1.2e-38)).all()
    assert LoRALinear(layer.double(), 1)(torch.ones(1, 4, dtype=torch.double)).dtype == torch.double


@pytest.mark.parametrize("how", [{}, {"codes": NF4}])
@pytest.mark.parametrize("change", [torch.nn.Module.half, torch.nn.Module.bfloat16, lambda layer: layer.to(torch.float16)])
def test_scales_do_not_follow_into_a_short_format(change, how):
    base = nn.Linear(4, 1, bias=False)
    with torch.no_grad():
        base.weight.copy_(torch.tensor([[1.0, -0.5, 0, 0.25]]) * 1e-7)
    layer = QuantizedLinear(base, **how)
    scale, weight = layer.scale.clone(), layer.weight.clone()
    changed = change(nn.Sequential(layer))[0]
    assert changed.weight.dtype == changed(torch.ones(1, 4, dtype=changed.like.dtype)).dtype == changed.like.dtype != torch.float32
    assert torch.equal(changed.scale, scale) and torch.equal(changed.weight, weight.to(changed.like.dtype))
    assert torch.equal(layer.float().weight, weight)


def test_a_writer_with_adapters_is_at_first_the_writer_and_only_they_learn():
    model, ids = Decoder(Config(8, 2, n_layers=2, vocab_size=9, max_len=6)).double(), torch.tensor([[1, 2, 3]])
    before = model(ids).detach()
    replace_linear(model.requires_grad_(False), lambda layer: LoRALinear(layer, 1))
    torch.testing.assert_close(model(ids), before)
    model(ids).square().sum().backward()
    learning = [name for name, p in model.named_parameters() if p.requires_grad]
    assert len(learning) == 2 * 4 * 2 and all(name.endswith((".a", ".b")) for name in learning)
    layer = model.stack.blocks[0].feed_forward.up
    assert layer.b.grad.any() and not layer.a.grad.any()  # b is zero at first
    with torch.no_grad():
        layer.b.normal_()
    after = model(ids)
    torch.testing.assert_close(replace_linear(model, LoRALinear.merge, LoRALinear)(ids), after)


def test_a_layer_in_two_places_gets_one_adapter_and_a_second_call_adds_none():
    def adapter(layer):
        return LoRALinear(layer, 1)

    shared = nn.Linear(3, 3)
    model = nn.ModuleDict({"first": shared, "inner": nn.Sequential(nn.LayerNorm(3), shared), "second": shared})
    assert replace_linear(model, adapter) is model and replace_linear(model, adapter) is model
    assert model["first"] is model["second"] is model["inner"][1] and model["first"].base is shared
    assert replace_linear(model, LoRALinear.merge, LoRALinear)["first"] is model["inner"][1] and type(model["second"]) is nn.Linear


def test_a_layer_alone_is_replaced_too():
    layer = nn.Linear(3, 3)
    made = replace_linear(layer, lambda one: LoRALinear(one, 1))
    assert isinstance(made, LoRALinear) and made.base is layer and replace_linear(made, QuantizedLinear) is made


def test_the_run_of_the_outlier_column_is_replayed():
    def run(given, note):
        int8_linear(given["x"], given["weight"], outliers=6, note=note)

    trace, given = Trace(), {"x": [[0.5, -1.27, 30, 0.8]], "weight": [[1.27, 0, 0.5, 1]]}
    run({name: trace.given(name, value) for name, value in given.items()}, trace)
    sizes = {"x": (1, 4), "weight": (1, 4)}
    redraw = {name: lambda rng, size=size: rng.normal(size=size) * 8 for name, size in sizes.items()}
    assert check_replay(run, trace, redraw=redraw) > 0
