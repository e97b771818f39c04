"""Unit tests of the page's scripts in Node's test runner."""

import subprocess
import sys

import pytest
from node_runner import HERE, find_node

from pencil.cli.node import REMEDY


@pytest.mark.parametrize("name", [path.name for path in sorted(HERE.glob("test_*.mjs"))])
def test_in_node(name):
    done = subprocess.run([find_node(), "--test", str(HERE / name)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_node_the_tests_fail_and_say_what_to_install(monkeypatch):
    monkeypatch.setattr("pencil.cli.node.shutil.which", lambda name: None)
    monkeypatch.setattr("pencil.cli.node.find_spec", lambda name: None)
    with pytest.raises(pytest.fail.Exception, match="No Node is here") as failed:
        find_node()
    assert REMEDY in str(failed.value)


@pytest.mark.skipif(sys.platform == "win32", reason="the old one is a script of sh")
def test_a_node_that_is_too_old_is_not_taken(monkeypatch, tmp_path):
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.1.0\n", encoding="utf-8")
    old.chmod(0o755)
    monkeypatch.setattr("pencil.cli.node.shutil.which", lambda name: str(old))
    monkeypatch.setattr("pencil.cli.node.find_spec", lambda name: None)
    with pytest.raises(pytest.fail.Exception, match=r"Node 20\.19 or newer is needed"):
        find_node()
