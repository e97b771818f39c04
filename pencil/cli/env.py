"""Create `.venv` and install the pinned packages. Uses the standard library only, since it runs before anything is installed."""

import hashlib
import importlib.util
import os
import subprocess
import venv

from pencil.errors import Parser, TaskError, did_you_mean
from pencil.paths import ROOT

VENV = ROOT / ".venv"
GROUPS = {
    "book": "requirements.txt",
    "test": "requirements-test.txt",
    "serve": "requirements-serve.txt",
    "slow": "requirements-slow.txt",
}


def venv_python(folder=VENV):  # -> Path
    """The interpreter inside an environment: `.venv`, or another one."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ensure(group="book"):
    """Bring `.venv` up to date for one group of packages (a key of GROUPS).

    A stamp file with a hash of the pins tells whether anything has to be installed. The environment variable TORCH_INDEX names
    an additional package index for torch; it is not part of the hash, since it does not change what is pinned.
    """
    stamp = VENV / f"{group}.stamp"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == _pins_hash(group) and venv_python().exists():
        return
    _make_venv()
    extra = ["--extra-index-url", index] if (index := os.environ.get("TORCH_INDEX")) else []
    if index:
        _check_index(index)
    print(f"Installing the packages for '{group}' into {VENV.name}; the first time takes some minutes.", flush=True)
    _install("--constraint", "constraints.txt", "--requirement", GROUPS[group], *extra)
    _install("--no-deps", "--no-build-isolation", "--editable", ".")
    for covered, name in GROUPS.items():
        if name in _read_along(GROUPS[group]):
            (VENV / f"{covered}.stamp").write_text(_pins_hash(covered), encoding="utf-8")


def _make_venv():
    if venv_python().exists() and subprocess.run([venv_python(), "-m", "pip", "--version"], capture_output=True).returncode == 0:
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise TaskError("This Python has no ensurepip, so it cannot make .venv. On Debian or Ubuntu: apt-get install python3-venv")
    venv.create(VENV, with_pip=True, clear=True)  # clear what an interrupted run may have left


def _check_index(address):
    """Raise TaskError for an index without torch: pip would query it for every package, for many minutes."""
    asked = subprocess.run(_pip("index", "versions", "torch", "--index-url", address, "--retries", "1", "--timeout", "10"), capture_output=True)
    if asked.returncode:
        raise TaskError(
            f"TORCH_INDEX={address} gives no torch: is the address right, and is there a network? Mend it and try again, or leave "
            "TORCH_INDEX out; torch then comes from the usual index, on Linux with gigabytes of CUDA."
        )


def _pip(*args):  # -> the command
    return [str(venv_python()), "-m", "pip", "-qq", "--disable-pip-version-check", *args]


def _install(*args):
    if subprocess.run(_pip("install", *args), cwd=ROOT).returncode:
        raise TaskError("pip could not install the packages; its message stands above. Run the same command again once it is mended.")


def _pins_hash(group):
    digest = hashlib.sha256()
    for name in (*sorted(set(_read_along(GROUPS[group]))), "constraints.txt", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def _read_along(name):
    """Yield a requirements file and, recursively, those that it includes with -r."""
    yield name
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            yield from _read_along(line[3:].strip())


def main(argv):
    """`python -m pencil env [book|test|serve|slow]`; the default is book."""
    parser = Parser(prog="python -m pencil env", description="Make .venv, and install what a group of tasks needs.")
    parser.add_argument("group", nargs="?", default="book", help=f"{', '.join(GROUPS)}; book unless named")
    group = parser.parse_args(argv).group
    if group not in GROUPS:
        raise TaskError(f"There is no group '{group}'; there are {', '.join(GROUPS)}.{did_you_mean(group, GROUPS)}")
    ensure(group)
    return 0
