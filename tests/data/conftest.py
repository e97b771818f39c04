"""A local server that can misbehave, and a data set to download from it."""

import hashlib
import socket
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from pencil.data import downloads
from pencil.data.registry import SETS, File, Set

CONTENT = bytes(range(256)) * 4096
SIZE = len(CONTENT)  # 1 MiB


class Misbehaves(BaseHTTPRequestHandler):
    """Answers as the next of its server's `manners` says; the last of them stays."""

    def do_GET(self):
        self.server.asked += 1
        manners = self.server.manners
        getattr(self, manners.pop(0) if len(manners) > 1 else manners[0])()

    def _head(self, status=200, length=SIZE, start=None):
        self.send_response(status)
        if start is not None:
            self.send_header("Content-Range", f"bytes {start}-{SIZE - 1}/{SIZE}")
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def well(self):
        self._head()
        self.wfile.write(CONTENT)

    def drops(self):
        """Breaks the line in the middle."""
        self._head()
        self.wfile.write(CONTENT[: len(CONTENT) // 2])
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def drops_and_goes_on(self):
        """As `drops`, but what is asked for from a place on is sent from there."""
        if "Range" not in self.headers:
            return self.drops()
        start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
        self.server.sent = SIZE - start
        self._head(206, SIZE - start, start)
        self.wfile.write(CONTENT[start:])

    def goes_on_elsewhere(self):
        """Breaks the line, and then sends another part than was asked for, as it says itself."""
        if "Range" not in self.headers:
            return self.drops()
        self._head(206, SIZE - 1000, 1000)
        self.wfile.write(CONTENT[1000:])

    def goes_on_without_saying_where(self):
        if "Range" not in self.headers:
            return self.drops()
        self._head(206, SIZE)
        self.wfile.write(CONTENT)

    def has_no_such_range(self):
        if "Range" not in self.headers:
            return self.drops()
        self._head(416, 0)

    def wrong(self):
        self._head()
        self.wfile.write(CONTENT[::-1])

    def gone(self):
        self._head(404, 0)

    def silent(self):
        """Sends half and then nothing, with the line open."""
        self._head()
        self.wfile.write(CONTENT[: len(CONTENT) // 2])
        self.wfile.flush()
        time.sleep(1.5)

    def slow(self):
        self._head()
        for start in range(0, len(CONTENT), 1 << 18):
            self.wfile.write(CONTENT[start : start + (1 << 18)])
            self.wfile.flush()
            time.sleep(0.1)

    def promises_less(self):
        self._head(length=len(CONTENT) - 1000)
        self.wfile.write(CONTENT)

    def promises_more(self):
        self._head(length=len(CONTENT) + 1000)
        self.wfile.write(CONTENT)

    def promises_nothing(self):
        self._head(length=None)
        self.wfile.write(CONTENT[:-7])

    def broken_length(self):
        self._head(length="many")
        self.wfile.write(CONTENT)

    def floods(self):
        """Sends without end, and says nothing of its length."""
        self._head(length=None)
        with suppress(OSError):
            for _ in range(300):
                self.wfile.write(CONTENT)

    def sends_to_a_file(self):
        self._sends_to("file:///etc/hostname")

    def sends_to_ftp(self):
        self._sends_to("ftp://127.0.0.1/toy.bin")

    def sends_round(self):
        self._sends_to("/toy.bin")

    def _sends_to(self, address):
        self.send_response(302)
        self.send_header("Location", address)
        self.end_headers()

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def home(monkeypatch, tmp_path):
    """The home of a set named `toy`: `home.manners` says how it answers, `home.folder` is where a fetch goes."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Misbehaves) as server:
        server.manners, server.asked = ["well"], 0
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/toy.bin"
        file = File("toy.bin", address, hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))
        monkeypatch.setitem(SETS, "toy", Set("a toy", (file,), (), address, "none", "nobody", "made here"))
        monkeypatch.setenv("PENCIL_DATA", str(tmp_path / "data"))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        monkeypatch.setattr(downloads, "DEVELOPMENT", tmp_path / "none")
        monkeypatch.setattr(downloads, "PAUSE", 0)
        yield SimpleNamespace(server=server, folder=tmp_path / "data", address=address, content=CONTENT)
        server.shutdown()


@pytest.fixture
def left():
    """The names of all files in a folder, half ones included."""
    return lambda folder: sorted(path.name for path in folder.rglob("*") if path.is_file())
