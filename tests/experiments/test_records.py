"""Records: reading, writing, provenance, and the command."""

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import pencil.__main__ as command
from pencil.cli import record
from pencil.data import downloads
from pencil.errors import TaskError
from pencil.experiments import records
from pencil.paths import ROOT


def test_a_record_comes_back_as_it_was_written_and_says_where_it_came_from(tmp_path):
    where = records.provenance("python -m pencil record toy", 3, "a CPU", {"imdb": "abc"}, ("numpy", "no_such_package"))
    records.write(tmp_path / "deep" / "toy.json", {"share": 0.885, "rows": [[1, 2]], "süß": "½"}, where)
    read = records.read("toy", tmp_path / "deep")
    assert read["share"] == 0.885 and read["rows"] == [[1, 2]] and read["süß"] == "½" and read.provenance == where
    assert where["seed"] == 3 and where["data"] == {"imdb": "abc"} and set(where["versions"]) == {"python", "numpy"}
    assert repr(read) == (
        f"Recorded {where['date'][:10]} on a CPU, seed 3, with python {where['versions']['python']}, numpy {np.__version__}. "
        "Measure it anew: python -m pencil record toy"
    )


def test_a_record_of_several_sittings_says_so_and_keeps_the_date_and_the_commit_of_each_part(tmp_path):
    runs = [{"date": f"2026-11-2{day}T10:00:00+00:00", "commit": commit, "share": 0.5} for day, commit in ((1, "abc"), (1, "def"), (2, "def"))]
    for parts, said in (
        (runs, "2026-11-21 to 2026-11-22, in several sittings,"),
        (runs[:2], "2026-11-21, in several sittings,"),
        (runs[:1], "2026-11-21"),
    ):
        records.write(tmp_path / "toy.json", {"runs": parts[1:], "first": parts[0]}, records.provenance("", 0, "a CPU"))
        assert repr(records.read("toy", tmp_path)).startswith(f"Recorded {said} on a CPU")


def test_code_has_changed_where_a_program_has_and_not_where_a_page_or_a_record_has(tmp_path):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=tmp_path, check=True, capture_output=True)

    for name in ("pencil/experiments/loop.py", "pencil/experiments/recorded/toy.json", "notebooks/01.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before")
    git("init"), git("add", "."), git("commit", "-m", "all")
    for name in ("pencil/experiments/recorded/toy.json", "notebooks/01.md"):
        (tmp_path / name).write_text("after")
    assert records.code(tmp_path)["changed_since"] is False and len(records.code(tmp_path)["commit"]) == 40
    (tmp_path / "pencil/experiments/loop.py").write_text("after")
    assert records.code(tmp_path)["changed_since"] is True


@pytest.mark.parametrize("name, parts", [("contest", ("runs", "baselines")), ("long_range", ("runs",)), ("hyperparameter_search", ("trials",))])
def test_every_part_of_a_long_record_has_its_own_date_and_commit(name, parts):
    record = records.read(name)
    rows = [row for part in parts for row in record[part]] + ([record["test"]] if name == "hyperparameter_search" else [])
    assert all(row["date"] <= record.provenance["date"] and len(row["commit"]) == 40 for row in rows)
    assert ("in several sittings" in repr(record)) == (len({row["commit"] for row in rows}) > 1)


