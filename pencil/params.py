"""Bundles of learned arrays: frozen dataclasses, one inside another, and the one flat way to name what is in them.

A field is called by its name, an entry of a tuple field by the name's singular and its number from 1:
`BlockParams.attention.heads[0].query` is `attention.head1.query`. What is None is not there.
"""

import dataclasses


def map_arrays(bundle, change, scope=""):  # bundle, (name, array) -> array  ->  the same bundle, changed
    """Hand every array of a bundle to `change`, together with its flat name, and build the bundle again from the answers."""
    fields = {f.name: getattr(bundle, f.name) for f in dataclasses.fields(bundle)}
    return dataclasses.replace(bundle, **{name: _entry(_join(scope, name), value, change) for name, value in fields.items()})


def flatten(bundle):  # bundle -> {name: array}
    """Every array by its flat name."""
    found = {}
    map_arrays(bundle, lambda name, array: found.setdefault(name, array))
    return found


def unflatten(bundle, arrays):  # bundle, {name: array} -> the same bundle with these arrays
    """The same bundle with other arrays. Raises ValueError for a name that is missing or of no use, and for another shape."""
    check_same(flatten(bundle), arrays)
    return map_arrays(bundle, lambda name, _: arrays[name])


def check_same(wanted, arrays):  # {name: array} {name: array}
    """Refuse arrays under other names than the wanted ones, or of other shapes."""
    if odd := sorted(set(wanted) ^ set(arrays)):
        raise ValueError(f"{odd[0]!r} is {'missing' if odd[0] in wanted else 'not known here'}; the arrays are {', '.join(wanted)}")
    for name, array in wanted.items():
        if array.shape != arrays[name].shape:
            raise ValueError(f"{name} has the shape {tuple(arrays[name].shape)}; {tuple(array.shape)} is wanted")


def _entry(name, value, change):
    if value is None:
        return None
    if dataclasses.is_dataclass(value):
        return map_arrays(value, change, name)
    if isinstance(value, list | tuple):
        return tuple(_entry(f"{name.removesuffix('s')}{i}", v, change) for i, v in enumerate(value, start=1))
    return change(name, value)


def _join(scope, name):
    return f"{scope}.{name}" if scope else name
