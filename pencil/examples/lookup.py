"""Chapter 05, the soft lookup (source 002): three keys, their values, one query that points along the first key."""

from pencil.examples.shared import matrix

LOOKUP_KEYS = matrix([1, 0], [0, 1], [1, 1])
LOOKUP_VALUES = matrix([10, 0], [0, 10], [5, 5])
LOOKUP_QUERY = matrix([1, 0])