def test_what_is_not_recorded_is_answered_with_what_is(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no record 'toy'; there are: none. `python -m pencil record` lists what can be measured"):
        records.read("toy", tmp_path)
    records.write(tmp_path / "other.json", {"share": 1}, records.provenance("", 0, ""))
    with pytest.raises(FileNotFoundError, match="there are: other"):
        records.read("toy", tmp_path)
    with pytest.raises(KeyError, match="the record other has no 'shares'; it has share"):
        records.read("other", tmp_path)["shares"]


def test_numbers_are_recorded_settled_and_plain():
    found = records.as_recorded(np.array([[0.1 + 0.2, 1 / 3], [np.float32(2), -1e-17]]))
    assert found == [[0.3, 0.3333333333], [2.0, 0.0]] and {type(x) for row in found for x in row} == {float}
    assert records.as_recorded(np.float32(0.5)) == 0.5 and json.dumps(found)
    with pytest.raises(ValueError, match="nan cannot settle"):
        records.as_recorded(np.array([np.nan]))


@pytest.mark.parametrize("file", sorted(records.RECORDED.glob("*.json")), ids=lambda file: file.stem)
def test_every_record_of_the_book_says_by_what_it_is_measured_anew(file):
    kept = records.read(file.stem)
    python, *words = kept.provenance["command"].split()
    assert python == "python"
    if words[0] == "-m":
        asked = record._parse(words[3:])
        assert words[:3] == ["-m", "pencil", "record"] and asked.name in record.RECORDINGS
        assert file.stem == asked.name + ("" if asked.device == "cpu" else f"_{asked.device}")
    else:
        assert words[0].startswith("benchmarks/") and (ROOT / words[0]).is_file()
    assert kept.result and "Measure it anew: " in repr(kept)


def names(value):  # -> all keys of a result
    rows = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set(value if isinstance(value, dict) else ()).union(*map(names, rows))


@pytest.mark.parametrize("name", ["int8_speed", "tiny_gpt", "writer_ladder", "writer_ladder_cuda", "writer_samples"])
def test_a_record_whose_names_were_changed_after_its_run_says_so(name):
    record = records.read(name)
    said = re.fullmatch(r"after the run: (.+); figures as measured", record.provenance["renamed"])[1]
    for old, new in (each.split(" is ") for each in said.split(", ")):
        assert new in names(record.result) and old not in names(record.result)


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """A recording of one seed's number, which reads one data set."""
    module = SimpleNamespace(measure=lambda seed: {"number": seed * 2}, long=lambda seed, threads, only_done: {"told": [seed, threads, only_done]})
    monkeypatch.setitem(sys.modules, "toy_lab", module)
    monkeypatch.setattr(record, "RECORDINGS", {"toy": ("toy_lab:measure", ("imdb",), "a number"), "long": ("toy_lab:long", (), "hours")})
    monkeypatch.setattr(records, "RECORDED", tmp_path)
    monkeypatch.setattr(records, "code", lambda: {"commit": "abc", "changed_since": False})
    monkeypatch.setattr(downloads, "sha256_of", lambda name: f"hash of {name}")
    return tmp_path


def test_the_command_measures_and_writes_how(toy, capsys):
    assert command.main(["record", "toy", "--seed", "4"]) == 0
    assert capsys.readouterr().out == f"wrote {toy / 'toy.json'}\n"
    made = records.read("toy", toy)
    assert made["number"] == 8 and made.provenance["data"] == {"imdb": "hash of imdb"} and made.provenance["seed"] == 4
    assert made.provenance["command"] == "python -m pencil record toy --seed 4"


def test_what_is_measured_on_a_gpu_has_a_file_of_its_own(toy, monkeypatch):
    from pencil.experiments.training import device

    monkeypatch.setattr(sys.modules["toy_lab"], "measure", lambda seed, device="cpu": {"number": seed, "on": device})
    monkeypatch.setattr(device, "device_of", lambda name: SimpleNamespace(type=name))
    monkeypatch.setattr(device, "describe", lambda name: "a card")
    assert record.main(["toy"]) == 0 and record.main(["toy", "--device", "cuda"]) == 0
    cpu, gpu = (records.read(name, toy) for name in ("toy", "toy_cuda"))
    assert (cpu["on"], gpu["on"], gpu.provenance["device"]) == ("cpu", "cuda", "a card")
    assert gpu.provenance["command"] == "python -m pencil record toy --device cuda"


def test_whose_programs_differ_from_every_commit_is_told(toy, monkeypatch, capsys):
    monkeypatch.setattr(records, "code", lambda: {"commit": "abc", "changed_since": True})
    assert record.main(["toy"]) == 0 and records.read("toy", toy).provenance["changed_since"] is True
    assert "commit first, or measure in a clean clone" in capsys.readouterr().out


def test_what_is_done_so_far_is_written_with_the_command_of_the_whole(toy):
    assert record.main(["long", "--done", "--threads", "1"]) == 0
    assert records.read("long", toy)["told"] == [0, 1, True]
    assert records.read("long", toy).provenance["command"] == "python -m pencil record long --threads 1"
    with pytest.raises(TaskError, match="toy is measured in one go: type `python -m pencil record toy`"):
        record.main(["toy", "--done"])
    assert not (toy / "toy.json").exists()


def test_alone_it_lists_and_another_name_is_answered_with_the_list(toy, capsys):
    assert record.main([]) == 0
    assert "toy" in (said := capsys.readouterr().out) and "a number (reads imdb)" in said and "hours\n" in said
    assert command.main(["record", "tay"]) == 1
    assert capsys.readouterr().err == "there is no recording 'tay'; take one of toy, long. Did you mean 'toy'?\n"


def test_every_recording_can_be_found():
    from importlib import import_module

    for name, (place, sets, says) in record.RECORDINGS.items():
        module, function = place.split(":")
        assert callable(getattr(import_module(module), function)) and says, name
        for set_name, *files in map(str.split, sets):  # a set, or a set and one of its files
            assert set(files) <= {file.name for file in downloads.SETS[set_name].files}, name
