"""`python -m pencil worksheet`: its files and its error messages."""

import nbformat
import pytest

from pencil.cli.worksheet import main
from pencil.errors import TaskError
from pencil.exercises import Worksheet
from pencil.exercises.alone import asked_alone
from pencil.exercises.printed import document
from pencil.exercises.question_sheet import question_sheet


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
    with pytest.raises(TaskError, match="There is no chapter '77'"):
        main(["--nbgrader", "77", "--to", str(tmp_path)])


def test_a_chapter_for_print(tmp_path):
    assert main(["--chapter", "6", "--to", str(tmp_path)]) == 0
    text = (tmp_path / "chapter_06.html").read_text(encoding="utf-8")
    task, key = text.split('<section class="key">')
    asked = asked_alone("06")[1]
    assert task.count('<p class="section">') == len(asked) == key.count("<strong>")
    assert "W_K = [[0, 0, 1, 1]" in task and "[3, 0, 2, 0]" not in task and "[3, 0, 2, 0]" in key
    with pytest.raises(TaskError, match="There is no chapter '77'"):
        main(["--chapter", "77", "--to", str(tmp_path)])
    with pytest.raises(TaskError, match="--seed would be dropped"):
        main(["--chapter", "06", "--seed", "3", "--to", str(tmp_path)])


def test_a_letter_on_paper_is_set_as_one():
    text = question_sheet("09", "letter")
    assert "size: letter" in text and "$" not in text.partition("<body>")[2] and "<i>K</i><sup>T</sup>" in text


def test_a_chapter_whose_questions_all_need_its_page_makes_no_sheet(tmp_path):
    box = "::::{your-turn} one\n:choices: a | b\n:right: a\n:alone: no\n\nWhich?\n\n:::{worked-answer}\nThis.\n:::\n::::\n"
    (tmp_path / "05_x.md").write_text(f"# X\n\n## One\n\n{box}", encoding="utf-8")
    with pytest.raises(TaskError, match="no question of chapter 05 is asked without its page"):
        question_sheet("05", folder=tmp_path)


@pytest.mark.parametrize("seed", ["-1", "4294967296", "seven", "７"])
def test_what_is_no_seed(seed, capsys):
    with pytest.raises(SystemExit):
        main([f"--seed={seed}"])
    assert f"{seed!r} is no seed; take a whole number from 0 to 4294967295" in capsys.readouterr().err


def test_a_folder_that_there_is_not(tmp_path):
    with pytest.raises(TaskError, match="make it first, or name another with --to"):
        main(["--to", str(tmp_path / "nowhere")])
