"""`python -m pencil data`: its output and its error messages."""

import pytest

import pencil.__main__ as command
from pencil.data.registry import SETS


def test_list_names_every_set_its_size_and_its_terms(home, capsys):
    for argv in (["data"], ["data", "list"]):
        assert command.main(argv) == 0
        said = capsys.readouterr().out
        assert "imdb " in said and "84,125,825 bytes · none stated; the authors ask to be cited" in said
        assert "not here: python -m pencil data fetch toy" in said


def test_fetch_verify_list_where(home, capsys):
    path = home.folder / "toy.bin"
    assert command.main(["data", "fetch", "toy"]) == 0 and capsys.readouterr().out.splitlines()[-1] == str(path)
    assert command.main(["data", "verify", "toy"]) == 0 and capsys.readouterr().out == f"{path}: as it should be\n"
    assert command.main(["data", "list"]) == 0 and f"here: {path}" in capsys.readouterr().out
    assert command.main(["data", "where"]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == f"PENCIL_DATA        {home.folder}" and second.endswith("(not there)") and third.startswith("cache ")


@pytest.mark.parametrize("manner, says", [("gone", "answers 404"), ("wrong", "is not toy.bin")])
def test_what_goes_wrong_is_one_line_and_status_1(home, capsys, manner, says):
    home.server.manners = [manner]
    assert command.main(["data", "fetch", "toy"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert says in last and "Traceback" not in last


def test_an_unknown_set_and_a_spoiled_one(home, capsys):
    assert command.main(["data", "fetch", "imbd"]) == 1 and "take one of imdb" in capsys.readouterr().err
    home.folder.mkdir()
    (home.folder / "toy.bin").write_bytes(b"half")
    assert command.main(["data", "verify", "toy"]) == 1 and "is not the file it should be" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["fetch", "verify"])
def test_without_a_name_the_names_are_listed(verb, capsys):
    assert command.main(["data", verb]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"data {verb} " in said and all(name in said for name in SETS)
