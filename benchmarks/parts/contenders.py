"""The models to compare: a block, and a whole decoder in inference and training, each with its peers."""

import gc
import os
from dataclasses import replace
from functools import partial
from importlib.util import find_spec

import torch
import torch.nn.functional as F
from torch import nn

from parts.clock import in_turns
from parts.kernels import kernels, shares
from parts.nanogpt import NanoGPT
from parts.setting import Row
from pencil.model import Block, Config, Decoder
from pencil.reference import gelu_erf

os.environ["HF_HUB_OFFLINE"] = "1"  # transformers' models are built from configs; prevents network requests


def row(setting, what, peer, runs, least, operations=0.0, words=0, compiled=False):
    """Time two functions interleaved with the bare matrix products (`least`), a large product, and, unless compiled, our kernels -> Row."""
    bounds = [least, large_product(setting)] + ([] if compiled else [kernels(runs[0])])
    ours, theirs, bare, large, *own = (seconds * 1000 for seconds in in_turns([*runs, *bounds], setting.device, setting.rounds))
    return Row(what, peer, ours, theirs, bare, operations, words, *own, reached_tflops=2 * setting.square**3 / large / 1e9)


def large_product(setting):
    """A function that multiplies two large square matrices: the measured peak of the machine."""
    left, right, found = (setting.draw(setting.square, setting.square) for _ in range(3))
    return partial(torch.mm, left, right, out=found)


def products(setting, module, words, back=False, times=1):
    """A function that does the matrix products of all weights of a module on `words` tokens, and nothing else."""
    weights = [part.weight for part in module.modules() if isinstance(part, nn.Linear)] + ([module.embedding] if hasattr(module, "embedding") else [])
    return products_of(setting, weights * times, words, back)


def products_of(setting, weights, words, back=False):
    """The same for a list of weights, into preallocated memory; `back` adds the products of the backward pass."""
    weights = [weight.detach() for weight in weights]
    rows = {width: setting.draw(words, width) for width in {size for weight in weights for size in weight.shape}}
    found = {shape: setting.draw(*shape) for weight in weights for shape in ((words, weight.shape[0]), (words, weight.shape[1]), weight.shape)}

    def run():
        for weight in weights:
            d_out, d_in = weight.shape
            torch.mm(rows[d_in], weight.T, out=found[words, d_out])
            if back:
                torch.mm(rows[d_out], weight, out=found[words, d_in])
                torch.mm(rows[d_out].T, rows[d_in], out=found[weight.shape])

    return run


def pair_up(setting, ours, peer):
    """Move both models to the device and dtype, and check that they have the same number of parameters."""
    counts = [sum(parameter.numel() for parameter in module.parameters()) for module in (ours, peer)]
    assert counts[0] == counts[1], counts
    return [setting.place(module) for module in (ours, peer)]


def tidy(setting):
    """Reset the compiler and free GPU memory between pairs."""
    torch.compiler.reset()
    gc.collect()
    if setting.device == "cuda":
        torch.cuda.empty_cache()


def gpt2_config(setting):
    """The config of transformers' GPT-2 with these sizes; None if transformers is not installed."""
    if find_spec("transformers") is None:
        return None
    import transformers

    transformers.logging.set_verbosity_error()  # silences a warning about special tokens outside a small vocabulary
    sizes = {"n_embd": setting.width, "n_head": setting.heads, "n_layer": setting.blocks, "n_positions": setting.length, "vocab_size": setting.rows}
    still = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
    return transformers.GPT2Config(**sizes, **still, attn_implementation="sdpa", bos_token_id=None, eos_token_id=None)


# ---- one block


def block_peers(setting):
    """(peer's name, our block, function that calls it, peer): blocks of equal size, with the activation and the mask of the peer."""
    config = Config(setting.width, setting.heads)
    layer = nn.TransformerEncoderLayer(setting.width, setting.heads, config.feedforward_dim, 0.0, "gelu", batch_first=True, norm_first=True)
    yield "torch's encoder layer", Block(replace(config, activation=gelu_erf)), {}, layer
    if theirs := gpt2_config(setting):
        from transformers.models.gpt2.modeling_gpt2 import GPT2Block

        yield "transformers' GPT-2 block", Block(config), {"causal": True}, GPT2Block(theirs, layer_idx=0)


