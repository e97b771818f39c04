"""Making `.venv`: what each package is checked against, where torch comes from, one process at a time, and a Python that has gone."""

import hashlib
import importlib.metadata
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pip
import pytest

from pencil.__main__ import NEEDS
from pencil.cli import env
from pencil.errors import TaskError
from pencil.paths import ROOT

PINS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
CLOSED = "http://127.0.0.1:9/whl"


def locked(name):
    """What a file of pins has: {package: version}."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(encoding="utf-8"), re.M))


def wheel(folder, name, version):
    """A package of one line in a simple index, and the hash of its file."""
    place = folder / name.lower()
    place.mkdir(parents=True, exist_ok=True)
    file, about = place / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr(f"{name}.py", f"version = {version!r}\n")
        made.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        made.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        made.writestr(f"{about}/RECORD", f"{name}.py,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n")
    (place / "index.html").write_text("".join(f'<a href="{path.name}">{path.name}</a>' for path in place.glob("*.whl")), encoding="utf-8")
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture
def bare(tmp_path):
    """A function that makes an environment with no package but the pip of this Python, which is quicker than to install one."""
    shared = tmp_path / "shared"
    shared.mkdir()
    for part in (Path(pip.__file__).parent, importlib.metadata.distribution("pip")._path):
        (shared / part.name).symlink_to(part)

    def made(folder, **_):
        venv.EnvBuilder(clear=True, symlinks=True).create(folder)
        (next(folder.glob("lib/python*/site-packages")) / "pip.pth").write_text(str(shared), encoding="utf-8")

    return made


@pytest.fixture
def clone(tmp_path, bare, monkeypatch):
    """A clone with an empty `.venv`, whose packages are torch and six, both in two indexes."""
    usual, other = tmp_path / "usual", tmp_path / "other"
    good = wheel(usual, "six", "1.17.0")
    wheel(usual, "torch", "2.13.0"), wheel(other, "torch", "2.13.0+cpu"), wheel(other, "six", "1.17.0+evil")
    (tmp_path / "requirements-torch.txt").write_text("torch==2.13.0\n", encoding="utf-8")
    (tmp_path / "requirements-run.txt").write_text("-r requirements-torch.txt\nsix==1.17.0\n", encoding="utf-8")
    own = re.search(r"^pip==(?:.*\\\n)*.*", PINS, re.M)[0]
    (tmp_path / "constraints.txt").write_text(f"{own}\nsix==1.17.0 \\\n    --hash=sha256:{good}\n", encoding="utf-8")
    monkeypatch.setattr(env, "ROOT", tmp_path)
    monkeypatch.setattr(env, "VENV", tmp_path / ".venv")
    bare(env.VENV)
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)  # whoever runs this may have a further index
    monkeypatch.setenv("PIP_INDEX_URL", usual.as_uri())
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.delenv("TORCH_INDEX", raising=False)
    monkeypatch.setattr(env, "NVIDIA", ("no/such/device",))
    monkeypatch.setattr(env, "CPU_INDEX", CLOSED)
    monkeypatch.setattr(env.sys, "platform", "linux")
    return tmp_path


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the folders of an environment have other names there")


def installed():
    return {name: env._version_of(name) for name in ("six", "torch")}


# ---- where packages come from


def test_an_index_that_is_named_for_torch_gives_torch_alone_and_is_asked_once(clone, monkeypatch, capfd):
    monkeypatch.setenv("TORCH_INDEX", (clone / "other").as_uri())
    env._install_packages("run")
    assert installed() == {"six": "1.17.0", "torch": "2.13.0+cpu"}
    monkeypatch.delenv("TORCH_INDEX")
    monkeypatch.setattr(env.urllib.request, "urlopen", lambda *args, **kwargs: pytest.fail("torch is there"))
    env._install_packages("run")
    assert installed()["torch"] == "2.13.0+cpu" and capfd.readouterr().out == ""


@pytest.mark.parametrize("name, version", [("six", "1.17.0+other"), ("idle", "1.0")])
def test_a_file_whose_hash_is_not_pinned_is_refused(clone, monkeypatch, capfd, name, version):
    """A version that pip prefers to the pinned one, and a package that is not pinned."""
    wheel(clone / "usual", name, version)
    (clone / "requirements-run.txt").write_text(f"{name}=={version.partition('+')[0]}\n", encoding="utf-8")
    with pytest.raises(TaskError, match="could not install"):
        env._install_packages("run")
    assert f"{name}==" in capfd.readouterr().err and not env._version_of(name)


def test_a_linux_without_a_device_takes_torch_without_cuda_by_itself(clone, over_http, monkeypatch, capfd):
    with over_http(clone / "other") as address:
        monkeypatch.setattr(env, "CPU_INDEX", address)
        env._install_packages("run")
    said = capfd.readouterr().out
    assert installed() == {"six": "1.17.0", "torch": "2.13.0+cpu"}
    assert said.count("\n") == 1 and said.startswith("There is no NVIDIA device") and "TORCH_INDEX" in said


def test_where_that_index_does_not_answer_torch_comes_from_the_usual_one(clone, capfd):
    env._install_packages("run")
    said = capfd.readouterr().out
    assert installed() == {"six": "1.17.0", "torch": "2.13.0"}
    assert said.count("\n") == 1 and said.startswith(f"{CLOSED} does not answer: torch comes from the usual index")


@pytest.mark.parametrize("lacks", ["the version", "torch"])
def test_so_it_does_where_that_index_lacks_torch(clone, over_http, monkeypatch, lacks):
    (clone / "empty").mkdir()
    if lacks == "the version":
        wheel(clone / "empty", "torch", "2.9.0+cpu")
    with over_http(clone / "empty") as address:
        monkeypatch.setattr(env, "CPU_INDEX", address)
        assert env._index_without_cuda("2.13.0") == "default"


@pytest.mark.parametrize("system, device", [("darwin", False), ("linux", True)])
def test_no_index_is_asked_elsewhere(clone, monkeypatch, capsys, system, device):
    monkeypatch.setattr(env.sys, "platform", system)
    monkeypatch.setattr(env, "NVIDIA", (str(clone.relative_to("/") / "constraints*.txt"),) if device else ())
    monkeypatch.setattr(env.urllib.request, "urlopen", lambda *args, **kwargs: pytest.fail("nothing may be asked"))
    assert env._index_without_cuda("2.13.0") == "default"
    assert capsys.readouterr().out == ""


def test_an_index_that_gives_no_torch_is_told_at_once(clone, monkeypatch):
    for address in (CLOSED, (clone / "shared").as_uri()):
        monkeypatch.setenv("TORCH_INDEX", address)
        with pytest.raises(TaskError, match=f"{address} gives no torch 2.13.0: .* TORCH_INDEX=default"):
            env._install_torch()


# ---- the pins


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-next.txt"])
def test_every_package_is_pinned_once_with_its_hashes_and_torch_is_not_among_them(name):
    pins = (ROOT / name).read_text(encoding="utf-8")
    rest, count = re.subn(r"^[\w.-]+==.*(?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+\n", "", pins, flags=re.M)
    assert count == len(locked(name)) > 50 and "torch" not in locked(name)
    assert all(line.startswith("#") for line in rest.splitlines())


@pytest.mark.parametrize("list_", sorted(ROOT.glob("requirements*.txt")), ids=lambda path: path.stem)
def test_what_a_list_asks_for_is_what_is_pinned(list_):
    asked = re.findall(r"^([\w.-]+)==(\S+)", list_.read_text(encoding="utf-8"), re.M)
    pinned = locked("constraints-next.txt" if "next" in list_.stem else "constraints.txt")
    assert asked and {name: version for name, version in asked if pinned.get(name) != version}.keys() == {"torch"} & dict(asked).keys()


def test_the_stamp_of_an_environment_does_not_hang_on_where_torch_came_from(monkeypatch):
    monkeypatch.delenv("TORCH_INDEX", raising=False)
    plain = env._pins_hash("test")
    monkeypatch.setenv("TORCH_INDEX", "https://download.pytorch.org/whl/cpu")
    assert env._pins_hash("test") == plain


def test_make_installs_for_each_task_what_the_task_says_that_it_needs():
    rules = re.findall(r"^([a-z][a-z -]*):\n\t@\$\(PYTHON\) -m pencil env (\w+)\n\t@", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert {name: group for names, group in rules for name in names.split()} == {name: group for name, (group, _) in NEEDS.items()}


# ---- one at a time, and anew


MAKES = """
import sys, time
from pathlib import Path
from pencil.cli import env
env.ROOT, env.VENV = Path(sys.argv[1]), Path(sys.argv[1], ".venv")
env.runs, env._install = lambda: env.VENV.exists(), lambda *args: None
def made():
    env.VENV.mkdir()  # twice is an error
    time.sleep(1)
