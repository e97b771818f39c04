"""Run the tests: each stage runs whatever the one before it said, and the worst of them is the answer."""

import os
import subprocess
import sys

from pencil.cli import browser
from pencil.errors import TaskError
from pencil.paths import ROOT

BROWSER = "tests/browser"
SLOW = ("tests/jupyterlab", "tests/lighthouse", "tests/peers")  # they need packages that `make test` does not install
ALONE = ("tests/jupyterlab", "tests/lighthouse")  # they start servers and measure time
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # two workers share the cores: threads that wait for each other make a cell of 10 seconds take 180
TWO = ["-n", "2"]  # tests/conftest.py gives each of them whole files
PLAIN = ["-p", "no:nbval"]  # where no notebook is run: nbval takes a second to load, in every worker
NOTEBOOKS = ["--dist", "loadfile", "--nbval", "--nbval-current-env", "--nbval-cell-timeout", "300"]
LATER = ("08_contest", "14_tiny_gpt", "15_vit")  # chapters that train for minutes
# and the last ones, which nothing builds on
LATER += ("14b_chatbot", "16_modern_block", "17_cache", "18_flash_attention", "19_experts", "20_fewer_bits", "21_speculative", "22_open_gpt2")


def main(argv):
    """`python -m pencil test`: what `make test` runs. Arguments go to one pytest, which leaves slow tests out unless it is asked for them."""
    if argv:
        asked = "-m" in argv or any(map(is_slow, argv))
        return pytest(*([] if asked else ["-m", "not slow"]), *argv)
    again = ["test", *NOTEBOOKS, "notebooks", *(f"--ignore={path}" for path in later())]  # on the core that the book leaves free
    return run_all(
        ("book, numbers, notebooks fresh and run again", lambda: side_by_side(["book"], ["check"], ["notebooks", "--check"], again)),
        ("unit tests", lambda: pytest("tests", *PLAIN, *TWO, "-m", "not slow", *(f"--ignore={folder}" for folder in (BROWSER, *SLOW)))),
        ("browser", lambda: browser_tests(BROWSER, *PLAIN, *TWO, "-m", "not slow")),
    )


def is_slow(path):  # -> bool
    """Is it a folder of slow tests, or in one?"""
    return any(f"{path}/".startswith(f"{folder}/") for folder in SLOW)


def slow(argv):
    """`python -m pencil test-slow`: what `make test-slow` runs."""
    long = ["tests", "-m", "slow", *TWO, *(f"--ignore={folder}" for folder in (BROWSER, *ALONE))]
    return run_all(
        ("peers and long runs", lambda: pytest(*long, *argv)),
        ("properties with many examples", lambda: pytest(*TWO, "tests", "-m", "hypothesis and not slow", "--hypothesis-profile", "many", *argv)),
        ("the other notebooks, run again", lambda: pytest(*TWO, *NOTEBOOKS, *later())),
        ("browser, the rest", lambda: browser_tests(BROWSER, *TWO, "-m", "slow", *argv)),
        ("JupyterLab and Lighthouse", lambda: browser_tests(*ALONE, "-m", "slow", *argv)),
    )


def later():  # -> list of str
    """The notebooks that are run again with the slow tests."""
    return [f"notebooks/{name}.ipynb" for name in LATER]


def browser_tests(*args):
    """The book is built and a browser found before the first test starts, so that what lacks is said once."""
    os.environ["CHROMIUM"] = browser.find()
    return pencil("book") or pytest(*args)


def side_by_side(*commands):  # lists of words -> int
    """Run pencil commands at once, a core each; what each of them says is printed when it has ended."""
    piped = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
    running = [subprocess.Popen([sys.executable, "-m", "pencil", *words], **piped) for words in commands]
    for words, process in zip(commands, running, strict=True):
        print(f"python -m pencil {' '.join(words)}\n{process.communicate()[0]}", flush=True)
    return int(any(process.returncode for process in running))  # of a process that a signal ended it is below 0


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
