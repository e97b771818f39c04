"""A model in a file: its arrays, and the description that it was made from."""

import json
from dataclasses import fields, is_dataclass
from numbers import Integral, Real

import safetensors.torch
from safetensors import SafetensorError

from pencil import reference
from pencil.model.config import Config
from pencil.model.module import load_arrays
from pencil.model.transformers import Decoder, Encoder
from pencil.model.vision import ViT
from pencil.params import check_same, flatten
from pencil.paths import moved_into_place, user_path
from pencil.safetensors_file import each_once, open_stored

KINDS = {"Decoder": (Decoder, Config.decoder_params), "Encoder": (Encoder, Config.encoder_params), "ViT": (ViT, Config.vit_params)}
NOTES = ("model", "config", "options")
OPTIONS = {"Decoder": ("dropout", "padding"), "Encoder": ("dropout", "padding"), "ViT": ("dropout",)}
SCALINGS = (reference.LinearScaling, reference.Llama3Scaling, reference.YarnScaling)
PARTS = (reference.Rotary, reference.Alibi, reference.Routing, *SCALINGS)  # dataclasses in a Config


def save(model, file, **notes):  # -> None
    """Write a Decoder, Encoder or ViT that was made from a Config, so that `load` makes it again, wherever this package is installed.

    Args:
        model: the model.
        file: a safetensors file; it takes the place of an older one only once it is whole.
        notes: further texts for the file's metadata, such as where the numbers come from.

    Raises ValueError for another kind of model, for one whose arrays are not those of its Config (an adapter in it, or made from params),
    for numbers that are not finite, for own positions in Rotary or Alibi, and for a note that is no text.
    """
    kind, config = type(model).__name__, getattr(model, "config", None)
    if kind not in KINDS or not isinstance(config, Config):
        raise ValueError(f"a {kind} made from {type(config).__name__}; a Decoder, Encoder or ViT that was made from a Config can be saved")
    if kind == "Decoder" and model.stack.blocks[0].cross is not None:
        raise ValueError("a Decoder that attends to a memory is half of a model; this one cannot be saved by itself")
    if odd := next((name for name, text in notes.items() if name in NOTES or not isinstance(text, str)), None):
        raise ValueError(f"the note {odd}={notes[odd]!r}; a note is a text, and not called {', '.join(NOTES)}")
    arrays = {name: view.detach().cpu().contiguous().clone() for name, view in model.arrays().items()}
    _check_arrays(arrays, KINDS[kind][1](config), "merge the adapters first, or save the model that the Config makes")
    options = {name: getattr(model, name) for name in OPTIONS[kind]}
    notes |= {"model": kind, "config": json.dumps(_plain(config)), "options": json.dumps(options)}
    with moved_into_place(user_path(file)) as beside:
        beside.write_bytes(safetensors.torch.save(arrays, notes))


def load(file, *, dtype=None, device=None):  # -> Decoder, Encoder or ViT, in eval mode
    """The model of a file that `save` wrote.

    Args:
        file: the file.
        dtype: of the parameters; None is that of the file.
        device: of the parameters; None is torch's default.

    Raises ValueError, with the file's name, for any other file.
    """
    try:
        with open_stored(user_path(file), "pt") as stored:
            notes, arrays = stored.metadata() or {}, {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118 (no dictionary)
        if not notes.keys() >= set(NOTES) or notes["model"] not in KINDS:
            raise ValueError("it does not say which model it is, and by which description")
        make, params_of = KINDS[notes["model"]]
        config, options = _made(json.loads(notes["config"], object_pairs_hook=each_once)), json.loads(notes["options"], object_pairs_hook=each_once)
        _check_description(config, options, OPTIONS[notes["model"]], arrays)
        _check_arrays(arrays, params_of(config), "it is not as it was written")
        return load_arrays(make(config, **options).to(device=device, dtype=dtype or next(iter(arrays.values())).dtype), arrays).eval()
    except (SafetensorError, OSError, ValueError, TypeError, RecursionError) as wrong:
        raise ValueError(f"{file} holds no model that `save` wrote: {wrong}") from None


def _check_description(config, options, wanted, arrays):
    right = isinstance(config, Config) and isinstance(options, dict) and set(options) == set(wanted)
    right = right and isinstance(options.get("padding", False), bool) and type(options["dropout"]) in (int, float) and 0 <= options["dropout"] < 1
    if not right:
        raise ValueError("its description is not that of a model")
    for name, wanted, part in _counts(config):  # before a wrong number makes a huge model
        count = len({each.removeprefix(part).partition(".")[0] for each in arrays if each.startswith(part)})
        if count != wanted:
            raise ValueError(f"it says {name}={wanted}, and its arrays have {count}")


def _counts(config):  # -> what is counted, its number, and how the arrays' names begin in front of the number
    yield "n_layers", config.n_layers, "block"
    for name, count, linear in (("n_heads", config.n_heads, False), ("linear_heads", config.linear_sizes[0], True)):
        if layer := next((i for i in range(1, config.n_layers + 1) if (i in config.linear_layers) == linear), None):
            yield name, count, f"block{layer}.attention.head"


def _check_arrays(arrays, params, remedy):
    try:
        check_same(flatten(params), arrays)
    except ValueError as wrong:
        raise ValueError(f"{wrong}; {remedy}") from None
    for name, array in arrays.items():
        if not array.is_floating_point() or not array.isfinite().all():
            raise ValueError(f"{name} has numbers that are not finite, or no floats; {remedy}")


def _plain(value):  # what a Config consists of -> JSON-able: a function is its name, a dataclass an object with its own
    if is_dataclass(value):
        own = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return {"is": type(value).__name__, **own}
    if callable(value):
        name = getattr(value, "__name__", type(value).__name__)
        if getattr(reference, name, None) is not value:
            raise ValueError(f"{name} is no function of pencil.reference, so a file cannot name it")
        return {"is": name}
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    raise ValueError(f"a {type(value).__name__} in the description cannot be saved; leave out positions of your own")


def _made(plain):  # the other way
    if not isinstance(plain, dict):
        return tuple(map(_made, plain)) if isinstance(plain, list) else plain
    name = plain.pop("is", None)
    kind = next((kind for kind in (Config, *PARTS) if kind.__name__ == name), None)
    if kind is not None:
        return kind(**{key: _made(value) for key, value in plain.items()})
    function = getattr(reference, str(name), None)
    if plain or not callable(function) or isinstance(function, type):
        raise ValueError(f"{name!r} is no choice of a model")
    return function
