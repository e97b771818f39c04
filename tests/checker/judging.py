"""Helpers: the results of the checker for a page."""

from pencil.checker.check import check_text


def failures(text, values):
    return [(failure.line, failure.written) for failure in check_text(text, values).failures]


def reasons(text, values):
    return "\n".join(failure.reason for failure in check_text(text, values).failures)


def declaring(entry, body):
    return f"---\npencil:\n  declared:\n    {entry}\n---\n{body}\n"
