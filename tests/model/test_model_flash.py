"""FlashAttention in torch: named values against the reference, its backward against torch's, and no score matrix in memory."""

from functools import partial

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from pencil.model import FlashAttention, flash_attention, verify
from pencil.reference import flash_attention as reference_flash
from pencil.reference import flash_attention_backward, tiles
from pencil.trace import Trace


def drawn(queries, keys, d_k=3, d_v=2):
    rng = np.random.default_rng([queries, keys])
    return [2 * rng.normal(size=shape) for shape in ((queries, d_k), (keys, d_k), (keys, d_v))]


CASES = [((1, 4), (1, 2), False), ((5, 5), (2, 2), True), ((3, 7), (2, 3), True), ((6, 4), (4, 3), False)]


@pytest.mark.parametrize("sizes, block_size, causal", CASES)
def test_it_has_the_numbers_of_the_reference_and_its_own_backward_agrees(sizes, block_size, causal):
    trace = Trace()
    arrays = (trace.given(name, x) for name, x in zip(("query", "key", "value"), drawn(*sizes), strict=True))
    reference_flash(*arrays, block_size=block_size, causal=causal, note=trace)
    agreement = verify(trace, FlashAttention(block_size, causal=causal))
    assert agreement.runs == ("alone", "in a batch") and any(name.endswith("tile2.rescale") for name in agreement.names)


@pytest.mark.parametrize("causal", [False, True])
def test_its_backward_is_that_of_the_reference(causal):
    arrays, options = drawn(5, 7), {"block_size": (2, 3), "causal": causal}
    tensors = [torch.tensor(x, requires_grad=True) for x in arrays]
    context, logsumexp = flash_attention(*tensors, **options)
    grad = torch.linspace(-1, 2, context.numel(), dtype=torch.double).view(context.shape)
    ours = torch.autograd.grad(context, tensors, grad)
    theirs = flash_attention_backward(grad.numpy(), *arrays, context.detach().numpy(), logsumexp.detach().numpy(), **options)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dtype, close", [(torch.float32, 1e-5), (torch.bfloat16, 5e-2)])
def test_it_is_attention_in_the_dtypes_of_training(dtype, close):
    query, key, value = (torch.tensor(np.stack([x] * 4)).to(dtype) for x in drawn(33, 65, 16, 8))
    found = flash_attention(query, key, value, block_size=(16, 32), causal=True)[0]
    wanted = F.scaled_dot_product_attention(query, key, value, attn_mask=torch.ones(33, 65, dtype=torch.bool).tril(32))
    assert found.dtype == dtype
    torch.testing.assert_close(found, wanted, atol=close, rtol=close)


def test_a_batch_that_shares_keys_adds_up_their_gradients():
    query, key, value = (torch.randn(*shape, dtype=torch.double, requires_grad=True) for shape in ((2, 1, 5, 3), (4, 5, 3), (1, 4, 5, 2)))
    found = flash_attention(query, key, value, block_size=(2, 2), causal=True)[0]
    wanted = F.softmax((query @ key.mT / 3**0.5).masked_fill(~torch.ones(5, 5, dtype=torch.bool).tril(), -torch.inf), -1) @ value
    for one, other in zip(*(torch.autograd.grad(x.square().sum(), (query, key, value)) for x in (found, wanted)), strict=True):
        torch.testing.assert_close(one, other)


def test_second_derivatives_are_refused_and_not_wrong():
    tensors = [torch.tensor(x, requires_grad=True) for x in drawn(3, 4)]
    with pytest.raises(RuntimeError, match="no second derivative; give flash_attention a note"):
        torch.autograd.grad(flash_attention(*tensors, block_size=(2, 2))[0].sum(), tensors[0], create_graph=True)
    with_note = partial(FlashAttention((2, 2)), note=lambda name, x: x)
    assert torch.autograd.gradgradcheck(with_note, tensors)


class Largest(torch.utils._python_dispatch.TorchDispatchMode):
    """How many numbers the largest tensor holds that is made inside."""

    most = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        self.most = max([self.most, *(x.numel() for x in (out if isinstance(out, tuple | list) else [out]) if isinstance(x, torch.Tensor))])
        return out


def test_no_square_is_written_forward_or_backward():
    words, tensors = 96, [torch.randn(96, 4, requires_grad=True) for _ in range(3)]
    sizes = []
    for run in (lambda: flash_attention(*tensors, block_size=(8, 8))[0], lambda: F.softmax(tensors[0] @ tensors[1].mT / 2, -1) @ tensors[2]):
        with Largest() as largest:
            run().sum().backward()
        sizes.append(largest.most)
    assert sizes == [words * 4, words * words]


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
def test_flex_attention_skips_the_same_tiles_and_gives_the_same():
    block_mask = create_block_mask(lambda batch, head, query, key: query >= key, None, None, 320, 320, device="cpu", BLOCK_SIZE=128)
    worked = [[columns.start // 128 for columns, _ in row_tiles] for _, row_tiles in tiles(320, 320, (128, 128), causal=True)]
    assert block_mask.to_dense()[0, 0].bool().tolist() == [[place in row for place in range(3)] for row in worked]
    rows = torch.randn(3, 1, 2, 320, 16)
    torch.testing.assert_close(flash_attention(*rows, block_size=(128, 128), causal=True)[0], flex_attention(*rows, block_mask=block_mask))
