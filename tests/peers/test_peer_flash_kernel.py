"""The Triton kernels of FlashAttention, in Triton's interpreter, against torch: odd sizes, dtypes, causal, forward and backward."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from pencil.model import flash_attention as in_tensors
from pencil.model import flash_kernel

SIZES = [(1, 1, 1, 1), (5, 5, 3, 7), (33, 70, 20, 17), (65, 65, 40, 64), (7, 40, 8, 8), (32, 32, 16, 16)]  # queries, keys, d_k, d_v
CLOSE = {torch.float32: 2e-6, torch.float16: 4e-3}


def drawn(sizes, dtype, *batch):
    queries, keys, d_k, d_v = sizes
    rng = np.random.default_rng(sizes)
    return [torch.tensor(rng.normal(size=(*batch, *shape))).to(dtype).requires_grad_() for shape in ((queries, d_k), (keys, d_k), (keys, d_v))]


def in_torch(query, key, value, causal):
    mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool).tril(key.shape[-2] - query.shape[-2]) if causal else None
    return F.scaled_dot_product_attention(query.double(), key.double(), value.double(), attn_mask=mask)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("dtype", CLOSE, ids=str)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_the_kernels_give_what_torch_gives(sizes, causal, dtype):
    tensors = drawn(sizes, dtype, 2)
    found, wanted = flash_kernel.flash_attention(*tensors, causal=causal), in_torch(*tensors, causal)
    grad = torch.linspace(-1, 1, found.numel()).view(found.shape).to(dtype)
    for one, other in zip(
        (found, *torch.autograd.grad(found, tensors, grad)), (wanted, *torch.autograd.grad(wanted, tensors, grad.double())), strict=True
    ):
        assert one.dtype == dtype
        assert float((one.double() - other).detach().abs().max()) <= CLOSE[dtype] * max(1, float(other.detach().abs().max()))


def test_the_kernel_and_the_plain_tensors_agree_in_a_batch_of_heads():
    tensors = drawn((40, 40, 8, 8), torch.float32, 2, 3)
    for causal in (False, True):
        torch.testing.assert_close(flash_kernel.flash_attention(*tensors, causal=causal), in_tensors(*tensors, block_size=(16, 16), causal=causal)[0])


def test_a_second_derivative_is_refused_and_not_wrong():
    tensors = drawn((5, 4, 3, 2), torch.float32)
    with pytest.raises(RuntimeError, match="the kernels have no second derivative"):
        torch.autograd.grad(flash_kernel.flash_attention(*tensors).sum(), tensors[0], create_graph=True)


def test_large_scores_do_no_harm():
    query, key, value = drawn((20, 20, 4, 4), torch.float32)
    found = flash_kernel.flash_attention(1000 * query, key, value)
    torch.testing.assert_close(found, in_torch(1000 * query, key, value, False).float(), atol=1e-4, rtol=1e-4)


def test_what_the_kernels_cannot_take_is_refused():
    query, key, value = drawn((5, 4, 3, 2), torch.float32, 2)
    with pytest.raises(ValueError, match="5 queries and 4 keys: the first query would see none"):
        flash_kernel.flash_attention(query, key, value, causal=True)
    with pytest.raises(ValueError, match="are not alike; expand them first"):
        flash_kernel.flash_attention(query, key[:1], value)
    with pytest.raises(ValueError, match=r"query is torch\.bfloat16 on cpu; take torch\.float32, torch\.float16"):
        flash_kernel.flash_attention(*(x.bfloat16() for x in (query, key, value)))
    with pytest.raises(ValueError, match=r"key \(2, 3, 3\), value \(2, 4, 2\): a query is as wide as a key, and each key has a value"):
        flash_kernel.flash_attention(query, key[:, :3], value)
    with pytest.raises(ValueError, match="a query is as wide as a key"):
        flash_kernel.flash_attention(query[..., :2], key, value)
    with pytest.raises(ValueError, match=r"query is torch\.float32, key torch\.float16 .* the same dtype"):
        flash_kernel.flash_attention(query, key.half(), value)
