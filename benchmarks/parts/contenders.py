"""Who runs against whom: a block, a whole writer, and writing word by word, each beside its peers."""

import gc
import os
from contextlib import nullcontext
from functools import partial
from importlib.util import find_spec

import torch
import torch.nn.functional as F
from torch import nn

from parts.clock import in_turns
from parts.kernels import kernels
from parts.nanogpt import NanoGPT
from parts.setting import Row
from pencil.model import GPT2, Block, Cache, Config, Decoder
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
    """The matrix products of a module's grids on so many words, `back` as well as there, and no more: a run into memory laid out before."""
    params = [part.weight for part in module.modules() if isinstance(part, nn.Linear)] + ([module.embedding] if hasattr(module, "embedding") else [])
    params = [grid.detach() for grid in params]
    rows = {width: setting.draw(words, width) for width in {size for grid in params for size in grid.shape}}
    found = {shape: setting.draw(*shape) for grid in params for shape in ((words, grid.shape[0]), (words, grid.shape[1]), grid.shape)}

    def run():
        for grid in params * times:
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
        steps[name] = partial(practise, module, logits, ids, torch.optim.AdamW(module.train().parameters(), fused=True))
    operations, least = 3 * setting.operations(setting.blocks, setting.rows), products(setting, ours, words, back=True)
    for name in peers:
        yield row(setting, f"{called} training step, {how}", name, [steps["ours"], steps[name]], least, operations, words, compiled)
    tidy(setting)


# ---- writing word by word


@torch.inference_mode()
def write(begin, first, count):
    """The likeliest next id, `count` times."""
    step, ids = begin(), [first]
    for _ in range(count):
        ids.append(step(ids)[:, -1:].argmax(-1))
    return torch.cat(ids, 1)


def without_cache(model):
    """Everything is worked anew for each word."""
    return lambda: lambda ids: model(torch.cat(ids, 1))


def with_cache(model, room=None):
    """Our cache, which grows, or is laid out once for `room` words."""

    def begin():
        cache = Cache(room)
        return lambda ids: model(ids[-1], cache=cache)

    return begin


def with_their_cache(call, config, room=None):
    """transformers' own, which grows, or is laid out once."""

    def begin():
        from transformers import DynamicCache, StaticCache

        cache = DynamicCache(config=config) if room is None else StaticCache(config=config, max_cache_len=room)
        return lambda ids: call(ids[-1], past_key_values=cache, use_cache=True).logits

    return begin


def generate(peer, first, count):
    """transformers' usual way to write: its `generate`, with its cache, the likeliest next id each time."""
    return peer.generate(first, max_new_tokens=count, do_sample=False, use_cache=True, pad_token_id=0, attention_mask=torch.ones_like(first))


def writing_rows(setting, called="", grows=True):
    """One text written to its full length, with a cache that is laid out, one that grows, and without."""
    ours, peer = writers(setting)
    first, words = setting.ids(1, 1), setting.length - 1
    least, runs = products(setting, ours, 1, times=words), {"ours without a cache": partial(write, without_cache(ours.eval()), first, words)}
    nano = nanogpt(setting, ours).eval()
    runs["nanoGPT's generate"] = partial(nano.generate, first, words)
    if peer is not None:
        runs["transformers' with its cache"] = partial(write, with_their_cache(peer.eval(), peer.config), first, words)
        runs["transformers' generate"] = partial(generate, peer, first, words)
    for way, room in (({"a cache that grows": None} if grows else {}) | {"a cache laid out": setting.length}).items():
        for name, theirs in runs.items():
            yield row(
                setting, f"{called}{words} words, {way}", name, [partial(write, with_cache(ours, room), first, words), theirs], least, words=words
            )
    tidy(setting)


def reading_rows(setting):
    """A text read at once into a cache: against transformers, and against what no reading can do without, its products and torch's attention."""
    ours, peer = writers(setting)
    ids, words = setting.ids(1, setting.length - 1), setting.length - 1
    least = products(setting, ours, words)
    query, key, value = (setting.draw(1, setting.heads, words, setting.width // setting.heads) for _ in range(3))

    def bare():
        least()
        for _ in range(setting.blocks):
            F.scaled_dot_product_attention(query, key, value, is_causal=True)

    runs = {"torch's products and attention alone": bare}
    if peer is not None:
        begin = with_their_cache(peer.eval(), peer.config)
        runs["transformers' with its cache"] = partial(read, begin, ids)
    for name, theirs in runs.items():
        yield row(setting, f"{words} words read at once", name, [partial(read, with_cache(ours.eval()), ids), theirs], least, words=words)
    tidy(setting)


@torch.inference_mode()
def read(begin, ids):
    """A whole text in one step, and the likeliest next id."""
    return begin()([ids])[:, -1:].argmax(-1)


def frozen(setting):
    """On a CPU the compiler may build the learned numbers in, laid out anew, and time its own loops for one row against the
    library's (torch calls it freezing; whoever trains on has to compile anew). What calls the loops is C++ too."""
    if setting.device == "cuda":
        return nullcontext()
    return torch._inductor.config.patch(freezing=True, max_autotune=True, cpp_wrapper=True, autotune_num_choices_displayed=0)


def compiled_writing_rows(setting, called=""):
    """The same with a cache laid out and the step compiled, the learned numbers built in; it takes two graphs for the whole text."""
    ours, peer = writers(setting)
    if peer is None:
        return
    first, words = setting.ids(1, 1), setting.length - 1
    quick, theirs = (torch.compile(module.eval(), fullgraph=module is ours) for module in (ours, peer))
    runs = {
        "transformers' with its cache": partial(write, with_their_cache(peer, peer.config), first, words),
        "transformers' generate": partial(generate, peer, first, words),
        "transformers' laid out, compiled": partial(write, with_their_cache(theirs, peer.config, setting.length), first, words),
    }
    least = products(setting, ours, 1, times=words)
    for name, run in runs.items():
        what, both = f"{called}{words} words, laid out, compiled", [partial(write, with_cache(quick, setting.length), first, words), run]
        with frozen(setting):
            measured = row(setting, what, name, both, least, words=words, compiled=True)
        yield measured
    tidy(setting)
