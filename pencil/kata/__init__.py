"""Exercises that answer back. `check("two-queries", [1, 0, 2])` marks an answer to a YOUR TURN of the chapters beside you."""

from pencil.kata.answers import Unreadable, read
from pencil.kata.dice import Dice
from pencil.kata.exercises import check, exercises
from pencil.kata.marking import Choice, Exercise, Mark, exercise_of, mark
from pencil.kata.sheet import Sheet

__all__ = ["Choice", "Dice", "Exercise", "Mark", "Sheet", "Unreadable", "check", "exercise_of", "exercises", "mark", "read"]
