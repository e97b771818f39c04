"""FlashAttention as two Triton kernels, forward and backward, with the names of `pencil.reference.flash` (Dao 2023, alg. 1 and 2).

One program of the forward kernel works one block of queries of one head, and goes along its tiles; of the backward kernel, one block of
keys. On a computer without a GPU both run in Triton's interpreter: set TRITON_INTERPRET=1 before the first import. They are for reading:
torch's scaled_dot_product_attention is as exact, and tuned for each GPU.
"""

import torch
import triton
import triton.language as tl

BLOCKS = 64, 32  # queries and keys of a tile; tl.dot takes 16 at least


@triton.jit
def _load(array, head, rows, n_rows, columns, width):  # a few rows of one head; what lies outside is 0
    inside = (rows[:, None] < n_rows) & (columns[None, :] < width)
    return tl.load(array + (head * n_rows + rows[:, None]) * width + columns[None, :], mask=inside, other=0.0)


@triton.jit
def _scaled(q, k, rows, columns, T, S, scale, CAUSAL: tl.constexpr):  # the scores of one tile, −inf where nothing is seen
    scores = tl.dot(q, tl.trans(k), input_precision="ieee")
    seen = columns[None, :] < S
    if CAUSAL:
        seen = seen & (columns[None, :] <= rows[:, None] + S - T)
    return tl.where(seen, scores * scale, float("-inf"))


@triton.jit
def forward_kernel(query, key, value, context, logsumexp, T, S, scale, D_K: tl.constexpr, D_V: tl.constexpr, WIDTH_K: tl.constexpr,
                   WIDTH_V: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, CAUSAL: tl.constexpr):  # fmt: skip
    head, first = tl.program_id(1).to(tl.int64), tl.program_id(0) * ROWS
    rows, across_k, across_v = first + tl.arange(0, ROWS), tl.arange(0, WIDTH_K), tl.arange(0, WIDTH_V)
    q = _load(query, head, rows, T, across_k, D_K)
    running_max = tl.full([ROWS], float("-inf"), tl.float32)
    running_sum = tl.zeros([ROWS], tl.float32)
    acc = tl.zeros([ROWS, WIDTH_V], tl.float32)
    last = tl.minimum(S, first + ROWS + S - T) if CAUSAL else S  # behind it are tiles that nobody sees
    for start in range(0, last, COLUMNS):
        columns = start + tl.arange(0, COLUMNS)
        k, v = _load(key, head, columns, S, across_k, D_K), _load(value, head, columns, S, across_v, D_V)
        scaled = _scaled(q, k, rows, columns, T, S, scale, CAUSAL)
        new_max = tl.maximum(running_max, tl.max(scaled, 1))
        exps = tl.exp(scaled - new_max[:, None])
        rescale = tl.exp(running_max - new_max)  # what was added up under the old maximum; 0 at the first tile
        running_sum = rescale * running_sum + tl.sum(exps, 1)
        acc = rescale[:, None] * acc + tl.dot(exps.to(v.dtype), v, input_precision="ieee")
        running_max = new_max
    inside = (rows[:, None] < T) & (across_v[None, :] < D_V)
    tl.store(context + (head * T + rows[:, None]) * D_V + across_v[None, :], acc / running_sum[:, None], mask=inside)
    tl.store(logsumexp + head * T + rows, running_max + tl.log(running_sum), mask=rows < T)


@triton.jit
def backward_kernel(grad, query, key, value, logsumexp, delta, grad_query, grad_key, grad_value, T, S, scale, D_K: tl.constexpr,
                    D_V: tl.constexpr, WIDTH_K: tl.constexpr, WIDTH_V: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
                    CAUSAL: tl.constexpr):  # fmt: skip
    head, first = tl.program_id(1).to(tl.int64), tl.program_id(0) * COLUMNS
    columns, across_k, across_v = first + tl.arange(0, COLUMNS), tl.arange(0, WIDTH_K), tl.arange(0, WIDTH_V)
    k, v = _load(key, head, columns, S, across_k, D_K), _load(value, head, columns, S, across_v, D_V)
    of_key = tl.zeros([COLUMNS, WIDTH_K], tl.float32)
    of_value = tl.zeros([COLUMNS, WIDTH_V], tl.float32)
    start = tl.maximum(0, first + T - S) // ROWS * ROWS if CAUSAL else 0  # before it are tiles that nobody sees
    for row in range(start, T, ROWS):
        rows = row + tl.arange(0, ROWS)
        q, g = _load(query, head, rows, T, across_k, D_K), _load(grad, head, rows, T, across_v, D_V)
        total = tl.load(logsumexp + head * T + rows, mask=rows < T, other=0.0)
        mean = tl.load(delta + head * T + rows, mask=rows < T, other=0.0)
        weights = tl.exp(_scaled(q, k, rows, columns, T, S, scale, CAUSAL) - total[:, None])
        grad_weights = tl.dot(g, tl.trans(v), input_precision="ieee")
        grad_scores = weights * (grad_weights - mean[:, None]) * scale
        of_value += tl.dot(tl.trans(weights).to(g.dtype), g, input_precision="ieee")
        of_key += tl.dot(tl.trans(grad_scores).to(q.dtype), q, input_precision="ieee")
        of_query = tl.dot(grad_scores.to(k.dtype), k, input_precision="ieee")
        inside = (rows[:, None] < T) & (across_k[None, :] < D_K)
        tl.atomic_add(grad_query + (head * T + rows[:, None]) * D_K + across_k[None, :], of_query, mask=inside)
    held = columns[:, None] < S
    tl.store(grad_key + (head * S + columns[:, None]) * D_K + across_k[None, :], of_key, mask=held & (across_k[None, :] < D_K))
    tl.store(grad_value + (head * S + columns[:, None]) * D_V + across_v[None, :], of_value, mask=held & (across_v[None, :] < D_V))


