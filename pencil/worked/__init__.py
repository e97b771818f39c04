"""Worked lines: any named value of a trace, written out as a student would.

Everything is read off the graph: the operation, the numbers, the words of the rows. Only the
display labels (WANT for query) are given. Read fragments, origin, writer, lines.
"""

from pencil.worked.export import export
from pencil.worked.fragments import Number, data, html, plain
from pencil.worked.lines import Lines, Worked

__all__ = ["Lines", "Number", "Worked", "data", "export", "html", "plain"]
