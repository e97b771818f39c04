"""Shared fixtures: the built book, a server for it, a browser."""

import gc
import os
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from pencil.cli import book, browser
from pencil.cli.test import is_slow
from pencil.paths import ROOT

os.environ.setdefault("TRITON_INTERPRET", "1")  # it must stand before any library brings Triton in; 0 where the kernels shall run on a GPU

gc.set_threshold(20_000, 20, 20)  # a worker holds a million objects; by default Python looks through them all too often

# Properties are tried with the same examples each time: some in `make test`, three times as many in `make test-slow`, in a stage of their own.
# A busy machine is no fault of theirs.
FIXED = {"deadline": None, "derandomize": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("some", max_examples=15, **FIXED)
settings.register_profile("many", max_examples=45, **FIXED)
settings.load_profile("some")

# These look at the questions of all chapters, which take seconds to make.
OF_QUESTIONS = ("checking", "hints", "mistakes", "page_exercises", "parity", "verdicts")
TOGETHER = {f"tests/exercises/test_exercises_{name}.py": "the questions of the chapters" for name in OF_QUESTIONS}
TOGETHER |= {f"tests/browser/test_{name}.py": "what npm installs" for name in ("markup", "old_browsers")}
# With --no-loadscope-reorder these files of few, long tests begin first, so that no worker is left alone with one at the end.
MINUTES = "cli_chapter cli_killed peer_sphinx dependencies exercises_mistakes_told_apart worked_parity peer_bench_all peer_nbgrader"
MINUTES = {f"test_{name}" for name in MINUTES.split()}


class ByFile(LoadScopeScheduling):
    """A file goes to one worker, which makes what its tests share once; where a test is a whole page or chapter, any worker takes it."""

    def _split_scope(self, nodeid):
        file = nodeid.partition("::")[0]
        return nodeid if file.endswith(("test_every_page.py", "test_jupyterlab.py")) else TOGETHER.get(file, file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """How the tests are shared out among the workers."""
    return ByFile(config, log)


def pytest_collection_modifyitems(items):
    """What is in a file or a folder of slow tests is slow; "long" says that it is so for no reason of its own. Files of minutes begin."""
    for item in items:
        if is_slow(item.path.relative_to(ROOT).as_posix()):
            if not item.get_closest_marker("slow"):
                item.add_marker("long")
            item.add_marker("slow")
    items.sort(key=lambda item: item.path.stem not in MINUTES)


def pytest_collection_finish():
    """What was imported and collected stays to the end, so no search for garbage has to look through it."""
    gc.freeze()


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *args):
        """Say nothing."""


@contextmanager
def serving(folder):
    """The folder over http on a free port of this machine, as an address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def over_http():
    """`with over_http(folder) as address:` serves a folder."""
    return serving


@pytest.fixture(scope="session")
def real_data():
    """`real_data("imdb")` is where a real set lies on this machine; the test is skipped, and says why, where it is absent."""
    from pencil.data import DataError
    from pencil.data.downloads import find

    def found(name, file=None):
        try:
            return find(name, file)
        except DataError as absent:
            pytest.skip(str(absent))

    return found


@pytest.fixture(scope="session")
def built():
    """The folder of the built book, as its sources are now."""
    return book.build().parent


@pytest.fixture(scope="session")
def served(built):
    """The address of the built book over http."""
    with serving(built) as address:
        yield address


@pytest.fixture(scope="session")
def chromium():
    """The path of a Chromium; there is always one, or the test fails."""
    return browser.find()


@pytest.fixture(scope="session")
def launched(chromium):
    """A running browser that can look up no host but this machine."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        shut_in = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        running = playwright.chromium.launch(executable_path=chromium, args=[*browser.flags(), shut_in])
        yield running
        running.close()
