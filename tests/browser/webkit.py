"""WebKit under Selenium: WebKitGTK's own driver, on a display that nobody sees."""

import os
import subprocess
from contextlib import contextmanager

from selenium.webdriver import WebKitGTK, WebKitGTKOptions
from selenium.webdriver.webkitgtk.service import Service


@contextmanager
def webkit(path, folder):
    """A running WebKit, whose driver writes to a folder."""
    with _display() as display:
        home = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "DISPLAY": display}
        service = Service(path, log_output=str(folder / "webkit.log"), env={**os.environ, **home})
        driver = WebKitGTK(options=WebKitGTKOptions(), service=service)
        try:
            yield driver
        finally:
            driver.quit()


@contextmanager
def _display():
    """A display of Xvfb, at a number that it chooses."""
    read, write = os.pipe()
    running = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"
    finally:
        running.terminate()
        running.wait()
