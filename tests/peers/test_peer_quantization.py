"""Quantization and LoRA beside the libraries: torch's fake quantization bit for bit, PEFT's layer and its merge."""

import numpy as np
import peft
import pytest
import torch
from torch import nn

from pencil.formats import FORMATS
from pencil.model import LoRALinear, QuantizedLinear
from pencil.model.quantization import absmax_quantize
from pencil.reference import LoRAParams, dequantize, lora_linear, merge_lora, zero_point_quantize


@pytest.mark.parametrize("name", ["int8", "int4"])
def test_a_scale_for_each_row_is_torch_s_bit_for_bit(name):
    form, rng = FORMATS[name], np.random.default_rng(0)
    rows = (rng.normal(size=(50, 64)) * 10.0 ** rng.integers(-4, 4, (50, 1))).astype(np.float32)
    scales = (np.abs(rows).max(-1, keepdims=True) / form.largest).astype(np.float32)
    zeros = torch.zeros(50, dtype=torch.int32)
    there = torch.fake_quantize_per_channel_affine(torch.from_numpy(rows), torch.from_numpy(scales[:, 0]), zeros, 0, -form.largest - 1, form.largest)
    assert (form.nearest(rows, scales) == there.double().numpy()).all()


def test_whole_numbers_and_their_zero_point_are_torch_s():
    rng = np.random.default_rng(1)
    for _ in range(40):  # a scale that is a power of two: then dividing by it and multiplying by one over it are the same
        x = np.append(rng.integers(-900, 1100, 30), [-1020, 1020 * 3]) / 64
        quantized, scale, zero = zero_point_quantize(x)
        assert scale == 0.25
        there = torch.fake_quantize_per_tensor_affine(torch.tensor(x, dtype=torch.float32), 0.25, int(zero[0]), -128, 127)
        assert (dequantize(quantized, scale, zero_point=zero) == there.double().numpy()).all()


def test_a_quantized_layer_is_fake_quantized_torch():
    base = nn.Linear(64, 32, bias=False)
    with torch.no_grad():
        base.weight.copy_(torch.randint(-126, 127, (32, 64)) / 32 + torch.randint(-3, 4, (32, 64)) / 256)
        base.weight[:, 0] = 127 / 32  # so that each scale is a power of two
    layer, (_, scale) = QuantizedLinear(base), absmax_quantize(base.weight.detach())
    zeros = torch.zeros(32, dtype=torch.int32)
    there = torch.fake_quantize_per_channel_affine(base.weight.detach(), scale[:, 0], zeros, 0, -128, 127)
    assert (scale == 1 / 32).all() and (layer.weight == there).all()


@pytest.mark.parametrize(("rank", "alpha"), [(1, 1), (2, 4), (3, 16)])
def test_the_layer_of_peft_and_its_merge(rank, alpha):
    base = nn.Linear(6, 5, dtype=torch.double)
    weight, bias = (p.detach().clone() for p in (base.weight, base.bias))
    holder = peft.get_peft_model(nn.ModuleDict({"one": base}), peft.LoraConfig(r=rank, lora_alpha=alpha, target_modules=["one"]))
    theirs = holder.base_model.model["one"]
    a, b = theirs.lora_A["default"].weight, theirs.lora_B["default"].weight
    assert not b.any() and not theirs.base_layer.weight.requires_grad
    ours = LoRALinear(nn.Linear(6, 5, dtype=torch.double), rank, alpha=alpha)
    assert ours.a.shape == a.shape and ours.b.shape == b.shape and not ours.b.any()
    with torch.no_grad():
        b.normal_()
        for mine, other in ((ours.base.weight, weight), (ours.base.bias, bias), (ours.a, a), (ours.b, b)):
            mine.copy_(other)
    x = torch.randn(4, 6, dtype=torch.double)
    params = LoRAParams(a.detach().double().numpy(), b.detach().double().numpy())
    scaling = theirs.scaling["default"]
    np.testing.assert_allclose(lora_linear(x.numpy(), weight.numpy(), params, scaling=scaling) + bias.numpy(), theirs(x).detach(), atol=1e-6)
    torch.testing.assert_close(ours(x), theirs(x), atol=1e-6, rtol=1e-6)
    theirs.merge()
    torch.testing.assert_close(ours.merge().weight, theirs.base_layer.weight, atol=1e-6, rtol=1e-6)
    np.testing.assert_allclose(merge_lora(weight.numpy(), params, scaling=scaling), theirs.base_layer.weight.detach(), atol=1e-6)
