"""Notebooks brought up to date: what somebody has worked in stays, and only what changed in code is run."""

import json
import os
import signal
import subprocess
import sys
import time

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from three import SOURCE, write

from pencil import exercises
from pencil.checker import check as checking
from pencil.cli import book, serve
from pencil.cli.notebooks import main
from pencil.paths import ROOT
from pencil.publish import Published
from pencil.publish import render as rendering
from pencil.publish.render import check


def test_what_jupyter_writes_into_a_notebook_is_no_change(rendered):
    def save_as_jupyterlab_does(notebook):
        notebook["metadata"]["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
        notebook["metadata"]["language_info"]["version"] = "3.11.7"
        notebook["metadata"]["widgets"] = {}
        for cell in notebook["cells"]:
            cell["metadata"].update(collapsed=False, scrolled=True, trusted=True, jupyter={"outputs_hidden": False})
            cell["metadata"].setdefault("tags", [])

    source, _, save = rendered
    save(save_as_jupyterlab_does)
    assert check(source) is None
    assert main(["05"]) == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda n: n["cells"][1].update(source="three = 2 + 1"),
        lambda n: n["cells"][0]["source"].append("A note of my own."),
        lambda n: n["cells"][1]["metadata"].update(tags=["hide-cell"]),
        lambda n: n["cells"].pop(),
        lambda n: n["cells"].reverse(),
        lambda n: n["metadata"].pop("pencil"),  # a notebook that no render tool wrote
    ],
    ids=["code", "prose", "tag", "cell taken out", "order", "another notebook"],
)
def test_work_done_by_hand_is_not_written_over(rendered, capsys, change):
    source, target, save = rendered
    save(change)
    mine = target.read_bytes()
    assert main(["05"]) == 1 and target.read_bytes() == mine
    said = capsys.readouterr().out
    remedy = "05_three.ipynb was edited by hand; move it to notebooks/mine/05_three.ipynb, where it stays yours, then run "
    remedy += "`python -m pencil notebooks 05_three`"
    assert said == f"notebooks/{remedy}\n"
    assert main(["--check"]) == 1 and remedy in capsys.readouterr().out
    assert main(["05", "--force"]) == 0 and check(source) is None


def test_a_notebook_of_an_older_render_tool_is_only_stale(rendered):
    source, _, save = rendered
    save(lambda n: n["metadata"]["pencil"].pop("cells"))
    assert "the render tool has changed since; run `make notebooks`" in check(source)
    assert main(["05"]) == 0 and check(source) is None


def test_two_halves_of_a_merge_are_written_over(rendered):
    source, target, _ = rendered
    target.write_text("<<<<<<< HEAD\n{}", encoding="utf-8")
    assert main(["05"]) == 0 and check(source) is None


# ---- only what changed in code is run


@pytest.fixture
def runs(rendered, monkeypatch):
    """What has been run since, by the name of its folder."""
    kept, put = [], rendering.run
    monkeypatch.setattr(rendering, "run", lambda notebook, folder: (kept.append(folder), put(notebook, folder)))
    return kept


def test_what_changed_in_prose_alone_is_rendered_around_the_outputs_of_its_run(rendered, runs, capsys):
    source, target, _ = rendered
    before = json.loads(target.read_text(encoding="utf-8"))
    write(source.parent, SOURCE.replace("Then?", "And then?\n\nOne more paragraph."))
    assert main([]) == 0 and not runs and check(source) is None
    after = json.loads(target.read_text(encoding="utf-8"))
    assert [cell.get("outputs") for cell in after["cells"]] == [cell.get("outputs") for cell in before["cells"]]
    assert "One more paragraph." in str(after) and Published.read(target).was_run
    assert "05_three.md (1 of 1): rendered, its code is as it was … 0 s" in capsys.readouterr().out


def test_what_changed_in_code_is_run_and_what_did_not_change_is_left_alone(rendered, runs, capsys):
    source, target, _ = rendered
    written = target.stat().st_mtime_ns
    assert main([]) == 0 and not runs and target.stat().st_mtime_ns == written
    assert capsys.readouterr().out == "The notebook is up to date.\n"
    write(source.parent, SOURCE.replace("three = 1 + 2", "three = 2 + 1"))
    assert main([]) == 0 and len(runs) == 1 and "05_three.md (1 of 1): runs … 0 s" in capsys.readouterr().out
    assert main(["--again"]) == 0 and len(runs) == 2


