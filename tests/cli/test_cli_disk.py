"""What a disk refuses, a full one and a folder that takes no file: a sentence, and nothing half written or lost."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pencil import __main__ as command
from pencil.cli import clean, experiment_writer
from pencil.errors import TaskError
from pencil.paths import FORGOTTEN, ROOT, write_whole


def test_a_folder_that_takes_no_file_is_named_with_the_file_that_was_asked_for(tmp_path, monkeypatch, capsys):
    def nowhere(**options):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", options["dir"] / "half")

    monkeypatch.setattr("pencil.paths.tempfile.mkstemp", nowhere)
    assert command.main(["worksheet", "--topic", "softmax", "--to", str(tmp_path)]) == 1
    assert (
        capsys.readouterr().err == f"{tmp_path / 'softmax-7.html'} could not be written or read: its folder takes no new file. Name another place.\n"
    )


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ELOOP, errno.EACCES, errno.EROFS, errno.EISDIR])
def test_what_a_disk_refuses_is_a_sentence(number, monkeypatch, capsys):
    def refuses(argv):
        raise OSError(number, os.strerror(number), "a/file")

    monkeypatch.setattr(clean, "main", refuses)
    assert command.main(["clean"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"a/file could not be written or read: {os.strerror(number)}. ") and said.count("\n") == 1


def test_what_cannot_be_removed_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(clean, "ROOT", tmp_path)
    (tmp_path / "_build/html").mkdir(parents=True)

    def refused(path, **options):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr("os.rmdir", refused)
    assert command.main(["clean"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{tmp_path / '_build/html'}, and 1 more could not be removed: Permission denied.") and said.count("\n") == 1
    monkeypatch.undo()
    monkeypatch.setattr(clean, "ROOT", tmp_path)
    assert command.main(["clean"]) == 0 and not (tmp_path / "_build").exists()
    assert command.main(["clean"]) == 0  # nothing is there any more


@pytest.mark.skipif(os.name == "nt", reason="Windows lets only some make links")
def test_a_link_is_removed_and_what_it_leads_to_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(clean, "ROOT", tmp_path)
    (tmp_path / "far").mkdir()
    (tmp_path / "_build").symlink_to(tmp_path / "far")
    (tmp_path / ".ruff_cache").symlink_to(tmp_path / "nowhere")
    assert command.main(["clean"]) == 0 and list(tmp_path.iterdir()) == [tmp_path / "far"]


def test_what_cannot_be_removed_has_a_reason(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(clean, "ROOT", tmp_path)
    (tmp_path / "_build").mkdir()

    def refused(path, **options):
        raise OSError("the folder is in use")  # an error of Python's own has no strerror

    monkeypatch.setattr("os.rmdir", refused)
    assert command.main(["clean"]) == 1 and "could not be removed: the folder is in use." in capsys.readouterr().err


def test_a_terminal_obeys_nothing_that_a_message_quotes(monkeypatch, capsys):
    def names(argv):
        raise TaskError("there is no tensor \x1b[2J\x07 é “x”\nin it")

    monkeypatch.setattr(clean, "main", names)
    assert command.main(["clean"]) == 1
    assert capsys.readouterr().err == "there is no tensor \\x1b[2J\\x07 é “x”\nin it\n"


def test_another_error_is_no_business_of_the_disk(monkeypatch):
    def fails(argv):
        raise FileNotFoundError(errno.ENOENT, "gone", "a/file")

    monkeypatch.setattr(clean, "main", fails)
    with pytest.raises(FileNotFoundError):
        command.main(["clean"])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipe that is closed from the other side, and no /dev/full")
@pytest.mark.parametrize("task", ["help", "data", "record"])
def test_who_reads_the_output_may_stop_reading(task):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-m", "pencil", task], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, encoding="utf-8")
    os.close(writer)
    assert (done.returncode, done.stderr) == (command.UNREAD, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full is Linux's")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("task", ["help", "data"])
def test_a_full_disk_behind_the_output_is_told_once(task, unbuffered):
    alike = {"cwd": ROOT, "stderr": subprocess.PIPE, "encoding": "utf-8", "env": os.environ | {"PYTHONUNBUFFERED": unbuffered}}
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-m", "pencil", task], stdout=full, **alike)
    assert done.returncode == 1 and done.stderr == "a file could not be written or read: No space left on device. Make room, and type it again.\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full is Linux's")
def test_a_full_disk_behind_the_help_of_a_task_is_told():
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-m", "pencil", "clean", "--help"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, encoding="utf-8")
    assert done.returncode == 1 and done.stderr.endswith("No space left on device. Make room, and type it again.\n") and done.stderr.count("\n") == 1


def test_a_full_disk_is_told_by_the_file_that_was_to_be_written(tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert command.main(["worksheet", "--topic", "softmax", "--to", str(tmp_path)]) == 1
    said = f"{tmp_path / 'softmax-7.html'} could not be written or read: No space left on device. Make room, and type it again.\n"
    assert capsys.readouterr().err == said and not list(tmp_path.iterdir())


def test_a_writer_whose_disk_has_become_full_while_it_was_trained_is_kept_elsewhere(tmp_path, monkeypatch):
    def save(file, writer):
        if Path(file).parent == tmp_path / "full":
            raise OSError(errno.ENOSPC, "No space left on device")
        Path(file).write_text(writer, encoding="utf-8")

    monkeypatch.setattr("pencil.experiments.writer.tiny_gpt.save", save)
    monkeypatch.setattr(experiment_writer, "mkdtemp", lambda prefix: str(tmp_path))
    with pytest.raises(TaskError, match=rf"w could not be written \(No space left on device\); the writer is kept in {tmp_path / 'w'}: move it"):
        experiment_writer._keep("trained", tmp_path / "full/w")
    assert (tmp_path / "w").read_text(encoding="utf-8") == "trained"


def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path, monkeypatch):
    file = tmp_path / "05_x.ipynb"
    file.write_text("old", encoding="utf-8")

    def full(*_):
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patched, pytest.raises(OSError, match="full"):
        patched.setattr(os, "replace", full)
        write_whole(file, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["05_x.ipynb"] and file.read_text(encoding="utf-8") == "old"
    write_whole(file, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["05_x.ipynb"] and file.read_text(encoding="utf-8") == "new"


def test_what_a_killed_writer_left_is_removed_by_a_later_one_and_what_another_is_at_stays(tmp_path):
    old, young, other = (tmp_path / name for name in (".a[1].md.x.part", ".a[1].md.y.part", ".b.md.x.part"))
    for half in (old, young, other):
        half.write_text("half", encoding="utf-8")
    for half in (old, other):
        os.utime(half, (time.time() - FORGOTTEN - 60,) * 2)
    write_whole(tmp_path / "a[1].md", "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == [young.name, other.name, "a[1].md"]
