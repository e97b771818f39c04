"""The Triton kernels of FlashAttention, in Triton's interpreter, against torch: odd sizes, dtypes, causal, forward and backward.

With TRITON_INTERPRET=0 they run on a GPU.
"""

import mmap
import os

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from pencil.model import flash_attention as in_tensors
from pencil.model import flash_kernel

SIZES = [(1, 1, 1, 1), (5, 5, 3, 7), (33, 70, 20, 17), (65, 65, 40, 64), (7, 40, 8, 8), (32, 32, 16, 16)]  # queries, keys, d_k, d_v
DEVICE = "cpu" if os.environ["TRITON_INTERPRET"] == "1" else "cuda"
CLOSE = {torch.float32: 2e-6, torch.float16: 4e-3} | ({torch.bfloat16: 3e-2} if DEVICE == "cuda" else {})


def drawn(sizes, dtype, *batch):
    queries, keys, d_k, d_v = sizes
    rng = np.random.default_rng(sizes)
    return [
        torch.tensor(rng.normal(size=(*batch, *shape))).to(DEVICE, dtype).requires_grad_() for shape in ((queries, d_k), (keys, d_k), (keys, d_v))
    ]


def in_torch(query, key, value, causal):
    mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool, device=query.device).tril(key.shape[-2] - query.shape[-2]) if causal else None
    return F.scaled_dot_product_attention(query.double(), key.double(), value.double(), attn_mask=mask)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("dtype", CLOSE, ids=str)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_the_kernels_give_what_torch_gives(sizes, causal, dtype):
    tensors = drawn(sizes, dtype, 2)
    found, wanted = flash_kernel.flash_attention(*tensors, causal=causal), in_torch(*tensors, causal)
    grad = torch.linspace(-1, 1, found.numel()).view(found.shape).to(DEVICE, dtype)
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
    for dtype in {torch.bfloat16, torch.float64} - CLOSE.keys():
        with pytest.raises(ValueError, match=rf"query is {dtype} on {DEVICE}; take torch\.float32, torch\.float16"):
            flash_kernel.flash_attention(*(x.to(dtype) for x in (query, key, value)))
    with pytest.raises(ValueError, match=r"key \(2, 3, 3\), value \(2, 4, 2\): a query is as wide as a key, and each key has a value"):
        flash_kernel.flash_attention(query, key[:, :3], value)
    with pytest.raises(ValueError, match="a query is as wide as a key"):
        flash_kernel.flash_attention(query[..., :2], key, value)
    with pytest.raises(ValueError, match=r"query is torch\.float32, key torch\.float16 .* the same dtype"):
        flash_kernel.flash_attention(query, key.half(), value)


FAR = 2**27  # rows of the first head: at a width of 16 the second begins behind 2^31 numbers, where an offset of 32 bits turns negative
SHAPE = {"D_K": 16, "D_V": 16, "WIDTH_K": 16, "WIDTH_V": 16, "ROWS": 32, "COLUMNS": 32, "CAUSAL": False}


def far():  # -> so many rows of halves for the first head, and 32 for the second; on a CPU no page of them takes memory before it is written
    count = (FAR + 32) * 16
    if DEVICE == "cuda":
        return torch.empty(count, dtype=torch.float16, device=DEVICE)
    return torch.frombuffer(mmap.mmap(-1, count * 2), dtype=torch.float16)


def near(rows, seed):  # -> (2, rows, 16)
    return torch.tensor(np.random.default_rng(seed).normal(size=(2, rows, 16))).to(DEVICE, torch.float16)


def test_queries_that_lie_behind_two_to_the_31_numbers_are_found():
    (query, context), key, value, block = (far(), far()), near(3, 1), near(3, 2), near(32, 3)[0]
    query[FAR * 16 :] = block.flatten()
    logsumexp = torch.empty(FAR + 32, device=DEVICE)
    flash_kernel.forward_kernel[1, 2](query, key, value, context, logsumexp, T=FAR, S=3, scale=0.25, **SHAPE)
    torch.testing.assert_close(context[FAR * 16 :].view(32, 16).double(), in_torch(block, key[1], value[1], False), atol=4e-3, rtol=4e-3)


def test_keys_that_lie_behind_two_to_the_31_numbers_are_found():
    (key, value, grad_key, grad_value), query, grad, block = (far() for _ in range(4)), near(3, 1), near(3, 2), near(32, 3)
    key[FAR * 16 :], value[FAR * 16 :] = block[0].flatten(), block[1].flatten()
    given = torch.zeros(2, 2, 3, device=DEVICE)  # logsumexp and delta: no keys but these 32
    outs = torch.zeros(2, 3, 16, device=DEVICE), grad_key, grad_value
    flash_kernel.backward_kernel[1, 2](grad, query, key, value, *given, *outs, T=3, S=FAR, scale=0.25, **SHAPE)
    q, g, (k, v) = query[1].double(), grad[1].double(), block.double()
    weights = torch.exp(q @ k.T / 4)
    grad_scores = weights * (g @ v.T) / 4
    for found, wanted in ((outs[0][1], grad_scores @ k), (grad_key[FAR * 16 :], grad_scores.T @ q), (grad_value[FAR * 16 :], weights.T @ g)):
        torch.testing.assert_close(found.view(wanted.shape).double(), wanted, atol=2e-2, rtol=4e-3)
