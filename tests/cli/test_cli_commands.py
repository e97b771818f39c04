"""Every task reports missing requirements in one sentence before it does anything."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

import pencil.__main__ as command
from pencil.cli import bench, env, serve, test
from pencil.paths import ROOT


@pytest.mark.parametrize("name", command.NEEDS)
def test_a_task_that_lacks_a_module_names_both_commands_to_type(name, monkeypatch, capsys):
    group, (*_, last) = command.NEEDS[name]
    monkeypatch.setattr(command, "find_spec", lambda module: None if module == last else True)
    assert command.main([name, "some path"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"needs {last}," in said
    assert f"-m pencil env {group}`, then `" in said and f"-m pencil {name} 'some path'`" in said


def test_what_the_tasks_need_is_what_their_groups_install():
    assert set(command.NEEDS) <= set(command.TASKS) and {group for group, _ in command.NEEDS.values()} <= set(env.GROUPS)
    assert all(find_spec(module) for name in ("book", "test", "notebooks", "check", "format") for module in command.NEEDS[name][1])


@pytest.mark.parametrize("folder, names", [*test.LONG.items(), *test.NOW.items()])
def test_a_file_that_is_named_for_a_stage_is_there(folder, names):
    assert [name for name in names.split() if not (ROOT / folder / f"test_{name}.py").is_file()] == []


def test_a_plain_python_is_told_what_to_type():
    """-S hides the installed packages; the message needs none of them."""
    done = subprocess.run([sys.executable, "-S", "-m", "pencil", "book"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "env book`, then `" in done.stderr and "Traceback" not in done.stderr


def test_the_help_of_serve_needs_no_package():
    done = subprocess.run([sys.executable, "-S", "-m", "pencil", "serve", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "in JupyterLab" in done.stdout and not done.stderr


def test_help_that_needs_a_package_says_what_to_type():
    done = subprocess.run([sys.executable, "-S", "-m", "pencil", "book", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "env book`, then `" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["worksheet", "--chapter", "06"], ["worksheet", "--nbgrader=06"]])
def test_the_questions_of_a_chapter_need_its_source(words, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(command, "ROOT", tmp_path)
    assert command.main(words) == 1
    assert f"`python -m pencil worksheet {words[1].partition('=')[0]}` needs a clone" in capsys.readouterr().err


def test_an_option_that_is_not_typed_whole_is_told(capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["worksheet", "--chap", "06"])
    assert ended.value.code == 2 and "unrecognized arguments: --chap 06. Did you mean '--chapter'?" in capsys.readouterr().err


@pytest.mark.parametrize("program, word", [("/usr/bin/python3.12", "python3.12"), ("/opt/python/python.exe", "python")])
def test_the_python_to_type_is_the_one_that_runs(program, word, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(command.sys, "executable", program)
    monkeypatch.setattr(command.sys, "prefix", str(tmp_path))
    monkeypatch.setattr(command, "find_spec", lambda module: None)
    assert command.main(["book"]) == 1 and f"type `{word} -m pencil env book`" in capsys.readouterr().err
    monkeypatch.setattr(command, "ROOT", tmp_path)
    assert command.main(["check", "06"]) == 1 and f"type `{word} -m pip install numpy`" in capsys.readouterr().err


def test_without_a_clone_a_missing_module_is_installed_by_pip(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "find_spec", lambda module: None if module in ("myst_parser", "yaml") else True)
    assert command.main(["check", "06"]) == 1
    said = capsys.readouterr().err
    assert said.endswith("-m pip install pyyaml`.\n") and "env" not in said


def test_an_installed_package_without_its_clone_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(command, "ROOT", tmp_path)
    for name in set(command.TASKS) - command.ANYWHERE:
        assert command.main([name]) == 1
        assert "needs a clone of the repository: git clone https://" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.fixture
def served_with(monkeypatch):
    """The command that `serve` would become."""
    monkeypatch.setattr(serve.os, "execv", lambda path, words: words)
    monkeypatch.setattr(serve, "sign", lambda: 0)
    return lambda *argv: serve.main(list(argv))


@pytest.mark.skipif(sys.platform == "win32", reason="there it is no exec")
def test_serve_opens_the_chapters_unless_a_path_is_given(served_with):
    chapters = str(ROOT / "notebooks")
    assert chapters in served_with() and chapters in served_with("--no-browser", "--port", "8899")
    assert chapters not in served_with("--no-browser", str(ROOT / "book"))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no root")
@pytest.mark.parametrize("user, allowed", [(0, True), (1000, False)])
def test_serve_runs_as_root_where_it_must(served_with, monkeypatch, user, allowed):
    monkeypatch.setattr(serve.os, "geteuid", lambda: user)
    assert ("--allow-root" in served_with()) is allowed


@pytest.mark.parametrize("words, slow", [(["tests/book"], False), (["tests/peers"], True), (["tests/book", "-m", "slow"], True)])
def test_slow_tests_stay_out_of_a_part_unless_they_are_asked_for(monkeypatch, words, slow):
    monkeypatch.setattr(test, "pytest", lambda *args: args)
    assert test.main(words) == tuple(words if slow else ["-m", "not slow", *words])


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_process_that_a_signal_ended_has_failed(monkeypatch, tmp_path):
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks/a.py").write_text(killed)
    (tmp_path / "benchmarks/b.py").write_text("")
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    assert bench.main([]) == 1 and bench.main(["b"]) == 0
    (tmp_path / "pencil.py").write_text(f"import sys\nif 'killed' in sys.argv: {killed}")
    monkeypatch.setattr(test, "ROOT", tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)  # or the package itself would come first
    assert test.side_by_side(["killed"], ["done"]) == 1 and test.side_by_side(["done"]) == 0
