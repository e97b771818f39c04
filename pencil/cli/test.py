"""Run the tests in stages. A failing stage does not stop the later ones; the exit code is 1 if any stage fails."""

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic

from pencil.cli import browser
from pencil.cli.arguments import help_of_words
from pencil.errors import TaskError
from pencil.paths import ROOT, chapter_sources

BROWSER = "tests/browser"
SLOW = ("tests/jupyterlab", "tests/lighthouse", "tests/peers")  # they need packages that `make test` does not install
NOW = {"tests/browser": "every_page kata_phone lab lab_undo live_rows numbers reading translated"}  # of this folder `make test` has these
LONG = {  # files left to `make test-slow`, so that `make test` stays within five minutes
    "tests": "package rounding",
    "tests/book": "gallery path search search_terms slides teaching",
    "tests/checker": "dependencies what_a_reader_sees",
    "tests/cli": "cli_book cli_chapter_check cli_env cli_killed cli_light cli_start",
    "tests/exercises": "exercises_alone exercises_checking exercises_generation exercises_mistakes exercises_mistakes_told_apart"
    " exercises_page_exercises exercises_stale exercises_verdicts exercises_walk_back exercises_worksheet exercises_wrong_turns",
    "tests/experiments": "alignment alignment_chat contest_exam contest_tasks experiment_command facts_vectors pretrained training_checkpoint"
    " training_loop vision_page_digits writer_heads writer_samples writer_tiny_gpt",
    "tests/model": "model_cache model_descriptions model_experts model_fast_paths model_generate model_grads model_lstm model_paths"
    " model_properties model_rnn model_today",
    "tests/reference": "reference_block_against_loops reference_lstm reference_model_properties speculative",
    "tests/trace": "trace_backward trace_bill",
    "tests/web": "bpe_parity format_parity fraction_parity node opened_parity rounding_parity worked_parity",
    "tests/widgets": "bits_lab labs_of_learning writer_program",
    "tests/worked": "worked_lines_hold worked_sheet",
}
SERVED = ("tests/jupyterlab", "tests/lighthouse")  # they start servers
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # two workers with several threads each oversubscribe the cores, which can be 18 times as slow
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}  # off, whatever the user has: what one process has compiled, a hundred others need not
TWO = ["-n", "2"]  # workers of pytest-xdist; tests/conftest.py distributes whole files
PLAIN = ["-p", "no:nbval"]  # for stages without notebooks: loading nbval takes every worker a second
NOTEBOOKS = ["--dist", "loadfile", "--nbval", "--nbval-current-env", "--nbval-cell-timeout", "300"]
LATER = ("08_contest", "13b_descent", "14_tiny_gpt", "15_vit")  # chapters that train
# and the last chapters, on which no other one depends
LATER += ("14b_chatbot", "14c_rematch", "16_modern_block", "17_cache", "17b_linear_attention", "17c_sparse_attention")
LATER += ("18_flash_attention", "19_experts", "20_fewer_bits", "21_speculative", "22_open_gpt2")


def main(argv):
    """`python -m pencil test`, which `make test` runs. With arguments it is one pytest run, without slow tests unless they are named."""
    if argv:
        asked = "-m" in argv or any(map(is_slow, argv))
        return pytest(*([] if asked else ["-m", "not slow"]), *argv)
    now = (f"notebooks/{source.stem}.ipynb" for source in chapter_sources(ROOT / "notebooks") if source.stem not in LATER)
    again = ["test", *TWO, *NOTEBOOKS, *now]  # they take longer than the book and the check
    return run_all(
        ("book, numbers, notebooks fresh and run again", lambda: side_by_side(["book"], ["check"], again)),  # the book says which are stale
        ("unit tests", lambda: pytest("tests", *PLAIN, *TWO, "-m", "not slow", *(f"--ignore={folder}" for folder in (BROWSER, *SLOW)))),
        ("browser", lambda: browser_tests(BROWSER, *PLAIN, *TWO, "-m", "not slow")),
    )


def is_slow(path):  # -> bool
    """Whether a path, as pytest takes it, is a file of slow tests, or is in a folder of them or is that folder."""
    path = Path(path.partition("::")[0])
    path = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    name, folder = path.stem.removeprefix("test_"), path.parent.as_posix()
    if folder in NOW:
        return name not in NOW[folder].split()
    return name in LONG.get(folder, "").split() or any(path.is_relative_to(slow) for slow in SLOW)


def slow(argv):
    """`python -m pencil test-slow`, which `make test-slow` runs."""
    help_of_words(
        argv, "test-slow", "[WORD ...]", "Run the slow tests in stages. Words go to pytest: -k WORD chooses tests, -x stops at the first failure."
    )
    tests = ["tests", *TWO, "--no-loadscope-reorder", *(f"--ignore={folder}" for folder in (BROWSER, *SERVED))]
    return run_all(
        ("peers and long runs", lambda: pytest(*tests, "-m", "slow and not hypothesis", *argv)),
        ("properties with many examples", lambda: pytest(*tests, "-m", "hypothesis", "--hypothesis-profile", "many", *argv)),
        ("the other notebooks, run again", lambda: pytest(*TWO, *NOTEBOOKS, *later())),
        ("browser, the rest", lambda: browser_tests(BROWSER, *TWO, "-m", "slow", *argv)),
        ("JupyterLab and Lighthouse", lambda: browser_tests(*SERVED, *PLAIN, *TWO, "-m", "slow", *argv)),
    )


def later():  # -> list of str
    """The notebooks that are re-run with the slow tests."""
    return [f"notebooks/{name}.ipynb" for name in LATER]


def browser_tests(*args):
    """Find a browser and build the book before pytest starts, so that a missing browser is reported once, not in every test."""
    os.environ["CHROMIUM"] = browser.find()
    return pencil("book") or pytest(*args)


def side_by_side(*commands):  # lists of words -> int
    """Run pencil commands in parallel; the output of each is printed when it has finished."""
    piped = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
    running = [subprocess.Popen([sys.executable, "-m", "pencil", *words], **piped) for words in commands]
    for words, process in zip(commands, running, strict=True):
        print(f"python -m pencil {' '.join(words)}\n{process.communicate()[0]}", flush=True)
    return int(any(process.returncode for process in running))  # not max: the code is negative if a signal ended the process


def run_all(*stages):
    """Run every stage (name, function), then print a summary line for each, with its minutes and seconds."""
    results = []
    for name, stage in stages:
        print(f"\n---- {name} ----", flush=True)
        began = monotonic()
        try:
            status = stage()
        except TaskError as wrong:
            print(wrong)
            status = 1
        results.append((name, status, int(monotonic() - began)))
    print()
    for name, status, seconds in results:
        print(f"{'ok' if status == 0 else 'FAILED':<6} {seconds // 60:>2}:{seconds % 60:02} {name}")
    return int(any(status for _, status, _ in results))


def pytest(*args):
    """Run pytest in a subprocess."""
    return subprocess.run([sys.executable, "-m", "pytest", *args], cwd=ROOT, env=ONE_THREAD | os.environ | COMPILED).returncode


def pencil(*args):
    """Run another task in a subprocess."""
    return subprocess.run([sys.executable, "-m", "pencil", *args], cwd=ROOT).returncode
