"""A number that was accepted may be carried on, and what follows from a wrong one is told so (carried.mjs)."""

import json
import os
import subprocess
from pathlib import Path

from exercises_in_node import page_data
from node_runner import find_node


def test_what_a_reader_wrote_is_carried_on(tmp_path):
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps(page_data("attention")), encoding="utf-8")
    script = Path(__file__).parent / "carried.mjs"
    done = subprocess.run([find_node(), "--test", str(script)], capture_output=True, encoding="utf-8", env=os.environ | {"PENCIL_SHEET": str(sheet)})
    assert done.returncode == 0, done.stdout + done.stderr