def block_rows(setting, compiled=False):
    """A block forward, and forward and backward, against each peer."""
    how, operations = "compiled" if compiled else "eager", setting.operations(blocks=1)
    for name, ours, options, peer in block_peers(setting):
        modules = pair_up(setting, ours, peer)
        x, grad_output = (setting.draw(setting.batch, setting.length, setting.width) for _ in range(2))
        least = [products(setting, ours, setting.batch * setting.length, back) for back in (False, True)]
        ours_called, peer_called = (torch.compile(module) if compiled else module for module in modules)
        calls = [partial(ours_called, **options), peer_called]
        for module in modules:
            module.eval()  # enables the fast path of torch's layer
        yield row(setting, f"block forward, {how}", name, [partial(forward, call, x) for call in calls], least[0], operations, compiled=compiled)
        for module in modules:
            module.train()  # dropout is 0
        x.requires_grad_()
        runs = [partial(forward_backward, module, call, x, grad_output) for module, call in zip(modules, calls, strict=True)]
        yield row(setting, f"block there and back, {how}", name, runs, least[1], 3 * operations, compiled=compiled)
        tidy(setting)


@torch.no_grad()
def forward(call, x):
    """A forward pass without gradients."""
    call(x)


def forward_backward(module, call, x, grad_output):
    """Forward, and the gradients of the input and of every parameter."""
    call(x).backward(grad_output)
    x.grad = None
    module.zero_grad(set_to_none=True)


# ---- the whole decoder


def writers(setting):
    """Ours, and transformers' if it is installed."""
    config = Config(setting.width, setting.heads, n_layers=setting.blocks, vocab_size=setting.rows, max_len=setting.length)
    ours, theirs = Decoder(config), gpt2_config(setting)
    if theirs is None:
        return setting.place(ours), None
    from transformers import GPT2LMHeadModel

    return pair_up(setting, ours, GPT2LMHeadModel(theirs))


def writer_rows(setting, compiled=False):
    """The whole decoder: forward, and a training step without the optimizer."""
    ours, peer = writers(setting)
    if peer is None:
        return
    how, operations = "compiled" if compiled else "eager", setting.operations(setting.blocks, setting.rows)
    ids, name = setting.ids(setting.batch, setting.length), "transformers' GPT-2"
    least = [products(setting, ours, setting.batch * setting.length, back) for back in (False, True)]
    ours_called, peer_called = (torch.compile(module) if compiled else module for module in (ours, peer))
    calls = [ours_called, lambda ids: peer_called(ids, use_cache=False).logits]
    ours.eval(), peer.eval()
    yield row(setting, f"GPT forward, {how}", name, [partial(forward, call, ids) for call in calls], least[0], operations, compiled=compiled)
    ours.train(), peer.train()
    runs = [partial(language_model_step, module, call, ids) for module, call in zip((ours, peer), calls, strict=True)]
    yield row(setting, f"GPT there and back, {how}", name, runs, least[1], 3 * operations, compiled=compiled)
    tidy(setting)


def language_model_step(module, logits, ids, optimizer=None):
    """Cross-entropy of each id (not shifted, which does not matter here), backward and, with an optimizer, an update."""
    F.cross_entropy(logits(ids).flatten(0, 1), ids.flatten()).backward()
    if optimizer is not None:
        optimizer.step()
    module.zero_grad(set_to_none=True)


def training_step(module, logits, ids):
    """A function that does a training step with AdamW."""
    return partial(language_model_step, module, logits, ids, torch.optim.AdamW(module.train().parameters(), fused=True))


def step_shares(setting):
    """The fractions of our training step's time by kind of kernel."""
    ours, _ = writers(setting)
    return shares(training_step(ours, ours, setting.ids(setting.batch, setting.length)), setting.device)


def nanogpt(setting, ours):
    """nanoGPT's model with biases, as GPT-2 has them, which makes the number of parameters equal."""
    return pair_up(setting, ours, NanoGPT(setting.rows, setting.length, setting.width, setting.heads, setting.blocks, bias=True))[1]


def training_rows(setting, called="GPT", compiled=False):
    """A training step: forward, backward, and AdamW, which is the same for all and never compiled."""
    ours, peer = writers(setting)
    peers = {"nanoGPT": nanogpt(setting, ours)} | ({} if peer is None else {"transformers' GPT-2": peer})
    how, words, ids, steps = "compiled" if compiled else "eager", setting.batch * setting.length, setting.ids(setting.batch, setting.length), {}
    for name, module in ({"ours": ours} | peers).items():
        called_so = torch.compile(module) if compiled else module
        logits = (lambda ids, call=called_so: call(ids, use_cache=False).logits) if module is peer else called_so
        steps[name] = training_step(module, logits, ids)
    operations, least = 3 * setting.operations(setting.blocks, setting.rows), products(setting, ours, words, back=True)
    for name in peers:
        yield row(setting, f"{called} training step, {how}", name, [steps["ours"], steps[name]], least, operations, words, compiled)
    tidy(setting)