env._make_venv, env._install_packages = made, lambda group: None
env.ensure("book")
"""


def test_two_processes_make_it_once(tmp_path):
    for name in ("requirements.txt", "constraints.txt", "pyproject.toml"):
        (tmp_path / name).write_text("", encoding="utf-8")
    command = [sys.executable, "-c", MAKES, tmp_path]
    both = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(2)]
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert "".join(said).count("Installing the packages") == 1


@pytest.mark.parametrize("change", ["the Python has gone", "the Python is another one"])
def test_an_environment_of_another_python_is_made_anew(clone, bare, monkeypatch, change):
    (clone / "pyproject.toml").touch()
    asked = []
    monkeypatch.setattr(env, "_install_packages", asked.append)
    monkeypatch.setattr(env, "_install", lambda *args: None)
    monkeypatch.setattr(env.venv, "create", bare)
    env.ensure("run")
    env.ensure("run")
    assert asked == ["run"]  # the second time it stands
    if change == "the Python has gone":
        env.venv_python().unlink()
        env.venv_python().symlink_to(clone / "gone")
    else:
        lib = next(env.VENV.glob("lib/python*"))
        lib.rename(lib.with_name("python3.1"))
    env.ensure("run")
    assert asked == ["run", "run"] and env.runs() and not list(env.VENV.glob("lib/python3.1"))


def test_what_was_installed_by_other_pins_is_installed_again(clone, bare, monkeypatch):
    pins, asked = clone / "pyproject.toml", []
    (clone / "requirements.txt").write_text("", encoding="utf-8")
    monkeypatch.setattr(env, "_install_packages", asked.append)
    monkeypatch.setattr(env, "_install", lambda *args: None)
    monkeypatch.setattr(env.venv, "create", bare)
    for text, group in (("a", "run"), ("b", "book"), ("a", "run")):  # as with two branches in turn
        pins.write_text(text, encoding="utf-8")
        env.ensure(group)
    assert asked == ["run", "book", "run"]
