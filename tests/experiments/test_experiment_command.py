"""`python -m pencil experiment`: its output, its error messages, and resuming from checkpoints."""

import pytest

import pencil.__main__ as command


def experiment(*argv):
    return command.main(["experiment", *argv, "--threads", "1"])


def test_the_contest_on_the_book_s_own_reviews(tmp_path, capsys):
    asked = ["contest", "--model", "Averages", "--epochs", "2", "--max-len", "20", "--keep", "last", "--folder", str(tmp_path)]
    assert experiment(*asked) == 0
    said = capsys.readouterr().out
    assert "2400 reviews to learn from, 600 to choose by, 1000 in the test set" in said and said.count("Averages") == 2
    assert (tmp_path / "Averages" / "checkpoint.pt").is_file()
    assert experiment(*asked) == 0 and capsys.readouterr().out == said
    assert experiment(*asked, "--lr", "0.5") == 1
    assert "lr=0.001, and this one has lr=0.5; take another folder" in capsys.readouterr().err


def test_the_distance(capsys):
    assert experiment("long-range", "--task", "order", "--gap", "1", "--model", "LSTM", "Averages", "--epochs", "3") == 0
    walked, averaged = capsys.readouterr().out.splitlines()
    assert walked.startswith("order, 1 word(s) on: LSTM") and "100.0 % right" in walked and "after 3 pass(es)" in averaged


def test_the_speed(capsys, monkeypatch):
    from pencil.experiments.contest import speed

    monkeypatch.setattr(speed, "measure", lambda seed, threads, device: SPEED)
    assert experiment("speed") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "milliseconds for one step of 16 texts; a chip" and said[2].split() == ["LSTM", "1.0", "2.5"]


SPEED = {"texts": 16, "chip": "a chip", "lengths": [25, 50], "milliseconds": {"LSTM": [1.0, 2.5]}}


@pytest.mark.parametrize(
    "argv, says",
    [
        (["contest", "--device", "abacus"], "device='abacus' is not known; take one of cpu, cuda, mps"),
        (["contest", "--model", "GPT"], "there is no model 'GPT' in this experiment"),
        (
            ["long-range", "--model", "GPT"],
            "there is no model 'GPT' in this experiment; take one of SimpleRNN, LSTM, BiLSTM, Transformer, Averages, Tran",
        ),
        (["contest", "--amp"], "mixed precision is for cuda"),
        (["contest", "--device", "cuda", "--record"], "contest is measured on a CPU: type `python -m pencil record contest`"),
        (["tiny-gpt", "--record", "--checkpoint", "x", "--data=full"], "--checkpoint and --data would be dropped: leave out --checkpoint and --data"),
        (["contest", "--epochs", "5", "--record"], "--epochs would be dropped: leave out --epochs, or leave out --record"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(argv, says, capsys):
    assert experiment(*argv) == 1
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("t", ["0", "-1", "nan"])
def test_a_temperature_that_divides_nothing_is_told_by_its_option(t, capsys):
    assert command.main(["experiment", "write", "--temperature", t]) == 1
    assert capsys.readouterr().err.endswith(
        f"--temperature {float(t)}; give it a number above 0, such as 0.8, or take the likeliest token each time: --top-k 1\n"
    )


OWN = "Η γάτα κάθισε στο χαλί.\nПривет, мир!\n" * 60


@pytest.mark.parametrize("raw", [OWN.encode(), b"\xef\xbb\xbf" + OWN.replace("\n", "\r\n").encode()], ids=["plain", "mark and Windows lines"])
def test_a_writer_of_a_text_of_one_s_own(raw, tmp_path, capsys):
    (tmp_path / "own.txt").write_bytes(raw)
    kept = str(tmp_path / "own.safetensors")
    small = ["--epochs=1", "--d-model=8", "--n-heads=2", "--n-layers=1", "--max-len=8", "--batch-size=128"]
    assert experiment("tiny-gpt", "--text", str(tmp_path / "own.txt"), "--checkpoint", kept, *small) == 0
    assert '--prompt "Η "' in capsys.readouterr().out
    assert command.main(["experiment", "write", "--checkpoint", kept, "--prompt", "γάτα", "--count", "20"]) == 0
    written = capsys.readouterr().out
    assert written.startswith("γάτα") and set(written) <= set(OWN)


@pytest.mark.parametrize(
    "raw, says",
    [
        ("café ".encode("latin1") * 900, "own.txt is no UTF-8 (invalid continuation byte at byte 3)"),
        (OWN.encode("utf-16"), "own.txt is no UTF-8"),
        (b"too little", "own.txt has 10 characters"),
        (None, "own.txt cannot be read: No such file"),
    ],
    ids=["latin-1", "utf-16", "short", "missing"],
)
def test_a_file_that_is_no_text_is_named(raw, says, tmp_path, capsys):
    if raw is not None:
        (tmp_path / "own.txt").write_bytes(raw)
    assert experiment("tiny-gpt", "--text", str(tmp_path / "own.txt"), "--checkpoint", str(tmp_path / "kept")) == 1
    assert says in capsys.readouterr().err


def test_the_help_names_every_machine(capsys):
    from pencil.experiments.contest import entrants, long_range

    for name, models in (("contest", entrants.MODELS), ("long-range", long_range.MODELS)):
        with pytest.raises(SystemExit):
            experiment(name, "--help")
        said = " ".join(capsys.readouterr().out.split())
        assert f"only these: {' '.join(models)} --" in said.replace('"', "")


def test_alone_it_lists_the_labs(capsys):
    assert command.main(["experiment"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["contest", "long-range", "speed", "tiny-gpt", "write", "open"]


def test_a_recording_heeds_its_seed_and_its_device(monkeypatch):
    from pencil.cli import record

    monkeypatch.setattr(record, "main", lambda argv: argv)
    given = experiment("tiny-gpt", "--record", "--seed=3", "--device", "cuda")
    assert given == ["tiny_gpt", "--seed", "3", "--threads", "1", "--device", "cuda"]


def test_a_recording_in_one_go_has_no_half(capsys):
    assert command.main(["record", "speed", "--done"]) == 1
    assert "speed is measured in one go" in capsys.readouterr().err
