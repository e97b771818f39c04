"""What agreement of a pair means: output, every value that the peer exposes, and each gradient."""

from functools import partial

import numpy as np
import torch
from pairs import TOLERANCE, numbers, slopes

from pencil import model
from pencil.params import flatten, map_arrays
from pencil.reference import block, decoder, latent_attention, multi_head_attention, stack


def assert_close(ours, theirs, tolerance, name, scale=0.0):
    """Within the tolerance, to the greatest of 1, the number itself and a `scale`."""
    theirs = theirs.detach().numpy() if torch.is_tensor(theirs) else theirs
    ours = ours.detach().numpy() if torch.is_tensor(ours) else ours
    assert np.shape(ours) == np.shape(theirs), f"{name}: {np.shape(ours)} beside {np.shape(theirs)}"
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * max(1.0, scale), err_msg=name)


def reference(pair, note):
    """The pair's machine in plain NumPy, its inputs and weights as float64."""
    bundle = map_arrays(pair.bundle(numbers), lambda _, grid: grid.astype(float))
    inputs = [numbers(x).astype(float) for x in pair.inputs]
    config = pair.config
    if pair.what in ("attention", "latent"):
        norm, memory = partial(config.norm, eps=config.eps), inputs[1] if len(inputs) > 1 else None
        options = {"mask": pair.mask, "softmax": config.softmax, "position_encoding": config.position_encoding, "note": note}
        if pair.what == "latent":
            return latent_attention(inputs[0], bundle, norm=norm, **options)
        return multi_head_attention(inputs[0], bundle, memory=memory, qk_norm=norm, **options)
    if pair.what == "block":
        asked = {"memory": inputs[1], "memory_mask": pair.memory_mask} if inputs[1:] else {}
        return block(inputs[0], bundle, mask=pair.mask, config=config, note=note, **asked)
    if pair.what == "stack":
        return stack(inputs[0], bundle.blocks, mask=pair.mask, config=config, note=note)
    return decoder(**pair.more, params=bundle, config=config, note=note)


def assert_reference_agrees(pair, tolerance=None):
    """Forward, name by name; within what the peer's type allows, or a tolerance for a peer that keeps to less."""
    tolerance = tolerance or TOLERANCE[pair.dtype]
    noted = {}
    ours = reference(pair, noted.setdefault)
    theirs, named = pair.run(*pair.inputs)
    assert named, "the peer let nothing out"
    for name, value in named.items():
        assert_close(noted[name], value, tolerance, name)
    assert_close(ours, theirs, tolerance, "the output")


def built(pair):
    """The pair's machine as a torch module of ours, in the peer's own type."""
    bundle = pair.bundle(numbers)
    if pair.what == "attention":
        return model.MultiHeadAttention.from_params(bundle, pair.config, pair.dtype, cross=len(pair.inputs) > 1)
    if pair.what == "latent":
        return model.LatentAttention.from_params(bundle, pair.config, pair.dtype)
    if pair.what == "stack":
        return model.Stack.from_params(bundle.blocks, pair.config, pair.dtype)
    if pair.what == "decoder":
        return model.Decoder.from_params(bundle, pair.config, pair.dtype, padding=pair.more["padding"])
    return model.Block.from_params(bundle, pair.config, pair.dtype)


def answer(pair, ours, inputs, note=None):
    """What our module makes of the inputs. A causal mask is asked for by name, which lets the fast path go without one."""
    if pair.what == "decoder":
        return ours(torch.tensor(pair.more["ids"]), note=note)
    square = pair.mask is not None and not (pair.what == "attention" and len(inputs) > 1)  # a mask over the words themselves
    causal = square and np.array_equal(pair.mask, np.tri(*pair.mask.shape[-2:], dtype=bool))
    mask = None if pair.mask is None or causal else torch.tensor(pair.mask)
    x, memory = inputs[0], inputs[1] if len(inputs) > 1 else None
    if pair.what == "latent":
        return ours(x, mask=mask, causal=causal, note=note)
    if pair.what == "attention":
        return ours(x, mask=mask, memory=memory, causal=causal, note=note)
    memory_mask = None if pair.memory_mask is None else torch.tensor(pair.memory_mask)
    return ours(x, mask=mask, memory=memory, memory_mask=memory_mask, causal=causal, note=note)


def slopes_by_name(ours):
    """Every slope by the flat name of its array: the model's own view of its parameters, laid over their slopes."""
    for parameter in ours.parameters():
        parameter.data = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
    return model.state_arrays(ours)


def assert_model_agrees(pair, explicit=False):
    """Forward, and the slopes of each input and of each learned number. `explicit` names every value on the way."""
    tolerance, noted = TOLERANCE[pair.dtype], {}
    ours, inputs = built(pair), [x.detach().clone().requires_grad_() for x in pair.inputs]
    out = answer(pair, ours, inputs, noted.setdefault if explicit else None)
    theirs, named = pair.run(*pair.inputs)
    assert_close(out, theirs, tolerance, "the output")
    for name, value in named.items() if explicit else ():
        assert_close(noted[name], value, tolerance, name)
    pull = torch.tensor(np.random.default_rng(out.numel()).normal(size=out.shape), dtype=pair.dtype)  # the slope of the output
    for result in (out, theirs):
        (result * pull).sum().backward()
    wanted = flatten(pair.bundle(slopes)) | {f"input {i}": x.grad.numpy() for i, x in enumerate(pair.inputs)}
    found = {f"input {i}": x.grad for i, x in enumerate(inputs)} | slopes_by_name(ours)
    assert set(found) == set(wanted)
    # In float32 a small slope may be what is left of great ones that cancelled, in the peer as in ours: it is measured by the greatest.
    greatest = max(np.abs(slope).max() for slope in wanted.values()) if pair.dtype is torch.float32 else 0.0
    for name, slope in wanted.items():
        assert_close(found[name], slope, tolerance, f"the slope of {name}", greatest)
