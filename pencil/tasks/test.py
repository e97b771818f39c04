"""Run the tests: each stage runs whatever the one before it said, and the worst of them is the answer."""

import os
import subprocess
import sys

from pencil.clone import ROOT, TaskError
from pencil.tasks import browser

BROWSER = "tests/browser"
SLOW = ("tests/lab", "tests/lighthouse", "tests/peers")  # they need packages that `make test` does not install
ALONE = ("tests/lab", "tests/lighthouse")  # they start servers and measure time
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # two workers share the cores: threads that wait for each other make a cell of 10 seconds take 180
NOTEBOOKS = ["-n", "2", "--dist", "loadfile", "--nbval", "--nbval-current-env", "--nbval-cell-timeout", "300", "notebooks"]


def main(argv):
    """`python -m pencil test`: what `make test` runs. Arguments go to one pytest, which leaves slow tests out unless it is asked for them."""
    if argv:
        asked = "-m" in argv or any(map(is_slow, argv))
        return pytest(*([] if asked else ["-m", "not slow"]), *argv)
    return run_all(
        ("unit tests", lambda: pytest("tests", "-n", "2", "-m", "not slow", *(f"--ignore={folder}" for folder in (BROWSER, *SLOW)))),
        ("notebooks, run again", lambda: pytest(*NOTEBOOKS)),
        ("notebooks fresh", lambda: pencil("notebooks", "--check")),
        ("numbers", lambda: pencil("check")),
        ("browser", lambda: browser_tests(BROWSER, "-n", "2", "--dist", "loadfile")),
    )


def is_slow(path):  # -> bool
    """Is it a folder of slow tests, or in one? (tests/labs is not in tests/lab.)"""
    return any(f"{path}/".startswith(f"{folder}/") for folder in SLOW)


def slow(argv):
    """`python -m pencil test-slow`: what `make test-slow` runs."""
    long = ["tests", "-m", "slow", "-n", "2", "--dist", "loadfile", *(f"--ignore={folder}" for folder in (BROWSER, *ALONE))]
    return run_all(
        ("peers and long runs", lambda: pytest(*long, *argv)),
        ("JupyterLab and Lighthouse", lambda: browser_tests(*ALONE, "-m", "slow", *argv)),
    )


def browser_tests(*args):
    """The book is built and a browser found before the first test starts, so that what lacks is said once."""
    os.environ["CHROMIUM"] = browser.find()
    return pencil("book") or pytest(*args)


def run_all(*stages):
    """Run every stage, then say in one line each how it went."""
    results = []
    for name, stage in stages:
        print(f"\n---- {name} ----", flush=True)
        try:
            results.append((name, stage()))
        except TaskError as wrong:
            print(wrong)
            results.append((name, 1))
    print()
    for name, status in results:
        print(f"{'ok' if status == 0 else 'FAILED':<6} {name}")
    return int(any(status for _, status in results))


def pytest(*args):
    """One pytest run of its own, so that its closing line stands by itself."""
    return subprocess.run([sys.executable, "-m", "pytest", *args], cwd=ROOT, env=ONE_THREAD | os.environ).returncode


def pencil(*args):
    """Another task."""
    return subprocess.run([sys.executable, "-m", "pencil", *args], cwd=ROOT).returncode
