"""The one script that a page gets: joined, tightened, and still the same program."""

import subprocess

import pytest
from node_runner import find_node

from pencil.widgets.bundle import MODULES, jupyter_module, page_script, tighten

LIMIT = 60_000


def test_all_scripts_together_are_at_most_60_kb():
    assert len(page_script().encode()) <= LIMIT and len(jupyter_module().encode()) <= LIMIT


@pytest.mark.parametrize("script, ending", [(page_script, "js"), (jupyter_module, "mjs")])
def test_node_can_read_it(script, ending, tmp_path):
    path = tmp_path / f"script.{ending}"
    path.write_text(script(), encoding="utf-8")
    done = subprocess.run([find_node(), "--check", str(path)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "code, tight",
    [
        ("const a = 1 // one\n", "const a=1\n"),
        ('const s = "a // b"  // said\n', 'const s="a // b"\n'),
        ("const t = `a  ${ b + `c  ${ d }` }  // e`\n", "const t=`a  ${b+`c  ${d}`}  // e`\n"),
        ("const f = () => ({ a: { b } })\n", "const f=()=>({a:{b}})\n"),
        ("x = a + +b - -c\n", "x=a+ +b- -c\n"),
        ("return /[ /\"'`]  +/.test(text)\n", "return/[ /\"'`]  +/.test(text)\n"),
        ("const q = (a) / 2 / (b) // half\n", "const q=(a)/2/(b)\n"),
        ("`${ { a: '}' }.a }  b`\n", "`${{a:'}'}.a}  b`\n"),
        ("a in b\nc instanceof D\n", "a in b\nc instanceof D\n"),
    ],
)
def test_only_what_the_eye_needs_is_taken_out(code, tight):
    assert tighten(code) == tight


def test_the_tight_engine_says_what_the_engine_says(tmp_path):
    """Every module in its tight form, run by the tests of reading and runs."""
    for module in MODULES.glob("*.js"):
        folder = tmp_path / "pencil/widgets"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / module.name).write_text(tighten(module.read_text(encoding="utf-8")), encoding="utf-8")
    tests = tmp_path / "tests/widgets"
    tests.mkdir(parents=True)
    here = MODULES.parents[1] / "tests/widgets"
    for name in ("test_reading.mjs", "test_engine.mjs", "test_pictures.mjs"):
        (tests / name).write_text((here / name).read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run([find_node(), "--test", *map(str, tests.glob("*.mjs"))], capture_output=True, encoding="utf-8", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