@pytest.mark.parametrize(
    "change",
    [lambda n: n["cells"][1]["outputs"].append({"output_type": "stream", "name": "stdout", "text": "4"}), lambda n: n["cells"][1].update(source="3")],
    ids=["output", "code"],
)
def test_outputs_that_are_not_those_of_the_run_are_not_kept(rendered, runs, change):
    source, _, save = rendered
    save(change)
    write(source.parent, SOURCE.replace("Then?", "And then?"))
    assert main(["--force"]) == 0 and len(runs) == 1 and check(source) is None


@pytest.mark.skipif(os.name != "posix", reason="Windows sends no SIGINT to one process")
def test_ctrl_c_ends_the_run_with_one_sentence_and_writes_nothing(folder):
    write(folder, "```{code-cell}\nopen('runs', 'w').close()\nimport time\ntime.sleep(60)\n```\n")
    running = subprocess.Popen(
        [sys.executable, "-m", "pencil", "notebooks"], cwd=folder.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    while not (folder / "runs").exists():
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said, wrong = running.communicate(timeout=30)
    assert running.returncode == 130 and wrong.strip() == "Stopped." and said.count("\n") <= 1
    assert not list(folder.glob("*.ipynb"))


# ---- a reader's own notebooks


def test_what_the_contents_do_not_name_is_left_alone(rendered, runs, capsys):
    source, *_ = rendered
    (source.parents[1] / "_toc.yml").write_text("- file: notebooks/05_three.ipynb\n", encoding="utf-8")
    for own in ("05_mine.md", "04_mine.md", "06_mine.ipynb", "notes.md", "mine/05_three.ipynb"):
        (source.parent / own).parent.mkdir(exist_ok=True)
        (source.parent / own).write_text("not even a notebook {v}`7`", encoding="utf-8")
    before = {path: path.read_bytes() for path in source.parent.rglob("*") if path.is_file()}
    assert main([]) == main(["--check"]) == 0 and not runs and [page.name for page in checking.pages([])] == [source.name]
    assert book.stale_notebooks(source.parent) == [] and {path: path.read_bytes() for path in source.parent.rglob("*") if path.is_file()} == before


def test_work_moved_into_its_own_place_is_kept_and_the_chapter_written_again(rendered):
    source, target, save = rendered
    save(lambda n: n["cells"][1].update(source="three = 2 + 1"))
    own = source.parent / rendering.OWN / target.name
    own.parent.mkdir()
    target.rename(own)
    assert main(["05"]) == 0 and check(source) is None and "2 + 1" in own.read_text(encoding="utf-8")


def test_git_keeps_the_place_for_own_notebooks_and_nothing_in_it():
    own = ["notebooks/mine/a.ipynb", "notebooks/mine/b/c.txt"]
    ignored = subprocess.run(["git", "check-ignore", *own], cwd=ROOT, capture_output=True, encoding="utf-8").stdout.split()
    assert (ROOT / "notebooks/mine").is_dir() and ignored == own


def test_an_answer_is_marked_from_there(folder, monkeypatch):
    (folder / "mine").mkdir()
    monkeypatch.chdir(folder / "mine")
    assert exercises.check("09:shares", "0.182 0.818").verdict == "wrong"


# ---- in JupyterLab


def test_code_that_is_off_the_page_is_folded(rendered):
    _, target, _ = rendered
    folded = [cell["metadata"].get("jupyter") for cell in json.loads(target.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert folded == [None, {"source_hidden": True}]


def test_only_what_the_render_tool_wrote_is_signed(rendered, tmp_path):
    source, target, save = rendered
    notary = NotebookNotary(db_file=":memory:", secret=b"of this test")
    assert serve.sign(source.parent, notary) == 1 and notary.check_signature(nbformat.read(target, as_version=4))
    assert serve.sign(source.parent, notary) == 0
    save(lambda n: n["cells"][1]["outputs"].append({"output_type": "stream", "name": "stdout", "text": "<script>"}))
    assert serve.sign(source.parent, notary) == 0 and not notary.check_signature(nbformat.read(target, as_version=4))
