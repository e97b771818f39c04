"""Worked lines: any named value of a trace, written out as a student would.

Everything is read off the graph: the operation, the numbers, the words of the rows. Only the
display labels (WANT for query) are given. In reading order:

fragments  a line as text and numbers that know which value they are
origin     the numbers that one number was made of
writer     digits, references, and the sum behind a number
lines      the lines of a value: sum, step, result
exporting  a run as data for the page
tables     heat maps, bars and plain tables
diagrams   a model drawn step below step
"""

from pencil.worked.exporting import as_json, export
from pencil.worked.fragments import Number, data, html, plain
from pencil.worked.lines import Lines, Worked

__all__ = ["Lines", "Number", "Worked", "as_json", "data", "export", "html", "plain"]
