"""Marking of exercises: `check("two-queries", [5, 5])` marks an answer to a question of the chapters."""

from pencil.exercises.checking import check
from pencil.exercises.exercise import Choice, Exercise, Mark
from pencil.exercises.known import exercise_of
from pencil.exercises.marker import mark
from pencil.exercises.questions import exercises
from pencil.exercises.worksheet import Worksheet
from pencil.random import Mulberry32

__all__ = ["Choice", "Exercise", "Mark", "Mulberry32", "Worksheet", "check", "exercise_of", "exercises", "mark"]
