"""Worked lines: any named value of a trace, written out as a student would write it, such as `2·3 + 0·0 = 6`.

Operations, numbers and row labels are read from the graph, and a value is called by the field's word for it. In reading order:

fragments  a line as a list of texts and Numbers, which carry the reference of their value
origin     the numbers that a number was computed from
labels     what a page calls a value
writer     digits, references, and the expression behind a number
lines      Worked: the lines of a value (expression, intermediate result, result), and Lines, which displays them
exporting  a run as data for the page
tables     heat maps, bars and plain tables
diagrams   a model as a vertical flow chart
"""

from pencil.worked.exporting import as_json, export
from pencil.worked.fragments import Number, data, grouped, html, plain
from pencil.worked.lines import Lines, Worked

__all__ = ["Lines", "Number", "Worked", "as_json", "data", "export", "grouped", "html", "plain"]
