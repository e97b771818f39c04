"""The reference, the noted model (every named value) and the fast model agree, with gradients."""

import pickle
from dataclasses import replace
from inspect import signature

import numpy as np
import pytest
import torch
from model_draws import DEVICES, Draw, close, padded, recipes

from pencil import model, reference

INSIDE_SOFTMAX = {"exp", "exp_sum", "max", "shifted"}
SIZES = {
    "one head": {"heads": 1, "d_k": 4},
    "two heads": {"heads": 2, "d_k": 2},
    "wide heads": {"heads": 3, "d_k": 4, "d_v": 5, "d_ff": 7},
    "width 2, one word": {"d": 2, "heads": 1, "d_k": 2, "words": 1},
}
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}


def masks(words, batch):
    """None, causal, anyhow, and a text each: True where a query may look."""
    anyhow = np.random.default_rng(words).random((words, words)) < 0.6
    anyhow[:, 0] = True
    per_text = np.stack([anyhow, np.tri(words, dtype=bool)][:batch])
    lengths = np.array([words, max(1, words - 1)])[:batch]
    keys = (np.arange(words) < lengths[:, None])[:, None, :]
    return {"none": None, "causal": np.tri(words, dtype=bool), "anyhow": anyhow, "per text": per_text, "keys": keys}


def held(machine, function, noted_theirs, inputs, dtype, extra):
    """Noted against the reference by name, fast against noted, and the slopes of both against one another."""
    runs = []
    for note in (noted := {}).setdefault, None:
        given = [i.clone().requires_grad_(i.is_floating_point()) for i in inputs]
        machine.zero_grad()
        out = machine(*given, **({"note": note} if note else {}), **extra)
        (out * torch.linspace(-1, 2, out.numel(), dtype=dtype).view(out.shape).to(out.device)).sum().backward()
        runs.append([out, *(i.grad for i in given if i.grad is not None), *(p.grad for p in machine.parameters())])
    wanted = {name: value for name, value in noted_theirs.items() if name.split(".")[-1] not in INSIDE_SOFTMAX}
    assert list(noted) == list(wanted), "the names, and their order"
    for name, value in wanted.items():
        close(noted[name], value, TOLERANCE[dtype], name)
    scale = max(float(s.detach().abs().max()) for s in runs[0])
    for explicit, fast in zip(*runs, strict=True):
        close(fast, explicit, TOLERANCE[dtype] * max(1, scale), "fast and noted")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "size, config",
    [pytest.param(size, r, id=f"{size}-{name}") for size in SIZES for name, r in recipes() if "-relu" in name or size == "two heads"],
)
def test_a_block(size, config, device):
    sizes = {"d": 4, "words": 5} | SIZES[size]
    d, words = sizes.pop("d"), sizes.pop("words")
    if size.startswith("width 2") and not config.norm_first:
        config = replace(config, norm_first=False, eps=1e-5)
    draw = Draw(len(size))
    bundle = draw.block(d, **sizes)
    x = draw.rng.normal(size=(2, words, d))
    for name, mask in masks(words, 2).items():
        for dtype in TOLERANCE if name in ("none", "per text") else [torch.float64]:
            machine = model.Block.from_params(bundle, config, dtype, device)
            extra = {} if mask is None else {"mask": torch.tensor(mask, device=device)}
            theirs = {}
            reference.block(x, bundle, mask=mask, config=config, note=theirs.setdefault)
            held(machine, reference.block, theirs, [torch.tensor(x, dtype=dtype, device=device)], dtype, extra)
            if name == "causal":
                held(machine, reference.block, theirs, [torch.tensor(x, dtype=dtype, device=device)], dtype, {"causal": True})


class Ask(torch.nn.Module):
    """A block with both texts by position, so that both get slopes."""

    def __init__(self, block, memory_mask):
        super().__init__()
        self.block, self.memory_mask = block, memory_mask

    def forward(self, x, memory, *, note=None):
        return self.block(x, memory=memory, memory_mask=self.memory_mask, causal=True, note=note)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("norm_first", [True, False])
def test_a_block_that_asks_another_text_of_another_width(norm_first, affine, bias):
    draw, config = Draw(3, bias, affine), reference.BlockConfig(norm_first=norm_first, eps=1e-5, activation=reference.gelu)
    bundle = draw.block(4, heads=2, d_k=3, d_v=2, d_memory=6)
    x, memory = draw.rng.normal(size=(2, 3, 4)), draw.rng.normal(size=(2, 5, 6))
    real = np.arange(5) < np.array([[5], [3]])
    for memory_mask in (None, real[:, None, :]):
        theirs = {}
        causal = np.tri(3, dtype=bool)
        reference.block(x, bundle, mask=causal, memory=memory, memory_mask=memory_mask, config=config, note=theirs.setdefault)
        machine = Ask(model.Block.from_params(bundle, config), None if memory_mask is None else torch.tensor(memory_mask))
        held(machine, reference.block, theirs, [torch.tensor(x), torch.tensor(memory)], torch.float64, {})


