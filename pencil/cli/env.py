"""Create `.venv` and install the pinned packages. Uses the standard library only, since it runs before anything is installed."""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import urllib.request
import venv
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

from pencil.errors import Parser, TaskError, did_you_mean
from pencil.paths import ROOT

VENV = ROOT / ".venv"
GROUPS = {
    "book": "requirements.txt",
    "run": "requirements-run.txt",
    "test": "requirements-test.txt",
    "serve": "requirements-serve.txt",
    "slow": "requirements-slow.txt",
}
TORCH = "requirements-torch.txt"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"  # torch without CUDA
NVIDIA = ("dev/nvidia*", "proc/driver/nvidia", "usr/lib/wsl/lib/nvidia-smi")  # Linux has one of them where it sees such a device


def venv_python(folder=None):  # -> Path
    """The interpreter inside an environment: `.venv`, or another one."""
    return (folder or VENV) / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ensure(group="book"):
    """Bring `.venv` up to date for one group of packages (a key of GROUPS); a second process waits for the first.

    A stamp file with a hash of the pins tells whether anything has to be installed. Where torch comes from is not part of the hash,
    since it does not change what is pinned.
    """
    if _stands(group):
        return
    with _alone():
        if _stands(group):  # another process may have made it while this one waited
            return
        _make_venv()
        for covered in GROUPS:  # what was installed by other pins will not be as it was
            if not _is_stamped(covered):
                (VENV / f"{covered}.stamp").unlink(missing_ok=True)
        print(f"Installing the packages for '{group}' into {VENV.name}; the first time takes some minutes.", flush=True)
        _install_packages(group)
        _install("--no-deps", "--no-build-isolation", "--editable", ".")
        for covered, name in GROUPS.items():
            if name in _read_along(GROUPS[group]):
                (VENV / f"{covered}.stamp").write_text(_pins_hash(covered), encoding="utf-8")


def _stands(group):
    return _is_stamped(group) and runs()


def _is_stamped(group):
    stamp = VENV / f"{group}.stamp"
    return stamp.exists() and stamp.read_text(encoding="utf-8") == _pins_hash(group)


def runs(folder=None):
    """Whether the Python of an environment runs and finds its packages. It does neither once the Python that it was made from has gone or changed."""
    try:
        return subprocess.run([venv_python(folder), "-I", "-c", "import pip"], capture_output=True).returncode == 0
    except OSError:
        return False


@contextmanager
def _alone():
    """Hold the lock of `.venv`, which lies beside it. The operating system releases it even if the process is killed."""
    with open(f"{VENV}.lock", "a") as lock:
        try:
            _lock(lock, wait=False)
        except OSError:
            print(f"Another process makes {VENV.name}. This one waits for it.", flush=True)
            _lock(lock, wait=True)
        yield


def _lock(file, wait):
    if os.name != "nt":
        import fcntl

        return fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    import msvcrt

    while True:
        try:
            return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:  # LK_LOCK gives up after ten seconds
            if not wait:
                raise


def _make_venv():
    if runs():
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise TaskError("This Python has no ensurepip, so it cannot make .venv. On Debian or Ubuntu: apt-get install python3-venv")
    venv.create(VENV, with_pip=True, clear=True)  # clear what an interrupted run, or another Python, has left


def _install_packages(group):
    """First the pinned pip, then torch if it is of the group, then the rest, of which every file must have a hash in constraints.txt."""
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    (VENV / "pip.txt").write_text(re.search(r"^pip==(?:.*\\\n)*.*", pins, re.M)[0], encoding="utf-8")
    _install("--require-hashes", "--requirement", str(VENV / "pip.txt"))
    if TORCH in _read_along(GROUPS[group]):
        _install_torch()
    _install("--require-hashes", "--only-binary", ":all:", "--constraint", "constraints.txt", "--requirement", GROUPS[group])


def _install_torch():
    """Install torch by itself: an index that is named for it gives no other package, whatever it has."""
    wanted = re.search(r"^torch==(\S+)", (ROOT / TORCH).read_text(encoding="utf-8"), re.M)[1]
    if _version_of("torch").partition("+")[0] == wanted:
        return
    index = os.environ.get("TORCH_INDEX") or _index_without_cuda(wanted)
    if index == "default":
        return _install("--no-deps", "--requirement", TORCH)
    try:
        _install("--no-deps", "--requirement", TORCH, "--index-url", index, "--retries", "1", "--timeout", "10")
    except TaskError:
        raise TaskError(
            f"{index} gives no torch {wanted}: is the address right, and is there a network? Mend it and try again, or say "
            "TORCH_INDEX=default; torch then comes from the usual index, on Linux with gigabytes of CUDA."
        ) from None


def _version_of(name):  # -> str, "" where it is not installed
    code = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
    return subprocess.run([venv_python(), "-I", "-c", code, name], capture_output=True, encoding="utf-8").stdout.strip()


def _index_without_cuda(wanted):
    """PyTorch's index of CPU wheels on a Linux without an NVIDIA device, if it answers; else "default"."""
    if sys.platform != "linux" or any(next(Path("/").glob(pattern), None) for pattern in NVIDIA):
        return "default"
    try:
        with urllib.request.urlopen(f"{CPU_INDEX}/torch/", timeout=5) as page:
            answers = f"torch-{wanted}" in page.read().decode(errors="replace")
    except (OSError, HTTPException):
        answers = False
    if not answers:
        print(f"{CPU_INDEX} does not answer: torch comes from the usual index, which may bring gigabytes of CUDA.", flush=True)
        return "default"
    print(f"There is no NVIDIA device, so torch comes without CUDA, from {CPU_INDEX} (a new .venv takes it from TORCH_INDEX).", flush=True)
    return CPU_INDEX


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
    """`python -m pencil env [book|run|test|serve|slow]`; the default is book."""
    parser = Parser(prog="python -m pencil env", description="Make .venv, and install what a group of tasks needs.")
    parser.add_argument("group", nargs="?", default="book", help=f"{', '.join(GROUPS)}; book unless named")
    group = parser.parse_args(argv).group
    if group not in GROUPS:
        raise TaskError(f"There is no group '{group}'; there are {', '.join(GROUPS)}.{did_you_mean(group, GROUPS)}")
    ensure(group)
    return 0
