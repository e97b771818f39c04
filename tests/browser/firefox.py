"""A minimal Marionette client that drives Firefox: a socket and commands in JSON."""

import json
import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager

NAMES = ("firefox-esr", "firefox")
PREFERENCES = {
    "marionette.port": 0,
    "network.proxy.type": 1,  # whatever is not this machine goes to a door that nobody answers
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


def find():  # -> str or None
    """Where a Firefox is: $FIREFOX, or on the PATH."""
    return os.environ.get("FIREFOX") or next(filter(None, map(shutil.which, NAMES)), None)


class Marionette:
    """One session."""

    def __init__(self, port):
        self.socket, self.count = socket.create_connection(("127.0.0.1", port), timeout=120), 0
        self.read()  # it says hello
        self.ask("WebDriver:NewSession")

    def read(self):
        """One message: its length, a colon, JSON."""
        size = b""
        while (sign := self.socket.recv(1)) != b":":
            size += sign
        found = b""
        while len(found) < int(size):
            found += self.socket.recv(int(size) - len(found))
        return json.loads(found)

    def ask(self, command, **what):
        """A command and its answer. Raises RuntimeError for what Firefox refuses."""
        self.count += 1
        message = json.dumps([0, self.count, command, what])
        self.socket.sendall(f"{len(message.encode())}:{message}".encode())
        _, _, wrong, answer = self.read()
        if wrong:
            raise RuntimeError(f"{command}: {wrong['message']}")
        return answer.get("value") if isinstance(answer, dict) else answer

    def run(self, script, *args, where="content"):
        """A script in the page, or (`chrome`) in the browser itself."""
        self.ask("Marionette:SetContext", value=where)
        return self.ask("WebDriver:ExecuteScript", script=script, args=list(args))

    def go(self, address):
        """Open a page."""
        self.ask("Marionette:SetContext", value="content")
        self.ask("WebDriver:Navigate", url=address)


@contextmanager
def firefox(path, profile):
    """A running Firefox without a window."""
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
    command = [path, "--headless", "--marionette", "-remote-allow-system-access", "--profile", str(profile)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(profile)})
    try:
        yield Marionette(_port(profile / "MarionetteActivePort"))
    finally:
        running.kill()
        running.wait()


def _port(file, patience=120):
    for _ in range(patience * 4):
        if file.exists() and (said := file.read_text().strip()):
            return int(said)
        time.sleep(0.25)
    raise RuntimeError("Firefox opened no door within two minutes")
