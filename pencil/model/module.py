"""The base class of every module, its parameters as a flat dictionary, and small helpers for named values and new weights.

The flat names are those of `pencil.params.flatten` on the reference's params.
"""

from contextlib import contextmanager
from dataclasses import is_dataclass
from itertools import chain

import numpy as np
import torch
from torch import nn

from pencil.model.config import Config
from pencil.params import check_same, flatten
from pencil.reference.blocks import BlockConfig
from pencil.reference.contracts import numbers
from pencil.reference.functional import softmax, stable_softmax

GPT2_WIDTH, GPT2_STD = 768, 0.02  # GPT-2's width, and the standard deviation of its new weights (Radford et al. 2019)


@contextmanager
def seeded(seed):  # int
    """Weights that are drawn inside come from this seed; the caller's random generator stays as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


class Module(nn.Module):
    """A torch module that mirrors a params dataclass of the reference: `arrays` gives each parameter as a view, by its name there.

    The constructor takes sizes (a Config, or params for their shapes) and draws new weights, in torch's default dtype;
    `from_params` takes the numbers too.
    """

    @classmethod
    def from_params(cls, params, config=None, dtype=torch.float64, device=None, **options):  # params -> module
        """A module with the sizes and the numbers of reference params.

        Args:
            params: a dataclass of NumPy arrays, such as reference.BlockParams; for a Stack a list of them.
            config: norm order, eps, activation, position encoding; BlockConfig() if None, as in the reference.
            dtype: of the parameters; float64 as in NumPy, so that the two can be compared.
            device: of the parameters; torch's default if None.
            options: further arguments of the class (dropout, padding, pool, norm, channels, cross).

        Raises ValueError for params of another kind, and for params that one torch layer cannot hold: heads of different widths,
        biases on some of a head's projections only.
        """
        try:
            model = cls(params, config, **options).to(device=device, dtype=dtype)
        except AttributeError as error:
            if not is_dataclass(error.obj) or (isinstance(error.obj, BlockConfig) and error.obj is not params):
                raise
            raise ValueError(
                f"{cls.__name__} takes other params: {type(error.obj).__name__} has no {error.name}; hand in params of its own kind"
            ) from None
        return load_arrays(model, cls.flatten(params, **options))

    @staticmethod
    def flatten(params, **options):  # params -> {name: array}
        """The arrays of the params by flat name."""
        return flatten(params)

    def arrays(self):  # -> {name: view of a parameter}
        """Every parameter by its flat name: those of each submodule, with the submodule's name in front."""
        views = {}
        for name, child in self.named_children():
            if isinstance(child, Module):
                views |= {f"{name}.{inner}": view for inner, view in child.arrays().items()}
        return views


def config_of(sizes, config):  # Config or params, BlockConfig or None -> BlockConfig
    """How the blocks compute: a Config says it itself; for params the config that was given, or BlockConfig(), the reference's default.

    Raises ValueError for sizes that are neither, for a config beside a Config, for what is no BlockConfig, and for a softmax of another
    kind: torch has kernels for no other.
    """
    first = sizes[0] if isinstance(sizes, tuple | list) and sizes else sizes  # a pair of Configs; the params of a stack's blocks
    if sizes != [] and (not is_dataclass(first) or type(first) is BlockConfig):  # a stack says itself what it misses
        raise ValueError(f"sizes is a {type(first).__name__}; hand in a Config, such as Config(d_model=64, n_heads=4), or reference params")
    if isinstance(first, Config):
        if config is not None:
            raise ValueError("a Config and a config: the Config says how its blocks compute; change it, with replace(config, norm_first=False)")
        config = first
    config = BlockConfig() if config is None else config
    if not isinstance(config, BlockConfig):
        raise ValueError(f"config is a {type(config).__name__}, no BlockConfig; give other options by name, such as dropout=0.1")
    if config.softmax not in (softmax, stable_softmax):
        name = getattr(config.softmax, "__name__", repr(config.softmax))
        raise ValueError(f"softmax={name} has no torch form here; take softmax or stable_softmax of pencil.reference")
    return config


def named(note, name, value):  # -> value
    """The value, after the note was told its name; without a note (None) just the value. Raises ValueError for a note that returns nothing."""
    if note is None:
        return value
    if (noted := note(name, value)) is None:
        raise ValueError(f"the note returned nothing for {name}; it has to hand back each value that it is given")
    return noted


def look_up(ids, embedding):  # (...) (vocab_size, d) -> (..., d)
    """The row of each id. Raises ValueError for an id outside the vocabulary, on a CPU; a GPU says it later, in its own words."""
    if torch.compiler.is_compiling():
        return nn.functional.embedding(ids, embedding)
    try:
        return nn.functional.embedding(ids, embedding)
    except IndexError:
        rows, outside = len(embedding), ids[(ids < 0) | (ids >= len(embedding))]
        raise ValueError(f"id {int(outside[0])} is outside the embedding's {rows} rows (0 to {rows - 1}); map rare words to unknown first") from None


