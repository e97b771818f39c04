"""The vision transformer in torch: named values against the reference, image formats, gradients, and Config."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import Draw, close

from pencil import examples, model, reference
from pencil.model.vision import patchify, sinusoidal_2d
from pencil.params import flatten, unflatten
from pencil.trace import Trace

RECIPE = reference.BlockConfig(eps=1e-5, activation=reference.gelu, softmax=reference.stable_softmax)
SPECK = reference.BlockConfig(eps=1e-5)


def machine(seed=0, channels=1, token=True, positions=True, bias=True, norm=True):
    draw = Draw(seed, bias)
    return reference.ViTParams(
        draw.array(8, channels * 4),
        tuple(draw.block(8, heads=2, d_k=4) for _ in range(2)),
        draw.array(3, 8),
        draw.array(1, 8) if token else None,
        draw.array(6 + token, 8) if positions else None,
        draw.norm(8) if norm else None,
        draw.maybe(8),
        draw.maybe(3),
    )


OPTIONS = [
    {},
    {"channels": 3},
    {"token": False},
    {"positions": False},
    {"bias": False},
    {"norm": False},
    {"channels": 2, "token": False, "positions": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_reference_name_by_name(options):
    bundle, channels = machine(1, **options), options.get("channels", 1)
    image = np.random.default_rng(1).normal(size=(4, 6) if channels == 1 else (channels, 4, 6))
    trace = Trace()
    reference.vit(trace.given("image", image), trace.given_each("params", bundle), config=RECIPE, note=trace)
    ours = model.ViT.from_params(bundle, RECIPE, channels=channels)
    agreed = model.verify(trace, ours)
    assert {"patch", "embedding", "block2.head2.weights", "pooled", "logits"} <= set(agreed.names)
    assert ("sequence" in agreed.names, "x" in agreed.names) == (options.get("token", True), options.get("positions", True))
    close(ours(torch.tensor(image)), trace.names["logits"].exact)  # the fast path as well
    assert model.state_arrays(ours).keys() == flatten(bundle).keys()


@pytest.mark.parametrize("channels", [1, 3])
def test_a_batch_is_its_pictures_one_by_one(channels):
    bundle = machine(2, channels)
    sheets = () if channels == 1 else (channels,)
    pictures = torch.tensor(np.random.default_rng(2).normal(size=(2, 3, *sheets, 4, 6)))
    ours = model.ViT.from_params(bundle, RECIPE, channels=channels)
    out = ours(pictures)
    assert out.shape == (2, 3, 3)
    for i, j in np.ndindex(2, 3):
        close(out[i, j], reference.vit(pictures[i, j].numpy(), bundle, config=RECIPE))


def test_the_slopes_of_the_noted_path_and_of_the_fast_one():
    ours, pictures = model.ViT.from_params(machine(3), RECIPE), torch.tensor(np.random.default_rng(3).normal(size=(5, 4, 6)))
    found = []
    for note in ({}.setdefault, None):
        ours.zero_grad()
        ours(pictures, note=note).square().sum().backward()
        found.append([p.grad.clone() for p in ours.parameters()])
    for noted, fast in zip(*found, strict=True):
        close(fast, noted)
    assert all(slope.abs().max() > 0 for slope in found[0])


def test_cut_and_a_grid_are_a_strided_convolution():
    pictures, grid = torch.randn(2, 3, 6, 9, dtype=torch.float64), torch.randn(5, 27, dtype=torch.float64)
    slid = torch.nn.functional.conv2d(pictures, grid.view(5, 3, 3, 3), stride=3)
    close(patchify(pictures, size=3) @ grid.T, slid.flatten(2).transpose(1, 2))
    close(patchify(pictures, size=3), torch.nn.functional.unfold(pictures, 3, stride=3).transpose(1, 2))


@pytest.mark.parametrize("rows, columns, width", [(2, 2, 4), (3, 5, 16)])
def test_the_seats_of_a_picture(rows, columns, width):
    theirs, ours = {}, {}
    reference.sinusoidal_2d(np.arange(rows), np.arange(columns), width=width, note=theirs.setdefault)
    sinusoidal_2d(torch.arange(rows).double(), torch.arange(columns).double(), width=width, note=ours.setdefault)
    assert list(ours) == list(theirs)
    for name, value in theirs.items():
        close(ours[name], value, name=name)


def test_a_machine_made_from_a_config():
    config = model.Config(8, n_heads=2, n_layers=2, patch_size=2, channels=3, n_classes=4, max_len=5)
    made = model.ViT(config).double()
    pictures = torch.randn(2, 3, 4, 4, dtype=torch.float64)
    assert made.channels == 3 and made(pictures).shape == (2, 4)
    bundle = unflatten(config.vit_params(), model.state_arrays(made))
    close(made(pictures)[1], reference.vit(pictures[1].numpy(), bundle, config=config))
    assert made.positions.requires_grad and not torch.equal(made.positions[0], made.positions[1])


def test_waves_do_not_learn_and_the_class_token_sits_nowhere():
    made = model.ViT(model.Config(8, patch_size=2, n_classes=4, max_len=10, sinusoidal=True))
    assert not made.positions.requires_grad and made.positions[0].abs().max() == 0
    close(made.positions[1:], reference.sinusoidal_2d(np.arange(3), np.arange(3), width=8), 1e-6)
    assert model.ViT(model.Config(8, patch_size=2, n_classes=4)).positions is None


def test_the_letters_of_the_book():
    trace = Trace()
    reference.vit(trace.given("image", examples.LETTER_L), trace.given_each("params", examples.LETTERS), config=SPECK, note=trace)
    assert model.verify(trace, model.ViT.from_params(examples.LETTERS, SPECK)).max_difference < 1e-12
    bare = replace(examples.LETTERS, positions=None)
    both = torch.tensor(np.stack([examples.LETTER_L, examples.LETTER_J]))
    first, second = model.ViT.from_params(bare, SPECK)(both)
    close(first, second)


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: model.Config(8, n_classes=3).vit_params(), "patch_size is not given"),
        (lambda: model.Config(8, patch_size=2).vit_params(), "classes is not given"),
        (lambda: model.Config(8, patch_size=0), "patch_size=0; a size is at least 1"),
        (
            lambda: model.Config(8, patch_size=2, n_classes=3, max_len=6, sinusoidal=True).vit_params(),
            "max_len=6; a square image needs one position for",
        ),
        (lambda: model.Config(8, patch_size=2, n_classes=3, sinusoidal=True).vit_params(), "max_len=None"),
        (lambda: model.ViT(machine(channels=3)), "12 numbers in 1 channel.* is not a square"),
        (lambda: model.ViT(machine())(torch.zeros(5, 6)), "5×6 does not split into patches of 2×2"),
        (lambda: model.ViT(machine())(torch.zeros(8, 8)), "17 rows .patches, and the class token. and 7 positions"),
        (lambda: model.ViT(machine(), dropout=0.1)(torch.zeros(4, 6), note={}.setdefault), "call model.eval"),
    ],
)
def test_refusals(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_one_channel_with_its_axis_and_without():
    ours, images = model.ViT.from_params(machine(), RECIPE), torch.tensor(np.random.default_rng(2).normal(size=(5, 4, 6)))
    with_axis = ours(images[:, None])
    assert with_axis.shape == (5, 3)
    close(with_axis, ours(images))
