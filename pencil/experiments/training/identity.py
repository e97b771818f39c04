"""The fingerprint of a run: its config, model and data, stored in a checkpoint and compared when a run resumes.

Of any object it takes the settings and a hash of every array, inside lists, dicts and other objects too.
"""

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from hashlib import sha256
from pathlib import PurePath
from types import ModuleType

import numpy as np
import torch

PLAIN = str, bytes, int, float, complex, bool, np.generic, type(None), PurePath, torch.dtype, torch.device
LONG = 200  # letters; of a longer text the hash is kept


def identity_of(model, task, config):  # module, task, TrainingConfig -> {name: str}
    """The settings of the training, on a CPU its kind and the number of threads, the settings of the model, and a hash of every array of the task.

    It leaves out the weights, `save_every` and, unless the learning rate depends on them, `epochs`: a run can be
    extended. Two runs with equal identities give the same numbers, the longer one those of the shorter one first.
    """
    free = {"save_every"} if config.linear_decay else {"save_every", "epochs"}
    settings = {name: str(value) for name, value in asdict(config).items() if name not in free}
    if config.device == "cpu":  # each thread adds its part of a sum, and wider registers add more parts: others round otherwise
        settings |= {"threads": str(torch.get_num_threads()), "cpu": torch.backends.cpu.get_cpu_capability()}
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


def _of_value(name, value, around=()):  # name, any object, the objects that it is a part of -> {name: str}
    if isinstance(value, np.ndarray | torch.Tensor) and not (isinstance(value, np.ndarray) and value.dtype.hasobject):
        return {name: _of_array(value)}
    if isinstance(value, PLAIN) or (isinstance(value, list | tuple | set | frozenset) and all(isinstance(part, PLAIN) for part in value)):
        return {name: _short(str(sorted(value, key=repr) if isinstance(value, set | frozenset) else value))}
    parts = _parts(value)
    if not parts or any(value is one for one in around):  # nothing inside, or an object that leads back to itself
        return {name: getattr(value, "__qualname__", type(value).__qualname__)}
    found = {} if isinstance(value, Mapping) else {name: type(value).__name__}
    for inner, part in parts.items():
        found |= _of_value(f"{name}.{inner}", part, (*around, value))
    return found


def _parts(value):  # -> {name: object inside}
    if isinstance(value, Mapping):
        return value
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        return dict(enumerate(sorted(value, key=repr) if isinstance(value, set | frozenset) else value))
    if isinstance(value, type | ModuleType):
        return {}
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    slots = (slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ()) if hasattr(value, slot))
    return getattr(value, "__dict__", None) or {slot: getattr(value, slot) for slot in slots}


def _of_array(value):
    if isinstance(value, torch.Tensor):  # NumPy has no bfloat16, so the bytes as they are
        data = value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy()
        return f"{str(value.dtype).removeprefix('torch.')} {tuple(value.shape)} sha256 {sha256(data).hexdigest()[:16]}"
    return f"{value.dtype} {value.shape} sha256 {sha256(np.ascontiguousarray(value)).hexdigest()[:16]}"


def _short(text):
    return text if len(text) <= LONG else f"{len(text)} letters sha256 {sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
