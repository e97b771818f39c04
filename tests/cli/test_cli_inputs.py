"""Wrong arguments give a message without a traceback, before anything starts."""

import os
import subprocess
import sys
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from pencil import __main__ as command
from pencil.cli import arguments, book, clean, env, experiment, format, notebooks, record, test, web, worksheet
from pencil.errors import TaskError
from pencil.experiments.training import jobs
from pencil.paths import ROOT


@pytest.mark.parametrize(
    "task",
    [
        ["clean", "--help"],
        ["env", "--help"],
        ["book", "--help"],
        ["format", "--help"],
        ["web", "--help"],
        *(["help", name] for name in ("test-slow", "bench", "chapter")),
    ],
)
def test_help_does_nothing(task, monkeypatch, capsys):
    monkeypatch.setattr(clean.shutil, "rmtree", lambda *a, **k: pytest.fail("nothing may be deleted"))
    monkeypatch.setattr(format.subprocess, "run", lambda *a, **k: pytest.fail("nothing may be written"))
    monkeypatch.setattr(web, "build", lambda *a: pytest.fail("nothing may be built"))
    monkeypatch.setattr(test, "run_all", lambda *stages: pytest.fail("nothing may be run"))
    monkeypatch.setattr(command, "find_spec", lambda module: True)
    name = next(word for word in task if word != "help" and not word.startswith("-"))
    with pytest.raises(SystemExit) as ended:
        command.main(task)
    assert ended.value.code == 0 and f"usage: python -m pencil {name} [-h]" in capsys.readouterr().out


@pytest.mark.parametrize("task", [["clean", "all"], ["book", "extra"], ["web", "--chek"], ["pdf", "extra"]])
def test_a_word_that_a_task_does_not_take_is_told(task, monkeypatch, capsys):
    monkeypatch.setattr(clean.shutil, "rmtree", lambda *a, **k: pytest.fail("nothing may be deleted"))
    monkeypatch.setattr(book, "build", lambda: pytest.fail("nothing may be built"))
    with pytest.raises(SystemExit) as ended:
        command.main(task)
    assert ended.value.code == 2 and f"unrecognized arguments: {task[1]}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, says",
    [
        (["contest", "--threads", "0"], "'0' is no whole number from 1 to 1024"),
        (["tiny-gpt", "--threads", "1000000"], "'1000000' is no whole number from 1 to 1024"),
        (["contest", "--dropout", "nan"], "'nan' is no number from 0 on and below 1"),
        (["contest", "--dropout", "1"], "'1' is no number from 0 on and below 1"),
        (["contest", "--lr", "inf"], "'inf' is no number above 0"),
        (["contest", "--lr", "-0.1"], "no number above 0"),
        (["contest", "--epochs", "0"], "'0' is no whole number from 1 on"),
        (["contest", "--batch-size", "half"], "'half' is no whole number from 1 on"),
        (["contest", "--seed", "-1"], "'-1' is no whole number from 0 to 4294967295"),
        (["long-range", "--gap", "0"], "'0' is no whole number from 1 on"),
        (["tiny-gpt", "--n-heads", "0"], "'0' is no whole number from 1 on"),
        (["tiny-gpt", "--merges", "-1"], "'-1' is no whole number from 0 on"),
        (["write", "--top-p", "nan"], "'nan' is no number above 0 and up to 1"),
        (["write", "--top-k", "0"], "'0' is no whole number from 1 on"),
        (["write", "--count", "1000000000000"], "'1000000000000' is no whole number from 1 to 1000000"),
        (["write", "--count", "1.5"], "'1.5' is no whole number from 1 to 1000000"),
    ],
)
def test_a_number_out_of_its_bounds_is_refused_before_anything_starts(words, says, capsys):
    with pytest.raises(SystemExit):
        experiment.main(words)
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("number", ["inf", "nan", "0.0", "1e-320"])
def test_a_temperature_that_scores_cannot_be_divided_by_is_refused(number):
    with pytest.raises(TaskError, match=f"--temperature {number}; give it a number above 0, such as 0.8, or take the likeliest"):
        experiment.main(["write", "--temperature", number])


