"""Runs the engine in Node."""

import json
import subprocess
from pathlib import Path

import pytest

from pencil.cli import node
from pencil.errors import TaskError

HERE = Path(__file__).parent


def find_node():
    """The path of a Node that is new enough. There is always one, or the test fails: parity is never skipped in silence."""
    try:
        return node.find()
    except TaskError as absent:
        pytest.fail(f"The engine of the live pages is tested in Node. {absent}", pytrace=False)


def ask(folder, questions):  # path, list -> list
    """One Node process for all questions, see engine_parity.mjs; a line of JSON each."""
    asked, answered = folder / "questions.jsonl", folder / "answers.jsonl"
    with asked.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(plain(q), allow_nan=False) + "\n" for q in questions)
    done = subprocess.run([find_node(), str(HERE / "engine_parity.mjs"), str(asked), str(answered)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    with answered.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def plain(thing):
    """What JSON can hold: arrays flat, and what is not finite as a word."""
    if isinstance(thing, dict):
        return {key: plain(value) for key, value in thing.items()}
    if hasattr(thing, "ravel"):
        return [plain(x) for x in thing.ravel().astype(float).tolist()]
    if isinstance(thing, list | tuple):
        return [plain(x) for x in thing]
    if isinstance(thing, float) and (thing != thing or thing in (float("inf"), float("-inf"))):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(thing)]
    return thing