class _Flash(torch.autograd.Function):
    @staticmethod
    def forward(ctx, query, key, value, causal):
        ctx.sizes = _sizes(query, key, value, causal)
        query, key, value = (x.contiguous() for x in (query, key, value))
        context = query.new_empty(*query.shape[:-1], value.shape[-1])
        logsumexp = query.new_empty(query.shape[:-1], dtype=torch.float32)
        heads, T = query.shape[:-2].numel(), query.shape[-2]
        forward_kernel[triton.cdiv(T, BLOCKS[0]), heads](query, key, value, context, logsumexp, **ctx.sizes)
        ctx.save_for_backward(query, key, value, context, logsumexp)
        return context

    @staticmethod
    def backward(ctx, grad):
        if torch.is_grad_enabled():  # create_graph=True
            raise RuntimeError("the kernels have no second derivative; pencil.model.flash_attention with a note has")
        query, key, value, context, logsumexp = ctx.saved_tensors
        grad = grad.contiguous()
        delta = (grad.float() * context.float()).sum(-1)
        of_query = torch.zeros_like(query, dtype=torch.float32)  # every block of keys adds its part
        of_key, of_value = torch.empty_like(key), torch.empty_like(value)
        heads, S = key.shape[:-2].numel(), key.shape[-2]
        grid = triton.cdiv(S, BLOCKS[1]), heads
        backward_kernel[grid](grad, query, key, value, logsumexp, delta, of_query, of_key, of_value, **ctx.sizes)
        return of_query.to(query.dtype), of_key, of_value, None


def flash_attention(query, key, value, *, causal=False):  # (…,T,d_k) (…,S,d_k) (…,S,d_v) -> (…,T,d_v)
    """Attention by the kernels of this file, with gradients.

    Args:
        query: (…, T, d_k), one row a query, in float32, float16 or, on a GPU, bfloat16; the sums are float32.
        key: (…, S, d_k), one row a key.
        value: (…, S, d_v), one row a key.
        causal: whether a query sees no key after its own position; the last query stands at the last key.

    Raises ValueError for batches that are not alike, for rows that do not fit together, for another dtype or several, and for more
    queries than keys where it is causal. Backward with create_graph=True raises RuntimeError.
    """
    return _Flash.apply(query, key, value, causal)


def _sizes(query, key, value, causal):  # -> the sizes that both kernels take
    if not query.shape[:-2] == key.shape[:-2] == value.shape[:-2]:
        raise ValueError(f"the batches of {tuple(query.shape)}, {tuple(key.shape)} and {tuple(value.shape)} are not alike; expand them first")
    if query.shape[-1] != key.shape[-1] or key.shape[-2] != value.shape[-2]:  # a kernel reads on in memory, and would find other numbers
        raise ValueError(
            f"query {(*query.shape,)}, key {(*key.shape,)}, value {(*value.shape,)}: a query is as wide as a key, and each key has a value"
        )
    known = (torch.float32, torch.float16) if query.device.type == "cpu" else (torch.float32, torch.float16, torch.bfloat16)
    if query.dtype not in known:  # the interpreter (Triton 3.9) multiplies the bits of a bfloat16 as if they were whole numbers
        raise ValueError(f"query is {query.dtype} on {query.device.type}; take {', '.join(map(str, known))}")
    if not query.dtype == key.dtype == value.dtype:
        raise ValueError(f"query is {query.dtype}, key {key.dtype} and value {value.dtype}; give all three the same dtype")
    (T, d_k), (S, d_v) = query.shape[-2:], value.shape[-2:]
    if causal and T > S:
        raise ValueError(f"{T} queries and {S} keys: the first query would see none; give it as many keys, or causal=False")
    wide = {f"WIDTH_{name}": max(16, triton.next_power_of_2(d)) for name, d in (("K", d_k), ("V", d_v))}
    return {"T": T, "S": S, "scale": d_k**-0.5, "D_K": d_k, "D_V": d_v, "ROWS": BLOCKS[0], "COLUMNS": BLOCKS[1], "CAUSAL": causal} | wide