def test_one_text_without_a_batch_and_several_axes_of_batch():
    draw = Draw(1)
    bundle, config = draw.block(4, heads=2), reference.BlockConfig(eps=1e-5)
    machine = model.Block.from_params(bundle, config)
    x = draw.rng.normal(size=(2, 3, 5, 4))
    out = machine(torch.tensor(x), causal=True)
    close(machine(torch.tensor(x[1, 2]), causal=True), out[1, 2])
    close(machine(torch.tensor(x[1, 2]), mask=torch.ones(1, 5, dtype=torch.bool)), machine(torch.tensor(x[1, 2])))
    close(out, reference.block(x, bundle, mask=reference.causal_mask(5), config=config))


IDS = np.array([[3, 1, 4, 1, 5], [2, 7, 1, 8, 2]])


@pytest.mark.parametrize("ids", [pytest.param(IDS, id="full"), pytest.param(padded(IDS, 5, 3), id="padded"), pytest.param(IDS[0], id="one text")])
@pytest.mark.parametrize("config", [pytest.param(r, id=name) for name, r in recipes() if "gelu_erf" not in name])
def test_encoder_and_decoder(config, ids):
    draw = Draw(5)
    for kind, function in (("encoder", reference.encoder), ("decoder", reference.decoder)):
        for more in ({}, {"positions": None, "norm": False} | ({"output": True} if kind == "decoder" else {})):
            bundle = getattr(draw, kind)(heads=2, **more)
            theirs = {}
            function(ids, bundle, config=config, note=theirs.setdefault)
            machine = getattr(model, kind.title()).from_params(bundle, config)
            held(machine, function, theirs, [torch.tensor(ids)], torch.float64, {})


@pytest.mark.parametrize("norm_first", [True, False])
def test_encoder_decoder(norm_first):
    draw, config = Draw(6), reference.BlockConfig(norm_first=norm_first, eps=1e-5)
    for reader, source in ((4, IDS), (6, padded(IDS, 5, 2))):
        bundle = draw.encoder_decoder(reader, 4, heads=2)
        theirs = {}
        target = IDS[:, :3]
        reference.encoder_decoder(source, target, bundle, config=config, note=theirs.setdefault)
        held(model.EncoderDecoder.from_params(bundle, config), None, theirs, [torch.tensor(source), torch.tensor(target)], torch.float64, {})


@pytest.mark.parametrize("pool", ["mean_pool", "max_pool", "first_token", "last_token"])
@pytest.mark.parametrize("padding", [True, False])
def test_classifier(padding, pool):
    draw = Draw(7)
    bundle = draw.classifier(heads=2, d_k=3)
    machine = model.Classifier.from_params(bundle, padding=padding, pool=getattr(reference, pool))
    ids = padded(IDS, 5, 2)
    for row, text in zip(machine(torch.tensor(ids)), ids, strict=True):
        theirs, noted = {}, {}
        reference.classifier(text, bundle, padding=padding, pool=getattr(reference, pool), note=theirs.setdefault)
        close(machine(torch.tensor(text), note=noted.setdefault), row)
        assert list(noted) == [name for name in theirs if name.split(".")[-1] not in INSIDE_SOFTMAX]
        for name in noted:
            close(noted[name], theirs[name], name=name)
        close(machine.logit(torch.tensor(text)), theirs["logit"])


def test_seats_that_are_given_count_in_the_model_too():
    draw = Draw(8)
    bundle, x = draw.block(4, heads=2), draw.rng.normal(size=(3, 4))
    for kind in (reference.Rotary, reference.Alibi):
        config = reference.BlockConfig(eps=1e-5, position_encoding=kind(np.array([2, 0, 7])))
        machine = model.Block.from_params(bundle, config)
        close(machine(torch.tensor(x)), reference.block(x, bundle, config=config))
        assert not np.allclose(
            reference.block(x, bundle, config=config), reference.block(x, bundle, config=reference.BlockConfig(eps=1e-5, position_encoding=kind()))
        )


