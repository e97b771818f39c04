"""The error of the commands of `python -m pencil`."""


class TaskError(Exception):
    """A command cannot go on; the message is a sentence that says what to do."""
