"""Parameters in nested frozen dataclasses ("bundles"), and flat names for their arrays.

A flat name joins the field names with dots; an entry of a tuple has the singular of the field and its number from 1:
`BlockParams.attention.heads[0].query` is `attention.head1.query`. Fields that are None are left out.
"""

import dataclasses

MOST_NAMED = 200  # arrays that a message lists


def map_arrays(bundle, change, scope=""):  # bundle, (name, array) -> array  ->  the same bundle, changed
    """The bundle with every array replaced by `change(flat name, array)`; `scope` goes in front of the names."""
    fields = {f.name: getattr(bundle, f.name) for f in dataclasses.fields(bundle)}
    return dataclasses.replace(bundle, **{name: _entry(_join(scope, name), value, change) for name, value in fields.items()})


def flatten(bundle):  # bundle -> {name: array}
    """Every array by its flat name."""
    found = {}
    map_arrays(bundle, lambda name, array: found.setdefault(name, array))
    return found


def unflatten(bundle, arrays):  # bundle, {name: array} -> the same bundle with these arrays
    """The bundle with other arrays. Raises ValueError for a missing or unknown name, and for another shape."""
    check_same(flatten(bundle), arrays)
    return map_arrays(bundle, lambda name, _: arrays[name])


def check_same(wanted, arrays):  # {name: array} {name: array}
    """Raise ValueError unless both have the same names and shapes."""
    if odd := sorted(set(wanted) ^ set(arrays)):
        known = ", ".join(list(wanted)[:MOST_NAMED]) + ", …" * (len(wanted) > MOST_NAMED)
        raise ValueError(f"{odd[0]!r} is {'missing' if odd[0] in wanted else 'not known here'}; the arrays are {known}")
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