@pytest.mark.parametrize("name", ["", "file/writer.safetensors"])
def test_a_writer_that_could_not_be_kept_is_not_trained(name, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    with pytest.raises(TaskError, match="nothing was begun: name another file with --checkpoint"):
        experiment.main(["tiny-gpt", "--checkpoint", str(tmp_path / name)])
    assert (tmp_path / "file").read_text(encoding="utf-8") == "a file"


def test_looking_whether_a_writer_can_be_kept_leaves_the_disk_as_it_was(tmp_path):
    empty, pipe, new = (tmp_path / name for name in ("empty", "pipe", "new"))
    empty.touch()
    os.mkfifo(pipe)
    for file in (empty, new):
        arguments.refuse_unwritable(file, "take another")
    with pytest.raises(TaskError, match="pipe is no regular file"):
        arguments.refuse_unwritable(pipe, "take another")
    assert empty.exists() and pipe.is_fifo() and not new.exists()


def test_one_process_alone_looks_whether_a_writer_can_be_kept(tmp_path, monkeypatch):
    @contextmanager
    def second(device):
        yield SimpleNamespace(rank=1, from_first=lambda function: None)

    monkeypatch.setattr("pencil.experiments.training.distributed.process_group", second)
    monkeypatch.setattr("pencil.experiments.writer.tiny_gpt.train_writer", lambda *args: (None, None))
    assert experiment.main(["tiny-gpt", "--checkpoint", str(tmp_path / "folder/writer.safetensors")]) == 0
    assert not (tmp_path / "folder").exists()


@pytest.mark.parametrize(
    "words, says",
    [
        (["tiny-gpt", "--d-model", "100000000"], "d_model=100000000, n_layers=2, max_len=48: that needs 3200000076"),
        (["tiny-gpt", "--n-layers", "1000000000"], "n_layers=1000000000"),
        (["tiny-gpt", "--max-len", "10000000000"], "max_len=10000000000"),
        (["contest", "--max-len", "1000000000"], "max_len=1000000000"),
        (["long-range", "--gap", str(10**30)], "texts=2000, gap=10{30}"),
    ],
)
def test_sizes_that_no_memory_holds_are_refused_before_anything_is_made(words, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TaskError, match=f"{says}.* GB; take smaller numbers"):
        experiment.main(words)


def test_a_writer_that_is_not_there_yet_is_told_with_the_command_that_trains_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TaskError, match=r"`python -m pencil experiment tiny-gpt --checkpoint tiny_gpt\.safetensors` trains one"):
        experiment.main(["write"])
    with pytest.raises(TaskError, match=r"tiny-gpt --checkpoint 'my writer'` trains one"):
        experiment.main(["write", "--checkpoint", "my writer"])