def dropout(x, p, training):  # (...) -> (...)
    """Dropout with probability p, in training only (Srivastava et al. 2014)."""
    return nn.functional.dropout(x, p) if p and training else x


def check_fit(what, width, weight_name, weight, out=None):
    """Raise ValueError unless a weight matrix reads rows of `width` numbers and, where `out` is given, writes `out` numbers.

    Args:
        what: what messages call the rows that are read.
        width: the size of such a row.
        weight_name: what messages call the weight matrix.
        weight: (out, width).
        out: how many numbers it is to write; any if None.
    """
    shape = np.shape(numbers(weight))
    if len(shape) != 2:
        raise ValueError(f"{weight_name} has the shape {shape}; a weight matrix is (numbers out, numbers in)")
    if shape[1] != width:
        hint = "; hand it in transposed" if shape[0] == width else ""
        raise ValueError(f"{what} is {width} wide and {weight_name} {shape} reads {shape[1]}; its rows need {width} weights{hint}")
    if out is not None and shape[0] != out:
        raise ValueError(f"{weight_name} {shape} writes {shape[0]} numbers where {out} are wanted; it needs {out} rows")


def check_rows(x, width, weight):
    """Raise ValueError for rows of another width than the weight of that name reads, and for a single row without an axis of positions."""
    if x.shape[-1] != width or x.dim() < 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}; the {weight} weight reads rows of {width}: (..., tokens, {width})")


def check_eval(module, note):
    """Raise ValueError for a note while dropout is on: each run would name other values."""
    if note is not None and module.training and module.dropout:
        raise ValueError(f"a note while dropout={module.dropout} is on would name other values each time; call model.eval() first")


def init_std(d_in):  # width of the input -> standard deviation
    """The standard deviation of new weights: GPT-2's 0.02 at its width of 768, otherwise in proportion to 1/√d_in.

    So the variance of the outputs does not depend on the width (LeCun et al. 1998). Biases start at 0, gains at 1; a Stack scales
    down the projections that write into its residual stream.
    """
    return GPT2_STD * (GPT2_WIDTH / d_in) ** 0.5


def new_embedding(array):  # (rows, d) -> Parameter
    """A new embedding of the array's shape; the array's numbers are not used."""
    rows, width = array.shape
    return nn.Parameter(torch.randn(rows, width) * init_std(width))


def linear(d_out, d_in, bias):  # -> nn.Linear
    """A new linear layer; its bias, if it has one, is 0."""
    layer = nn.utils.skip_init(nn.Linear, d_in, d_out, bias=bias, device=torch.get_default_device())
    nn.init.normal_(layer.weight, std=init_std(d_in))
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def linear_arrays(layer, name):  # -> {name: view}
    """A linear layer's weight under that name, and its bias, if it has one, as `name_bias`."""
    return {name: layer.weight} | ({} if layer.bias is None else {f"{name}_bias": layer.bias})


def state_arrays(model):  # module -> {name: array}
    """Every parameter of a module by its flat name, as NumPy copies: `pencil.params.unflatten(params, state_arrays(model))` runs in the reference."""
    return {name: _to_numpy(view) for name, view in model.arrays().items()}


def load_arrays(model, arrays):  # module, {name: array} -> module
    """Copy arrays into a model's parameters, in their dtype and on their device, and return the model.

    Args:
        model: a module of pencil.model.
        arrays: {flat name: NumPy array, traced array or tensor}, one for each parameter.

    Raises ValueError for a missing or unknown name, for another shape, and for a weight that is computed from others, as in an adapter or a
    quantized layer; the model is unchanged then.
    """
    views = model.arrays()
    loaded = {name: torch.as_tensor(_to_array(array)) for name, array in arrays.items()}
    check_same(views, loaded)
    _check_stored(model, views)
    with torch.no_grad():
        for name, view in views.items():
            view.copy_(loaded[name])
    return model


def _check_stored(model, views):
    stored = {tensor.untyped_storage().data_ptr() for tensor in chain(model.parameters(), model.buffers())}
    for name, view in views.items():
        if view.untyped_storage().data_ptr() not in stored:
            raise ValueError(
                f"{name} is computed from other numbers in each forward (an adapter, a quantized layer), so there is nothing to copy it into; "
                "load the arrays before you replace the layers, or merge the adapters first"
            )


def _to_array(array):  # NumPy array, traced array or tensor -> array or tensor
    return array.detach() if isinstance(array, torch.Tensor) else np.array(numbers(array))


def _to_numpy(view):  # as float32 where NumPy has no such type (bfloat16)
    view = view.detach().cpu()
    return (view if view.dtype in (torch.float32, torch.float64) else view.float()).numpy().copy()
