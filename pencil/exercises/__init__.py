"""Marking of exercises: `check("two-queries", [5, 5])` marks an answer to a question of the chapters in the current folder."""

from pencil.exercises.answers import Unreadable, read
from pencil.exercises.exercise import Choice, Exercise, Mark
from pencil.exercises.marking import exercise_of, mark
from pencil.exercises.questions import check, exercises
from pencil.exercises.worksheet import Worksheet
from pencil.random import Mulberry32

__all__ = ["Choice", "Exercise", "Mark", "Mulberry32", "Unreadable", "Worksheet", "check", "exercise_of", "exercises", "mark", "read"]
