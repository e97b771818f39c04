"""The error of whoever works in the clone."""


class TaskError(Exception):
    """Something cannot go on; its message is a plain sentence that says what to do."""
