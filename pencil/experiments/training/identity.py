"""The fingerprint of a run: its config, model and data, stored in a checkpoint and compared when a run resumes."""

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from hashlib import sha256

import numpy as np
import torch


def identity_of(model, task, config):  # module, task, TrainingConfig -> {name: str}
    """The settings of the training, on a CPU the number of threads, the sizes and settings of the model, and a hash of every array of the task.

    It leaves out the weights and `save_every`. Two runs with equal identities give the same numbers.
    """
    settings = {name: str(value) for name, value in asdict(config).items() if name != "save_every"}
    if config.device == "cpu":
        settings["threads"] = str(torch.get_num_threads())  # each adds its part of a sum: another number of them rounds otherwise
    return settings | _of_model(model) | _of_value("task", task)


def difference(one, other):  # {name: str} twice -> name, the value of each ("nothing" where it has none); None if they are equal
    """The first name whose values differ in two identities."""
    differs = (name for name in [*other, *one] if one.get(name) != other.get(name))
    return next(((name, one.get(name, "nothing"), other.get(name, "nothing")) for name in differs), None)


def _of_model(model):
    found = {"model": type(model).__name__}
    found |= {f"model.{name}": f"{tensor.dtype} {tuple(tensor.shape)}" for name, tensor in model.state_dict().items()}
    for name, buffer in model.named_buffers():
        found |= _of_value(f"model.{name}", buffer)
    for path, module in model.named_modules():
        found[".".join(filter(None, ["model", path]))] = type(module).__name__
        plain = {name: value for name, value in vars(module).items() if not name.startswith("_") and name != "training"}
        for name, value in plain.items():
            found |= _of_value(".".join(filter(None, ["model", path, name])), value)
    return found


def _of_value(name, value):
    if is_dataclass(value):
        found = {name: type(value).__name__}
        for field in fields(value):
            found |= _of_value(f"{name}.{field.name}", getattr(value, field.name))
        return found
    if isinstance(value, Mapping):
        return {key: said for name_in, part in value.items() for key, said in _of_value(f"{name}.{name_in}", part).items()}
    if isinstance(value, np.ndarray | torch.Tensor):
        array = np.ascontiguousarray(value.detach().cpu().numpy() if isinstance(value, torch.Tensor) else value)
        return {name: f"{array.dtype} {array.shape} sha256 {sha256(array).hexdigest()[:16]}"}
    if isinstance(value, str | int | float | bool | tuple | list | np.generic | None):
        return {name: str(value)}
    return {name: getattr(value, "__qualname__", type(value).__qualname__)}
