"""Batches as arrays of indices."""


def in_batches(order, size):  # (n,) -> list of arrays
    """Split an array into batches of `size` entries; the last one may be shorter."""
    return [order[start : start + size] for start in range(0, len(order), size)]