@pytest.mark.parametrize("activation", [reference.relu, reference.gelu, reference.gelu_erf, torch.sigmoid])
@pytest.mark.parametrize("norm_first", [True, False])
def test_without_slopes_the_same_digits_come_out_and_nothing_handed_in_is_changed(norm_first, activation):
    block = model.Block(model.Config(8, 2, norm_first=norm_first, activation=activation))
    x = torch.randn(2, 3, 8)
    before, learned = x.clone(), [p.clone() for p in block.parameters()]
    wanted = block(x).detach()
    with torch.no_grad():
        noted = {}
        assert torch.equal(block(x), wanted) and torch.equal(pickle.loads(pickle.dumps(block))(x), wanted)
        assert torch.equal(x, before)
        block(x, note=noted.setdefault)
    assert all(map(torch.equal, block.parameters(), learned))
    close(noted["activated"], BENT[activation](noted["hidden"]), 1e-6)
    assert noted["attn_out"].data_ptr() != noted["residual"].data_ptr() and noted["hidden"].data_ptr() != noted["activated"].data_ptr()


BENT = {
    reference.relu: lambda x: x.clamp(min=0),
    reference.gelu: lambda x: torch.tensor(reference.gelu(x.numpy())),
    reference.gelu_erf: lambda x: torch.tensor(reference.gelu_erf(x.numpy())),
    torch.sigmoid: torch.sigmoid,
}


def test_the_names_of_forward_are_those_of_the_reference():
    for ours, theirs in ((model.Block, reference.block), (model.Stack, reference.stack)):
        shared = {"x", "mask", "note", "memory", "memory_mask"}
        assert shared <= set(signature(ours.forward).parameters) & set(signature(theirs).parameters)


def test_what_a_hook_keeps_of_the_worker_stays_as_it_was():
    """Without slopes the bend works in memory of its own, and not in what somebody else holds."""
    worker, kept = model.FeedForward(model.Config(d_model=4)), []
    rows = torch.linspace(-2, 2, 8).reshape(2, 4)
    worker.up.register_forward_hook(lambda part, given, hidden: kept.append((hidden, hidden.clone())))
    with torch.no_grad():
        worker(rows)
        assert torch.equal(*kept[0])
        worker.up, before = torch.nn.Identity(), rows.clone()
        worker.down = torch.nn.Identity()
        worker(rows)
    assert torch.equal(rows, before)


def test_a_reader_that_was_traced_on_a_full_text_still_sees_padding():
    ids = torch.tensor([[1, 2, 3], [3, 2, 1]])
    reader = model.Encoder(model.Config(d_model=4, n_heads=2, vocab_size=5, max_len=3)).eval()
    traced = torch.jit.trace(reader, ids, check_trace=False)
    with torch.no_grad():
        close(traced(torch.tensor([[1, 2, 0], [3, 0, 0]])), reader(torch.tensor([[1, 2, 0], [3, 0, 0]])))


@pytest.mark.parametrize("kind", [reference.Rotary, reference.Alibi])
def test_a_text_takes_the_first_of_a_longer_row_of_positions(kind):
    params, x, positions = Draw(5).block(6, heads=2, d_k=4), Draw(6).array(3, 6), np.array([0.5, 2, 3, 7, 9])
    ours, wanted = (reference.block(x, params, config=reference.BlockConfig(position_encoding=kind(given))) for given in (positions, positions[:3]))
    np.testing.assert_array_equal(ours, wanted)
    close(model.Block.from_params(params, reference.BlockConfig(position_encoding=kind(positions)))(torch.tensor(x)), wanted)


def test_id_0_is_a_token_like_any_other_of_a_decoder():
    params, ids = Draw(2).decoder(), np.array([[3, 0, 1, 0, 2], [0, 1, 2, 3, 4]])
    wanted = reference.decoder(ids, params, padding=False)
    np.testing.assert_array_equal(reference.decoder(ids, params), wanted)
    close(model.Decoder.from_params(params)(torch.tensor(ids)), wanted)


@pytest.mark.parametrize("padding", [True, False])
def test_padding_means_the_same_in_the_reference_and_in_the_model(padding):
    draw, config = Draw(2), reference.BlockConfig(eps=1e-5)
    both, source, target = draw.encoder_decoder(), np.array([[3, 1, 0], [2, 4, 5]]), np.array([[1, 2, 3, 0], [5, 4, 0, 0]])
    options = {"config": config, "padding": padding}
    for ours, theirs in (
        (model.Encoder.from_params(both.encoder, **options)(torch.tensor(source)), reference.encoder(source, both.encoder, **options)),
        (
            model.EncoderDecoder.from_params(both, **options)(torch.tensor(source), torch.tensor(target)),
            reference.encoder_decoder(source, target, both, **options),
        ),
    ):
        close(ours, theirs)
    params = draw.decoder()
    whole = reference.decoder(target, params, **options)
    close(model.Decoder.from_params(params, **options)(torch.tensor(target)), whole)
    other = reference.decoder(target, params, config=config, padding=not padding)
    np.testing.assert_allclose(whole[0, :3], other[0, :3])
    assert not np.allclose(whole[1, 3], other[1, 3])
