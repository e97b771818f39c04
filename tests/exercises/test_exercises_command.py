"""`python -m pencil worksheet`: its files and its error messages."""

import nbformat
import pytest

from pencil.cli.worksheet import main
from pencil.errors import TaskError
from pencil.exercises import Worksheet
from pencil.exercises.printed import document


def test_a_sheet_for_each_seed(tmp_path, capsys):
    assert main(["--seed", "7", "8", "--topic", "softmax", "--paper", "letter", "--to", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    for seed in (7, 8):
        page = tmp_path / f"softmax-{seed}.html"
        assert page.read_text(encoding="utf-8") == document(Worksheet("softmax", seed), "letter") and f"wrote {page}" in said


def test_it_says_where_a_sheet_lies_that_it_wrote_into_the_folder_it_was_called_in(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["--topic", "softmax"]) == 0 and f"wrote {tmp_path.resolve() / 'softmax-7.html'}\n" in capsys.readouterr().out
    assert main(["--nbgrader", "06"]) == 0 and f"wrote {tmp_path.resolve() / 'chapter_06.ipynb'}\n" in capsys.readouterr().out


@pytest.mark.parametrize("asked", ["6", "06_look_across"])
def test_an_assignment_has_the_number_of_its_chapter_however_it_is_asked_for(asked, tmp_path):
    assert main(["--nbgrader", asked, "--to", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["chapter_06.ipynb"]


def test_a_chapter_for_nbgrader(tmp_path):
    assert main(["--nbgrader", "06", "--to", str(tmp_path)]) == 0
    cells = nbformat.read(tmp_path / "chapter_06.ipynb", as_version=4).cells
    assert sum(cell.metadata["nbgrader"]["grade"] for cell in cells) >= 4
    with pytest.raises(TaskError, match="there is no chapter 77"):
        main(["--nbgrader", "77", "--to", str(tmp_path)])


@pytest.mark.parametrize("seed", ["-1", "4294967296", "seven", "７"])
def test_what_is_no_seed(seed, capsys):
    with pytest.raises(SystemExit):
        main([f"--seed={seed}"])
    assert f"{seed!r} is no seed; take a whole number from 0 to 4294967295" in capsys.readouterr().err


def test_a_folder_that_there_is_not(tmp_path):
    with pytest.raises(TaskError, match="make it first, or name another with --to"):
        main(["--to", str(tmp_path / "nowhere")])
