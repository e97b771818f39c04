"""Firefox under Selenium without geckodriver, which Debian does not package: Selenium's commands in Firefox's own protocol, Marionette."""

import json
import os
import socket
import subprocess
import time
from contextlib import contextmanager

from selenium.webdriver import FirefoxOptions, Remote
from selenium.webdriver.remote.command import Command

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
COMMANDS = {  # those that the tests use
    Command.NEW_SESSION: "WebDriver:NewSession",
    Command.QUIT: "WebDriver:DeleteSession",
    Command.GET: "WebDriver:Navigate",
    Command.SET_WINDOW_RECT: "WebDriver:SetWindowRect",
    Command.W3C_EXECUTE_SCRIPT: "WebDriver:ExecuteScript",
    Command.FIND_ELEMENT: "WebDriver:FindElement",
    Command.FIND_ELEMENTS: "WebDriver:FindElements",
    Command.CLICK_ELEMENT: "WebDriver:ElementClick",
    Command.CLEAR_ELEMENT: "WebDriver:ElementClear",
    Command.SEND_KEYS_TO_ELEMENT: "WebDriver:ElementSendKeys",
    Command.PRINT_PAGE: "WebDriver:Print",
}


class Marionette:
    """What Selenium takes for a connection to a driver."""

    def __init__(self, port):
        self.socket, self.count = socket.create_connection(("127.0.0.1", port), timeout=300), 0
        self.read()  # it says hello

    def read(self):
        """One message: its length, a colon, JSON."""
        size = b""
        while (sign := self.socket.recv(1)) != b":":
            size += sign
        found = b""
        while len(found) < int(size):
            found += self.socket.recv(int(size) - len(found))
        return json.loads(found)

    def execute(self, command, params):
        """A command of Selenium's and its answer, as geckodriver gives it."""
        self.count += 1
        message = json.dumps([0, self.count, COMMANDS[command], params]).encode()
        self.socket.sendall(f"{len(message)}:".encode() + message)
        _, _, wrong, answer = self.read()
        if wrong:
            return {"status": 500, "value": json.dumps({"value": wrong})}
        return answer if isinstance(answer, dict) and "value" in answer else {"value": answer}

    def close(self):
        """Hang up."""
        self.socket.close()


@contextmanager
def firefox(path, folder):
    """A running Firefox without a window, with a profile in a folder."""
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    (folder / "user.js").write_text("\n".join(lines), encoding="utf-8")
    command = [path, "--headless", "--marionette", "--profile", str(folder)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder)})
    try:
        yield Remote(command_executor=Marionette(_port(folder / "MarionetteActivePort")), options=FirefoxOptions())
    finally:
        running.kill()
        running.wait()


def _port(file, patience=300):
    for _ in range(patience * 4):
        if file.exists() and (said := file.read_text().strip()):
            return int(said)
        time.sleep(0.25)
    raise RuntimeError(f"Firefox opened no door within {patience} seconds")
