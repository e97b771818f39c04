"""The settings of a checkpoint's config.json, by name and type."""

import numpy as np

from pencil.reference import gelu, gelu_erf, relu, silu

ACTIVATIONS = {"gelu_new": gelu, "gelu_pytorch_tanh": gelu, "gelu": gelu_erf, "relu": relu, "silu": silu, "swish": silu}
LARGEST = float(np.finfo(np.float32).max)


class Settings:
    """Typed access to the settings of a config.json. Each method raises ValueError with the setting's name for an invalid value."""

    def __init__(self, values):
        self.values = values

    def size(self, name, default=None):
        """A positive integer."""
        value = default if self.values.get(name) is None else self.values[name]
        if type(value) is not int or value < 1:
            raise ValueError(f"config.json says {name}={value!r}; a whole number from 1 on is wanted")
        return value

    def number(self, name, default):
        """A positive number, finite in float32."""
        value = self.values.get(name, default)
        if type(value) not in (int, float) or not 0 < value <= LARGEST:
            raise ValueError(f"config.json says {name}={value!r}; a number above 0 that float32 can hold is wanted")
        return value

    def boolean(self, name, default):
        """True or False."""
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise ValueError(f"config.json says {name}={value!r}; true or false is wanted")
        return value

    def activation(self, name, default):
        """The function of pencil.reference for the name of an activation."""
        value = self.values.get(name, default)
        if not isinstance(value, str) or value not in ACTIVATIONS:
            raise ValueError(f"config.json says {name}={value!r}; known are {', '.join(ACTIVATIONS)}")
        return ACTIVATIONS[value]

    def only(self, **fixed):
        """Raise ValueError unless each of these settings is absent or has this value."""
        for name, wanted in fixed.items():
            value = self.values.get(name, wanted)
            if value != wanted or isinstance(value, bool) != isinstance(wanted, bool):  # 1 is no true
                raise ValueError(f"config.json says {name}={value!r}; what is read here has {name}={wanted!r}")
