"""Signal 9 inside what the commands start, Sphinx and a kernel: the pages and notebooks that stood stay whole, and the next run makes them all."""

import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from pencil.paths import ROOT, chapter_sources

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="it looks up who started whom as Linux has it")
NO_SOURCES = shutil.ignore_patterns(".git", ".venv", "_build", "node_modules", "__pycache__", ".*_cache", ".hypothesis", "shared")
PAUSING = """# A title

```{code-cell} ipython3
:tags: [remove-output]

import os, pathlib, time

pathlib.Path("under_way").touch()
time.sleep(float(os.environ["PAUSE"]))
```
"""


def start(folder, *words, code=ROOT, **env):
    path = os.pathsep.join(map(str, [code, *filter(None, [os.environ.get("PYTHONPATH")])]))
    command = [sys.executable, "-m", "pencil", *words]
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(command, cwd=folder, env=os.environ | {"PYTHONPATH": path} | env, **piped)


def until(condition, running=None, seconds=600):
    """What a condition finds, as soon as it does."""
    for _ in range(20 * seconds):
        if found := condition():
            return found
        assert running is None or running.poll() is None, running.stdout.read()
        time.sleep(0.05)
    raise AssertionError("it never came")


def children(process):
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_killed_run_leaves_the_notebook_and_no_kernel_and_the_next_one_writes_it(tmp_path):
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (folder / "05_x.md").write_text(PAUSING, encoding="utf-8")
    assert start(tmp_path, "notebooks", PAUSE="0").wait() == 0
    stood = (folder / "05_x.ipynb").read_bytes()
    (folder / "05_x.md").write_text(PAUSING.replace("import os", "# one more line\nimport os"), encoding="utf-8")
    (folder / "under_way").unlink()
    running = start(tmp_path, "notebooks", PAUSE="600")
    until((folder / "under_way").exists, running)
    kernels = children(running)
    running.kill()
    running.wait()
    assert kernels and (folder / "05_x.ipynb").read_bytes() == stood
    until(lambda: not any(map(is_alive, kernels)), seconds=30)
    assert start(tmp_path, "notebooks", PAUSE="0").wait() == 0
    assert "one more line" in (folder / "05_x.ipynb").read_text(encoding="utf-8") != stood.decode()
    assert {path.name for path in folder.iterdir()} == {"05_x.md", "05_x.ipynb", "under_way"}


@pytest.fixture
def copied(tmp_path):
    """The whole book in another place, with pages that stand there."""
    book = tmp_path / "book"
    shutil.copytree(ROOT, book, ignore=NO_SOURCES)
    for name in ("index.html", "notebooks/05_soft_lookup.html", "gone.html"):
        page = book / "_build/html" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("old", encoding="utf-8")
    return book


def pages(book):
    html = book / "_build/html"
    return {path.relative_to(html): path.read_bytes() for path in html.rglob("*.html")}


def first_made(book, kind):
    return next(book.glob(f"_build/next-*/**/*.{kind}"), None)


@pytest.mark.slow
def test_a_build_that_is_killed_inside_sphinx_leaves_the_pages_and_the_next_one_makes_them_all(copied):
    """At its start, while it reads and while it writes; Sphinx, the command, or both."""
    stood, orphans = pages(copied), []
    for moment, ends in ((None, "both"), ("doctree", "sphinx"), ("html", "command")):
        running = start(copied, "book", code=copied)
        (sphinx,) = until(partial(children, running), running)
        if moment:
            until(partial(first_made, copied, moment), running)
        if ends in ("both", "command"):
            running.kill()
        if ends in ("both", "sphinx"):
            os.kill(sphinx, signal.SIGKILL)
        said = running.communicate()[0] if ends == "sphinx" else running.wait() and ""
        assert pages(copied) == stood, moment
        assert ends != "sphinx" or (running.returncode == 1 and "was ended from outside" in said and "Traceback" not in said), said
        orphans += [sphinx] * (ends == "command")
    last = start(copied, "book", code=copied)
    said = last.communicate()[0]
    assert last.returncode == 0, said
    made = pages(copied)
    sources = [path.relative_to(copied).with_suffix(".html") for path in chapter_sources(copied / "notebooks")]
    assert set(sources) <= set(made) and b"old" not in made.values() and Path("gone.html") not in made
    until(lambda: not any(map(is_alive, orphans)))  # a Sphinx that lost its command ends by itself, and touches no page
    assert pages(copied) == made
