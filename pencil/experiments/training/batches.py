"""Batches, as arrays of indices."""


def in_batches(order, size):  # (n,) -> list of arrays of `size` entries, the last one perhaps shorter
    """Cut an array into batches."""
    return [order[start : start + size] for start in range(0, len(order), size)]
