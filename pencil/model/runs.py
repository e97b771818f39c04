"""Run a module in every way that users run it, and keep its output and the gradients of a fixed scalar of the output."""

import inspect
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import torch

from pencil.model.cache import Cache
from pencil.model.experts import limited

IDS = ("ids", "source", "target")  # parameters of a forward that are token ids


@dataclass(frozen=True)
class Run:
    """The output and the gradients of one run.

    Args:
        output: the tensor that forward returned, detached.
        gradients: {name: tensor} of a fixed scalar of the output, for every parameter that learns and every float input.
    """

    output: torch.Tensor
    gradients: dict = field(default_factory=dict)

    @classmethod
    def of(cls, model, inputs, call=None, batch=False, **more):  # module, {parameter of forward: input} -> Run
        """Run forward and backward.

        Args:
            model: the module whose gradients are taken.
            inputs: {parameter of forward: input}; they are not changed.
            call: what is called instead of the model, such as torch.compile(model).
            batch: whether every tensor gets a batch axis of size 1, which is removed from the output again.
            more: further arguments, such as a note.
        """
        inputs = _map_tensors(inputs, lambda tensor: tensor.detach().clone().requires_grad_(tensor.is_floating_point()))
        leaves = {**dict(model.named_parameters()), **_flat(inputs)}
        leaves = {name: leaf for name, leaf in leaves.items() if leaf.requires_grad}
        inputs = _map_tensors(inputs, lambda tensor: tensor.unsqueeze(0)) if batch else inputs
        with torch.enable_grad():
            output = (model if call is None else call)(**inputs, **more)
            output = output.squeeze(0) if batch else output
            if not (leaves and output.requires_grad):
                return cls(output)
            cotangent = torch.linspace(-1, 2, output.numel(), dtype=output.dtype, device=output.device).view(output.shape)
            gradients = torch.autograd.grad((output * cotangent).sum(), list(leaves.values()), materialize_grads=True)
        return cls(output.detach(), dict(zip(leaves, gradients, strict=True)))


@contextmanager
def full_float32():
    """A context manager in which a GPU multiplies float32 in full. By default cuDNN's RNNs round the factors to TF32's ten bits.

    Its tanh stays coarser than torch's: off by up to 8e-6, measured on an H200.
    """
    backends = torch.backends
    if hasattr(backends.cudnn, "rnn"):  # since torch 2.9; the flags of before must not be read where these were set
        places, wanted = [(each, "fp32_precision") for each in (backends.cuda.matmul, backends.cudnn.rnn, backends.cudnn.conv)], "ieee"
    else:
        places, wanted = [(each, "allow_tf32") for each in (backends.cuda.matmul, backends.cudnn)], False
    before = [getattr(*place) for place in places]
    try:
        for place in places:
            setattr(*place, wanted)
        yield
    finally:
        for place, value in zip(places, before, strict=True):
            setattr(*place, value)


def forward_parameters(model):  # module -> {name: inspect.Parameter}
    """The parameters of a module's forward."""
    return inspect.signature(model.forward).parameters


def runs_without_note(model, inputs, compiled=False):  # -> {name: function that returns a Run}
    """The ways in which users run this module without a note, by name.

    Args:
        model: a module of pencil.model.
        inputs: {parameter of forward: input}.
        compiled: whether torch.compile(model) is one of them; a string names its backend.
    """
    runs = {"alone": partial(Run.of, model, inputs), "in a batch": partial(Run.of, model, inputs, batch=True)}
    if compiled:
        compile_it = partial(torch.compile, model, **({"backend": compiled} if isinstance(compiled, str) else {}))
        runs["compiled"] = lambda: Run.of(model, inputs, compile_it())
    parameters = forward_parameters(model)
    if "cache" in parameters and ("causal" not in parameters or inputs.get("causal", parameters["causal"].default)) and not limited(model):
        runs["with a cache"] = partial(_with_cache, model, inputs)
        runs["with an allocated cache"] = partial(_with_cache, model, inputs, allocated=True)
    return runs


def to_tensors(model, inputs):  # module, {name: input} -> {name: input}
    """Arrays as tensors on the model's device: ids, also of a list, as integers, floats in the model's dtype; other inputs unchanged."""
    example = next(model.parameters(), torch.empty(0, dtype=torch.float64))
    return {name: _to_tensor(name, value, example) for name, value in inputs.items()}


def _to_tensor(name, value, example):
    if name in IDS and isinstance(value, list | tuple):
        value = np.array(value)
    if not isinstance(value, np.ndarray | torch.Tensor):
        return value  # such as causal=True
    value = torch.as_tensor(np.array(value) if isinstance(value, np.ndarray) else value).to(example.device)
    if name in IDS:
        return value.long()
    return value.to(example.dtype) if value.is_floating_point() else value


def _with_cache(model, inputs, allocated=False):  # the first half at once, then token by token
    name = next(iter(forward_parameters(model)))  # ids, or x
    axis = -1 if name in IDS else -2
    tokens = inputs[name].shape[axis]

    def generate(**inputs):
        cache, outputs, first = Cache(tokens if allocated else None), [], max(1, tokens // 2)
        for part in inputs.pop(name).split([first, *[1] * (tokens - first)], axis):
            rows = slice(cache.length, cache.length + part.shape[axis])
            masks = {key: _mask_rows(inputs[key], rows, tokens, key) for key in ("mask", "memory_mask") if inputs.get(key) is not None}
            outputs.append(model(part, **inputs | masks, cache=cache))
        return torch.cat(outputs, -2)

    if not allocated:
        return Run.of(model, inputs, generate)
    with torch.no_grad():  # an allocated cache is written in place
        return Run(generate(**inputs))


def _mask_rows(mask, rows, tokens, key):  # the rows of these queries; a mask over the text itself without the keys that come later
    mask = mask[..., rows, :] if mask.shape[-2] == tokens else mask
    return mask[..., : rows.stop] if key == "mask" else mask


def _map_tensors(inputs, function):
    def mapped(value):
        if isinstance(value, tuple):
            return tuple(mapped(one) for one in value)
        return function(value) if isinstance(value, torch.Tensor) else value

    return {name: mapped(value) for name, value in inputs.items()}


def _flat(inputs):  # -> {name: tensor}; the entries of a tuple with their index behind the name
    leaves = {}
    for name, value in inputs.items():
        values = {f"{name}{i}": one for i, one in enumerate(value)} if isinstance(value, tuple) else {name: value}
        leaves |= {key: one for key, one in values.items() if isinstance(one, torch.Tensor)}
    return leaves
