"""The number checker: every numeral of a page is bound to a value, computed beside it, or declared.

A chapter's last cell calls `publish`; `python -m pencil check` holds the page against what it
published. Read digits, arithmetic, equations; then page, numerals; then published, bindings, judge.
"""

from pencil.prose.published import Published, publish

__all__ = ["Published", "publish"]
