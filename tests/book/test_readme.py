"""The commands and files that README.md, CONTRIBUTING.md and the pages name exist."""

import os
import re
from pathlib import Path

import pytest

from pencil.__main__ import TASKS

ROOT = Path(__file__).resolve().parents[2]
TOLD = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md", "book/how_to_use.md", "book/errata.md")}
README = TOLD["README.md"]
TARGETS = {name for line in re.findall(r"^([a-z][a-z -]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M) for name in line.split()}
OURS = ("transformers-by-pencil", "download.pytorch.org")  # hosts and projects a page may name
GENERATED = {".git", ".venv", "_build", "node_modules", "__pycache__", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints"}


def texts():
    """Every text of the repository that is not generated."""
    for folder, inside, files in os.walk(ROOT):
        inside[:] = sorted(name for name in inside if name not in GENERATED and not name.endswith(".egg-info"))
        for path in (Path(folder, name) for name in sorted(files) if name not in GENERATED):
            try:
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:  # a picture
                continue


@pytest.mark.parametrize("name", TOLD)
def test_every_command_is_there(name):
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", TOLD[name], re.M)) <= TARGETS
    assert set(re.findall(r"-m pencil ([a-z-]+)", TOLD[name])) <= set(TASKS)


def test_readme_has_every_command():
    rows = re.findall(r"^\| `make ([a-z-]+)` \| `python -m pencil ([a-z-]+)(?: test)?` \| (.+) \|$", README, re.M)
    assert all(target == task for target, task, _ in rows)
    assert {target for target, _, _ in rows} == TARGETS == set(TASKS)
    assert {task: says for _, task, says in rows} == {task: says for task, (_, says) in TASKS.items()}


EXAMPLES = re.findall(r"```python\n((?:from|import) .*?)```\n\n```text\n(.*?)```", README, re.S)


@pytest.mark.parametrize("code, printed", EXAMPLES, ids=["reference", "yours", "model", "description", "lab", "exercise"])
def test_the_examples_of_the_library_say_what_is_printed_below_them(code, printed, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # one saves a file
    exec(code, {})
    assert capsys.readouterr().out == printed


def test_readme_says_what_is_needed():
    needed = re.search(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))[1]
    assert f"Python {needed} or newer" in README


def test_every_file_of_the_tree_is_there():
    folder, listed = "", 0
    for line in re.search(r"```text\n(README.*?)```", README, re.S)[1].splitlines():
        indent, name = re.match(r"( *)(\S+)", line).groups()
        path = ROOT / (folder if indent else "") / name
        assert path.is_dir() if name.endswith("/") else path.is_file(), line
        folder, listed = (name if not indent and name.endswith("/") else folder), listed + 1
    assert listed > 20


def test_every_part_of_the_package_is_in_the_tree():
    parts = [p.name + "/" * p.is_dir() for p in (ROOT / "pencil").iterdir() if not p.name.startswith("_") and p.suffix != ".mplstyle"]
    for name in parts:
        assert f"\n  {name} " in README, name


def test_links_of_the_readme_lead_somewhere():
    for name in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#]+)", TOLD[name]):
            assert target.startswith("https://") or (ROOT / target).is_file(), target


def test_the_example_of_a_bound_number_is_true():
    from pencil.checker.library import Library

    (digits, reference), *_ = re.findall(r"\{v\}`(.+?) <(.+?)>`", README)
    found = Library(ROOT / "notebooks").find(f"06:{reference}")
    assert digits == f"{found.paper:.3f}"


@pytest.mark.parametrize("licence, says", [("LICENSE", "MIT License"), ("LICENSE-CONTENT", "Attribution 4.0 International")])
def test_licences(licence, says):
    text = (ROOT / licence).read_text(encoding="utf-8")
    assert says in text and "The Transformers by Pencil authors" in text


def test_no_machine_paths_and_no_registries():
    hosts = [".".join(host) for host in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("deb", "debian", "org"))]
    paths = ["/".join(("", *path, "")) for path in (("work", "main"), ("root",), ("home", "runner"), ("tmp", "plan"))]
    found = [(name, word) for name, text in texts() for word in hosts + paths if word in text]
    assert not found
