"""What makes a built page live: ES modules that run a chapter's program again when a reader changes a number.

`engine.js` runs a program and `rounding.js` writes its numbers, by the rules of `pencil.trace` and `pencil.rounding`.
"""
