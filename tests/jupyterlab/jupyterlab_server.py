"""A JupyterLab server for tests."""

import re
import subprocess
import sys
from contextlib import contextmanager

MINUTE = 60_000  # what Playwright counts in
ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+/)lab\?token=(\w+)")
OPENED = "() => window.jupyterapp?.shell.currentWidget?.context?.isReady && window.jupyterapp.shell.currentWidget.sessionContext.isReady"


@contextmanager
def jupyterlab(folder):
    """JupyterLab over a folder, as its address and token."""
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--port=0", "--ip=127.0.0.1"]
    command += ["--expose-app-in-browser", f"--notebook-dir={folder}", "--LabApp.news_url=''"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as server:
        try:
            found = next(filter(None, map(ADDRESS.search, server.stderr)), None)
            assert found, "JupyterLab did not start"
            yield found.groups()
        finally:
            server.terminate()