@pytest.mark.parametrize(
    "words, meant",
    [
        (["chekc"], "check"),
        (["help", "worksheets"], "worksheet"),
        (["worksheet", "--topic", "atention"], "attention"),
        (["worksheet", "--topics", "attention"], "--topic"),
        (["data", "fecth", "imdb"], "fetch"),
        (["data", "fetch", "GloVe2"], "glove"),
        (["experiment", "wrte"], "write"),
        (["experiment", "contest", "--modle", "LSTM"], "--model"),
        (["experiment", "contest", "--model", "lsmt"], "LSTM"),
        (["experiment", "long-range", "--model", "Transformer with position"], "Transformer with positions"),
        (["record", "contst"], "contest"),
        (["bench", "bench_cor"], "bench_core"),
        (["env", "bok"], "book"),
        (["check", "soft_lokup"], "05_soft_lookup"),
        (["notebooks", "soft_lokup"], "05_soft_lookup"),
        (["web", "--chek"], "--check"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_one_that_may_have_been_meant(words, meant, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    try:
        assert command.main(words) != 0
    except SystemExit as ended:
        assert ended.code == 2
    said = "".join(capsys.readouterr())
    assert f". Did you mean '{meant}'?" in said


@pytest.mark.parametrize("word, then", [("bok", "Did you mean 'book'?"), ("bake", "`python -m pencil help` lists them.")])
def test_a_task_that_there_is_not_is_answered_in_one_line(word, then, capsys):
    assert command.main([word]) == 2
    said = capsys.readouterr()
    assert said.err == f"There is no task '{word}'. {then}\n" and said.out == ""


def test_a_check_without_chapters_fails(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert notebooks.main(["--check"]) == 1 and "no chapters here" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--done"], ["--seed", "7"]])
def test_options_of_a_recording_without_its_name_are_told(words):
    with pytest.raises(TaskError, match=f"{' '.join(words)} would be dropped: name a recording in front of it"):
        record.main(words)


def test_a_recording_whose_writer_could_not_be_kept_does_not_begin(tmp_path):
    with pytest.raises(TaskError, match="nothing was begun: name another file with --checkpoint"):
        record._taken(record._parse(["tiny_gpt", "--checkpoint", str(tmp_path)]), {"checkpoint"})


def test_a_second_group_of_packages_is_told(monkeypatch, capsys):
    monkeypatch.setattr(env, "ensure", lambda group: pytest.fail("nothing may be installed"))
    with pytest.raises(SystemExit):
        env.main(["book", "serve"])
    assert "unrecognized arguments: serve" in capsys.readouterr().err


def test_an_assignment_of_no_chapter_is_no_sheet(tmp_path):
    with pytest.raises(TaskError, match="There is no chapter ''"):
        worksheet.main(["--nbgrader", "", "--to", str(tmp_path)])
    assert list(tmp_path.iterdir()) == []


def test_a_home_folder_of_nobody_is_told(monkeypatch, capsys):
    monkeypatch.setenv("PENCIL_DATA", "~nobody-of-this-name/data")
    assert command.main(["data", "list"]) == 1
    assert "PENCIL_DATA=~nobody-of-this-name/data: this machine knows no home folder of that name" in capsys.readouterr().err


def test_a_tilde_is_the_home_folder_wherever_a_place_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    tiny_gpt = experiment._parse(["tiny-gpt", "--checkpoint=~/w", "--folder=~/run"])
    assert (tiny_gpt.checkpoint, tiny_gpt.folder) == (tmp_path / "w", tmp_path / "run")
    assert experiment._parse(["contest", "--folder", "~/run"]).folder == tmp_path / "run"
    assert record._parse(["writer", "--checkpoint=~/w"]).checkpoint == tmp_path / "w"
    for name in ("write", "open"):
        assert experiment._parse([name, "--checkpoint=~/w"]).checkpoint == tmp_path / "w"
    monkeypatch.setenv("PENCIL_EXPERIMENTS", "~/results")
    assert jobs.scratch("contest") == tmp_path / "results/contest"
    (tmp_path / "sheets").mkdir()
    worksheet.main(["--seed", "7", "--to=~/sheets"])
    assert list((tmp_path / "sheets").iterdir()) and not os.path.exists("~")


@pytest.mark.parametrize(
    "words", [["experiment", "open", "--checkpoint"], ["experiment", "contest", "--folder"], ["record", "writer", "--checkpoint"]]
)
def test_the_home_folder_of_nobody_is_a_sentence(words, capsys):
    with pytest.raises(SystemExit):
        command.main([*words, "~nobody-of-this-name/x"])
    assert "~nobody-of-this-name/x: this machine knows no home folder of that name; name another place" in capsys.readouterr().err


def test_a_folder_that_has_been_deleted_is_a_sentence(tmp_path, monkeypatch, capsys):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert command.main(["worksheet", "--seed", "7"]) == 1
    assert "The folder that you are in has been deleted: change to another one" in capsys.readouterr().err


def test_a_record_that_could_not_be_written_is_not_measured(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(record.records, "RECORDED", tmp_path / "file")
    monkeypatch.setattr("pencil.experiments.contest.speed.measure", lambda: pytest.fail("measured all the same"))
    with pytest.raises(TaskError, match=r"speed.json could not be written \(.*\); nothing was begun: give yourself leave to write there"):
        record.main(["speed"])


def test_options_that_an_assignment_would_drop_are_told(tmp_path):
    with pytest.raises(TaskError, match="--seed and --pdf would be dropped"):
        worksheet.main(["--nbgrader", "06", "--seed", "3", "--pdf", "--to", str(tmp_path)])
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_is_one_word(monkeypatch, capsys):
    def stopped(argv):
        raise KeyboardInterrupt

    monkeypatch.setattr(clean, "main", stopped)
    assert command.main(["clean"]) == command.STOPPED and capsys.readouterr().err == "Stopped.\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows hands over text, never bytes")
def test_an_argument_that_is_no_utf_8_is_answered():
    done = subprocess.run([sys.executable, "-m", "pencil", b"b\xfcch"], cwd=ROOT, capture_output=True)
    assert done.returncode == 2 and b"There is no task" in done.stderr and b"Traceback" not in done.stderr


def test_help_with_a_task_is_the_help_of_the_task(capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["help", "worksheet"])
    assert ended.value.code == 0 and "--topic" in capsys.readouterr().out


@pytest.mark.parametrize("word", ["extra", "--all"])
def test_a_word_behind_help_is_told(word, capsys):
    assert command.main(["help", word]) == 1
    said = capsys.readouterr()
    assert f"{word} would be dropped" in said.err and said.out == ""


@pytest.mark.parametrize("given, waits", [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_a_command_lets_torchs_threads_wait_asleep_unless_told_otherwise(given, waits):
    """It says so before torch is imported: OpenMP reads its settings once."""
    program = "import os, runpy, sys\nsys.argv = ['pencil', 'help']\ntry: runpy.run_module('pencil', run_name='__main__')\nexcept SystemExit: pass\n"
    program += "print(os.environ['OMP_WAIT_POLICY'], 'torch' in sys.modules)"
    env = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"} | ({"OMP_WAIT_POLICY": given} if given else {})
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines()[-1] == f"{waits} False"
