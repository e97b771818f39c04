"""Who runs against whom: a block, and a whole writer that reads or practises, each beside its peers."""

import gc
import os
from functools import partial
from importlib.util import find_spec

import torch
import torch.nn.functional as F
from torch import nn

from parts.clock import in_turns
from parts.kernels import kernels, shares
from parts.nanogpt import NanoGPT
from parts.setting import Row
from pencil.model import GPT2, Block, Config, Decoder
from pencil.reference import BlockConfig, gelu_erf

os.environ["HF_HUB_OFFLINE"] = "1"  # transformers makes its models from sizes here, and looks nothing up


def row(setting, what, peer, runs, least, operations=0.0, words=0, compiled=False):
    """Two runs in turns, the least that any such run has to do, one large product, and the kernels of ours, where they are torch's own."""
    bounds = [least, large_product(setting)] + ([] if compiled else [kernels(runs[0])])
    ours, theirs, bare, large, *own = (seconds * 1000 for seconds in in_turns([*runs, *bounds], setting.device, setting.rounds))
    return Row(what, peer, ours, theirs, bare, operations, words, *own, reached_tflops=2 * setting.square**3 / large / 1e9)


def large_product(setting):
    """One product of two large squares: what this machine reaches at the very most, measured in the same turns."""
    left, right, found = (setting.draw(setting.square, setting.square) for _ in range(3))
    return partial(torch.mm, left, right, out=found)


def products(setting, module, words, back=False, times=1):
    """The matrix products of all grids of a module on so many words, and no more."""
    grids = [part.weight for part in module.modules() if isinstance(part, nn.Linear)] + ([module.embedding] if hasattr(module, "embedding") else [])
    return products_of(setting, grids * times, words, back)


def products_of(setting, grids, words, back=False):
    """The matrix products of these grids, `back` as well as there, and no more: a run into memory laid out before."""
    grids = [grid.detach() for grid in grids]
    rows = {width: setting.draw(words, width) for width in {size for grid in grids for size in grid.shape}}
    found = {shape: setting.draw(*shape) for grid in grids for shape in ((words, grid.shape[0]), (words, grid.shape[1]), grid.shape)}

    def run():
        for grid in grids:
            d_out, d_in = grid.shape
            torch.mm(rows[d_in], grid.T, out=found[words, d_out])
            if back:
                torch.mm(rows[d_out], grid, out=found[words, d_in])
                torch.mm(rows[d_out].T, rows[d_in], out=found[grid.shape])

    return run


def pair_up(setting, ours, peer):
    """Both in place; one that learned more numbers would do more work."""
    counts = [sum(parameter.numel() for parameter in module.parameters()) for module in (ours, peer)]
    assert counts[0] == counts[1], counts
    return [setting.place(module) for module in (ours, peer)]


def tidy(setting):
    """What was compiled for one pair is no use to the next, and a GPU's memory is wanted."""
    torch.compiler.reset()
    gc.collect()
    if setting.device == "cuda":
        torch.cuda.empty_cache()


def gpt2_config(setting):
    """The config of transformers' GPT-2 in these sizes; None where transformers is not installed."""
    if find_spec("transformers") is None:
        return None
    import transformers

    transformers.logging.set_verbosity_error()  # it would like other start and end tokens than a small table has
    sizes = {"n_embd": setting.width, "n_head": setting.heads, "n_layer": setting.blocks, "n_positions": setting.length, "vocab_size": setting.rows}
    still = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
    return transformers.GPT2Config(**sizes, **still, attn_implementation="sdpa", bos_token_id=None, eos_token_id=None)


# ---- one block


def block_peers(setting):
    """(peer's name, ours, how ours is called, peer): blocks of one size, with the bend and the mask of the peer."""
    config = Config(setting.width, setting.heads)
    layer = nn.TransformerEncoderLayer(setting.width, setting.heads, config.feedforward_dim, 0.0, "gelu", batch_first=True, norm_first=True)
    yield "torch's encoder layer", Block(config, BlockConfig(eps=1e-5, activation=gelu_erf)), {}, layer
    if theirs := gpt2_config(setting):
        from transformers.models.gpt2.modeling_gpt2 import GPT2Block

        yield "transformers' GPT-2 block", Block(config), {"causal": True}, GPT2Block(theirs, layer_idx=0)


def block_rows(setting, compiled=False):
    """A block forward, and forward and backward, against each peer."""
    how, operations = "compiled" if compiled else "eager", setting.operations(blocks=1)
    for name, ours, options, peer in block_peers(setting):
        modules = pair_up(setting, ours, peer)
        x, pull = (setting.draw(setting.batch, setting.length, setting.width) for _ in range(2))
        least = [products(setting, ours, setting.batch * setting.length, back) for back in (False, True)]
        ours_called, peer_called = (torch.compile(module) if compiled else module for module in modules)
        calls = [partial(ours_called, **options), peer_called]
        for module in modules:
            module.eval()  # in which torch's layer takes a shorter way
        yield row(setting, f"block forward, {how}", name, [partial(forward, call, x) for call in calls], least[0], operations, compiled=compiled)
        for module in modules:
            module.train()  # dropout is 0
        x.requires_grad_()
        runs = [partial(there_and_back, module, call, x, pull) for module, call in zip(modules, calls, strict=True)]
        yield row(setting, f"block there and back, {how}", name, runs, least[1], 3 * operations, compiled=compiled)
        tidy(setting)


@torch.no_grad()
def forward(call, x):
    """Once through."""
    call(x)


def there_and_back(module, call, x, pull):
    """Forward, and the slopes of the input and of every learned number."""
    call(x).backward(pull)
    x.grad = None
    module.zero_grad(set_to_none=True)


# ---- the whole writer


def writers(setting):
    """Ours, and transformers' where it is installed."""
    config = Config(setting.width, setting.heads, n_layers=setting.blocks, vocab_size=setting.rows, max_len=setting.length)
    ours, theirs = Decoder(config, GPT2, padding=False), gpt2_config(setting)
    if theirs is None:
        return setting.place(ours), None
    from transformers import GPT2LMHeadModel

    return pair_up(setting, ours, GPT2LMHeadModel(theirs))


def writer_rows(setting, compiled=False):
    """The whole writer forward, and a step of practice without the optimiser."""
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
    runs = [partial(practise, module, call, ids) for module, call in zip((ours, peer), calls, strict=True)]
    yield row(setting, f"GPT there and back, {how}", name, runs, least[1], 3 * operations, compiled=compiled)
    tidy(setting)


def practise(module, logits, ids, optimiser=None):
    """Guess each id from those up to it (the loss is no matter here), work out every slope and, with an optimiser, turn every dial."""
    F.cross_entropy(logits(ids).flatten(0, 1), ids.flatten()).backward()
    if optimiser is not None:
        optimiser.step()
    module.zero_grad(set_to_none=True)


def training_step(module, logits, ids):
    """A whole step of training, with AdamW."""
    return partial(practise, module, logits, ids, torch.optim.AdamW(module.train().parameters(), fused=True))


def step_shares(setting):
    """What our step of training spends its time on."""
    ours, _ = writers(setting)
    return shares(training_step(ours, ours, setting.ids(setting.batch, setting.length)), setting.device)


def nanogpt(setting, ours):
    """nanoGPT's model with biases, as GPT-2 has them: then it learns as many numbers."""
    return pair_up(setting, ours, NanoGPT(setting.rows, setting.length, setting.width, setting.heads, setting.blocks, bias=True))[1]


def training_rows(setting, called="GPT", compiled=False):
    """A whole step of training: there, back, and AdamW, which is the same for all and never compiled."""
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
