"""Runs the page's exercise scripts in Node."""

import json
import subprocess
from functools import cache
from pathlib import Path

from node_runner import find_node

from pencil.exercises import worksheet

HERE = Path(__file__).parent
page_data = cache(worksheet.page_data)  # of a topic; several tests hand it to the page


def ask(folder, questions):  # a folder for the files between, JSON-able dicts -> their answers
    """What exercises_parity.mjs says to each of the questions."""
    asked, answered = folder / "questions.jsonl", folder / "answers.jsonl"
    asked.write_text("".join(json.dumps(question, allow_nan=False) + "\n" for question in questions), encoding="utf-8")
    done = subprocess.run([find_node(), str(HERE / "exercises_parity.mjs"), str(asked), str(answered)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in answered.read_text(encoding="utf-8").splitlines()]
