"""A reimplementation of nanoGPT's model and training loop (Andrej Karpathy, github.com/karpathy/nanoGPT), as a peer.

It differs from ours in: no biases, GELU with the error function, one standard deviation for all new weights, weight decay of every 2-D
tensor, cosine decay of the learning rate to a tenth, reading the loss at every step, and generation without a cache. Weights have GPT-2's
names, as in nanoGPT.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

STD = 0.02
CPU_RUN = {"lr": 1e-3, "steps": 2000, "warmup": 100, "betas": (0.9, 0.99), "weight_decay": 0.1, "grad_clip": 1.0}  # from its README


class Attention(nn.Module):
    """Causal self-attention with one projection for query, key and value."""

    def __init__(self, width, heads, bias):
        super().__init__()
        self.heads, self.c_attn, self.c_proj = heads, nn.Linear(width, 3 * width, bias=bias), nn.Linear(width, width, bias=bias)

    def forward(self, x):
        """(B, T, d) -> (B, T, d)"""
        query, key, value = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.c_attn(x).chunk(3, -1))
        return self.c_proj(F.scaled_dot_product_attention(query, key, value, is_causal=True).transpose(1, 2).flatten(2))


class MLP(nn.Module):
    """Two linear layers with GELU between them."""

    def __init__(self, width, bias):
        super().__init__()
        self.c_fc, self.c_proj = nn.Linear(width, 4 * width, bias=bias), nn.Linear(4 * width, width, bias=bias)

    def forward(self, x):
        """(B, T, d) -> (B, T, d)"""
        return self.c_proj(F.gelu(self.c_fc(x)))


class Block(nn.Module):
    """A Pre-LN block."""

    def __init__(self, width, heads, bias):
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(width, bias=bias), Attention(width, heads, bias)
        self.ln_2, self.mlp = nn.LayerNorm(width, bias=bias), MLP(width, bias)

    def forward(self, x):
        """(B, T, d) -> (B, T, d)"""
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class NanoGPT(nn.Module):
    """The model, with tied embeddings."""

    def __init__(self, rows, length, width, heads, blocks, bias=False):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(rows, width), nn.Embedding(length, width)
        self.h = nn.ModuleList(Block(width, heads, bias) for _ in range(blocks))
        self.ln_f = nn.LayerNorm(width, bias=bias)
        for name, weight in self.named_parameters():
            if weight.ndim >= 2:
                nn.init.normal_(weight, std=STD / math.sqrt(2 * blocks) if name.endswith("c_proj.weight") else STD)
            elif name.endswith("bias"):
                nn.init.zeros_(weight)

    def forward(self, ids):
        """(B, T) -> (B, T, rows)"""
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[-1], device=ids.device))
        for block in self.h:
            x = block(x)
        return F.linear(self.ln_f(x), self.wte.weight)

    @torch.no_grad()
    def generate(self, ids, count, temperature=None):
        """Append `count` tokens, sampled at a temperature, or greedy if it is None."""
        for _ in range(count):
            logits = self(ids[:, -len(self.wpe.weight) :])[:, -1]
            new = logits.argmax(-1, keepdim=True) if temperature is None else torch.multinomial((logits / temperature).softmax(-1), 1)
            ids = torch.cat([ids, new], 1)
        return ids


class Loop:
    """The training loop: random windows, warmup and cosine decay, clipping, AdamW."""

    def __init__(self, model, ids, batch, lr, steps, warmup, betas, weight_decay, grad_clip):
        self.model, self.ids, self.batch, self.lr, self.steps, self.warmup, self.grad_clip = model, ids, batch, lr, steps, warmup, grad_clip
        matrices, vectors = ([p for p in model.parameters() if (p.ndim >= 2) is wanted] for wanted in (True, False))
        groups = [{"params": matrices, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]
        self.optimizer, self.step = torch.optim.AdamW(groups, lr=lr, betas=betas), 0

    def lr_at(self, step):
        """Linear warmup, then cosine decay to a tenth."""
        if step < self.warmup:
            return self.lr * (step + 1) / (self.warmup + 1)
        share = 0.5 * (1 + math.cos(math.pi * min((step - self.warmup) / (self.steps - self.warmup), 1)))
        return self.lr * (0.1 + 0.9 * share)

    def run(self, count):
        """Train for `count` steps -> the last loss."""
        length = len(self.model.wpe.weight)
        for _ in range(count):
            for group in self.optimizer.param_groups:
                group["lr"] = self.lr_at(self.step)
            starts = torch.randint(len(self.ids) - length, (self.batch,)).tolist()
            x, y = (torch.stack([self.ids[start + shift : start + shift + length] for start in starts]) for shift in (0, 1))
            loss = F.cross_entropy(self.model(x).flatten(0, 1), y.flatten())
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.grad_clip)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            self.step, last = self.step + 1, loss.item()
        return last
