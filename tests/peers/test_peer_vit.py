"""The vision transformer against Hugging Face `transformers`: ViTForImageClassification built from random configs. Nothing is fetched.

Its eager attention works the shares out in float32 whatever it is given; there 1e-5 is kept, and 1e-10 where it leaves them to torch.
"""

from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers
from agree import assert_close, slopes_by_name
from pairs import DOUBLE, SINGLE, attention_of, draw, leaf, linear_pair, norm_of, numbers, shaken, slopes
from transformers.models.vit_mae.modeling_vit_mae import build_2d_sinusoidal_position_embedding

from pencil import model
from pencil.params import flatten
from pencil.reference import BlockConfig, BlockParams, ViTParams, gelu_erf, sinusoidal_2d, stable_softmax, vit

pytestmark = pytest.mark.slow
every = pytest.mark.parametrize
EPS = 1e-12
RECIPE = BlockConfig(eps=EPS, activation=gelu_erf, softmax=stable_softmax)
# (channels, (height, width), patch, width of a row, heads, blocks, classes)
MACHINES = [(1, (4, 4), 2, 4, 1, 1, 2), (3, (6, 9), 3, 8, 2, 2, 5), (3, (8, 4), 4, 6, 3, 3, 3), (2, (3, 5), 1, 4, 2, 1, 10)]
NAMED = {"embedding": "embeddings.patch_embeddings", "x": "embeddings", "norm.affine": "layernorm"}


def peer_of(seed, sizes, dtype, how="sdpa", bias=True):
    channels, (height, width), patch, d, heads, blocks, classes = sizes
    config = transformers.ViTConfig(
        image_size=(height, width), patch_size=patch, num_channels=channels, hidden_size=d, num_attention_heads=heads, num_hidden_layers=blocks,
        intermediate_size=2 * d + 1, num_labels=classes, layer_norm_eps=EPS, qkv_bias=bias, attn_implementation=how,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    return shaken(transformers.ViTForImageClassification(config), seed, dtype)


def bundle_of(peer, read):
    """The peer's weights, or its slopes, as our bundle: a convolution's grid laid flat is a patch grid."""
    inside = peer.vit
    conv = inside.embeddings.patch_embeddings.projection
    rows = [read(row)[0] for row in (inside.embeddings.cls_token, inside.embeddings.position_embeddings)]

    def block(layer):
        look = layer.attention
        tags = look.q_proj, look.k_proj, look.v_proj
        biases = None if look.q_proj.bias is None else [read(tag.bias) for tag in tags]
        params = [read(tag.weight) for tag in tags]
        attention = attention_of(look.num_attention_heads, *params, read(look.o_proj.weight), biases, read(look.o_proj.bias))
        norms = norm_of(layer.layernorm_before, read), norm_of(layer.layernorm_after, read)
        return BlockParams(attention, linear_pair(layer.mlp.fc1, layer.mlp.fc2, read), norms)

    blocks = tuple(block(layer) for layer in inside.layers)
    patch, head = read(conv.weight).reshape(len(conv.weight), -1), read(peer.classifier.weight)
    return ViTParams(patch, blocks, head, *rows, norm_of(inside.layernorm, read), read(conv.bias), read(peer.classifier.bias))


def outputs(peer, pictures):
    """The peer's scores, and what stands at our names on the way."""
    kept, modules = {}, dict(peer.vit.named_modules())
    hooks = [modules[place].register_forward_hook(lambda _, __, out, name=name: kept.__setitem__(name, out)) for name, place in NAMED.items()]
    logits = peer(pixel_values=pictures).logits
    for hook in hooks:
        hook.remove()
    return logits, kept


@every("seed", range(3))
@every("sizes", MACHINES, ids=str)
@every("bias", [True, False])
def test_the_reference_picture_by_picture(seed, sizes, bias):
    peer = peer_of(seed, sizes, torch.float64, bias=bias)
    pictures = draw(seed, 2, sizes[0], *sizes[1])
    logits, kept = outputs(peer, torch.tensor(pictures))
    for i, image in enumerate(pictures):
        noted = {}
        ours = vit(image, bundle_of(peer, numbers), note=noted.setdefault, config=RECIPE)
        for name, value in kept.items():
            assert_close(noted[name], value[i], DOUBLE, name)
        assert_close(ours, logits[i], DOUBLE, "logits")


@every("seed", range(3))
@every("sizes", MACHINES, ids=str)
@every("dtype", [torch.float64, torch.float32], ids=str)
@every("how", ["eager", "sdpa"])
@every("explicit", [True, False])
def test_the_model_with_its_slopes(seed, sizes, dtype, how, explicit):
    tolerance, peer, noted = DOUBLE if (dtype, how) == (torch.float64, "sdpa") else SINGLE, peer_of(seed, sizes, dtype, how), {}
    theirs_in, ours_in = (leaf(draw(seed, 3, sizes[0], *sizes[1]), dtype) for _ in range(2))
    ours = model.ViT.from_params(bundle_of(peer, numbers), RECIPE, dtype, channels=sizes[0])
    out = ours(ours_in if sizes[0] > 1 else ours_in[:, 0], note=noted.setdefault if explicit else None)
    theirs, kept = outputs(peer, theirs_in)
    assert_close(out, theirs, tolerance, "logits", 3)
    for name, value in kept.items() if explicit else ():
        assert_close(noted[name], value, tolerance, name, 3)
    pull = torch.tensor(draw(seed, *out.shape), dtype=dtype)
    for result in (out, theirs):
        (result * pull).sum().backward()
    wanted = flatten(bundle_of(peer, slopes)) | {"the picture": theirs_in.grad.numpy()}
    found = slopes_by_name(ours) | {"the picture": ours_in.grad.numpy()}
    assert found.keys() == wanted.keys()
    greatest = max(np.abs(slope).max() for slope in wanted.values())
    for name, slope in wanted.items():
        assert_close(found[name], slope, tolerance, f"the slope of {name}", greatest)


@every("wrong", ["class_token", "positions", "patch", "norm", "head"])
def test_a_wrong_part_is_seen(wrong):
    peer = peer_of(0, MACHINES[1], torch.float64)
    right, image = bundle_of(peer, numbers), draw(0, 3, 6, 9)
    spoil = {
        "class_token": lambda m: replace(m, class_token=None, positions=m.positions[1:]),
        "positions": lambda m: replace(m, positions=m.positions[::-1]),
        "patch": lambda m: replace(m, patch=m.patch.reshape(8, 3, 3, 3).swapaxes(2, 3).reshape(8, 27)),  # columns for rows
        "norm": lambda m: replace(m, norm=None),
        "head": lambda m: replace(m, head=m.head[::-1]),
    }
    logits = outputs(peer, torch.tensor(image[None]))[0][0].detach().numpy()
    assert_close(vit(image, right, config=RECIPE), logits, DOUBLE, "logits")
    assert np.abs(vit(image, spoil[wrong](right), config=RECIPE) - logits).max() > 1e-3


@every("rows, columns, width", [(2, 2, 4), (3, 5, 8), (7, 1, 64)])
def test_the_waves_against_the_masked_autoencoder(rows, columns, width):
    """It has all sines of a half first and then all cosines, ours has them in turns: other places, the same numbers."""
    theirs = build_2d_sinusoidal_position_embedding(rows, columns, width, cls_token=True, dtype=torch.float64)
    assert not theirs[0].abs().max()
    in_turns = theirs[1:].reshape(-1, 2, 2, width // 4).transpose(2, 3).reshape(-1, width)
    assert_close(sinusoidal_2d(np.arange(rows), np.arange(columns), width=width), in_turns, DOUBLE, "encoding")
