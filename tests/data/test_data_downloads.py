"""Downloads are complete or absent, and every error has a message with a remedy."""

import errno
import os
import shutil
import socket
import sys
import time

import pytest
from filelock import FileLock

from pencil.data import DataError, downloads


def test_a_set_is_fetched_found_and_verified_and_not_fetched_twice(home, left, capsys):
    assert downloads.fetch("toy") == [home.folder / "toy.bin"]
    assert (home.folder / "toy.bin").read_bytes() == home.content and left(home.folder) == ["toy.bin"]
    assert capsys.readouterr().err == ""  # a log gets no bar
    assert downloads.find("toy") == home.folder / "toy.bin" and downloads.verify("toy") == [home.folder / "toy.bin"]
    downloads.fetch("toy")
    assert home.server.asked == 1


def test_who_watches_at_a_terminal_sees_a_bar(home, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    downloads.fetch("toy")
    assert "100%" in capsys.readouterr().err


@pytest.mark.parametrize("manners", [["drops", "well"], ["drops", "drops", "well"]])
def test_a_line_that_breaks_is_tried_again_from_the_start(home, left, manners):
    home.server.manners = list(manners)
    downloads.fetch("toy")
    assert (home.folder / "toy.bin").read_bytes() == home.content
    assert left(home.folder) == ["toy.bin"] and home.server.asked == len(manners)


def test_a_line_that_breaks_is_gone_on_from_where_the_home_can_do_so(home, left):
    home.server.manners = ["drops_and_goes_on"]
    downloads.fetch("toy")
    assert (home.folder / "toy.bin").read_bytes() == home.content and left(home.folder) == ["toy.bin"]
    assert home.server.asked == 2 and 0 < home.server.sent <= len(home.content) // 2


@pytest.mark.parametrize("manner", ["goes_on_elsewhere", "goes_on_without_saying_where", "has_no_such_range"])
def test_what_does_not_go_on_from_where_it_broke_off_is_begun_anew(home, left, manner):
    home.server.manners = [manner, manner, "well"]
    downloads.fetch("toy")
    assert (home.folder / "toy.bin").read_bytes() == home.content and left(home.folder) == ["toy.bin"]
    assert home.server.asked == 3


def test_what_is_there_whole_is_not_asked_for_again_though_more_was_promised(home, left):
    home.server.manners = ["promises_more"]
    downloads.fetch("toy")
    assert (home.folder / "toy.bin").read_bytes() == home.content and left(home.folder) == ["toy.bin"]
    assert home.server.asked == 1


def test_a_set_with_a_folder_of_its_own(home, left, monkeypatch):
    (file,) = downloads.SETS["toy"].files
    inside = file.__class__("toys/toy.bin", file.url, file.sha256, file.bytes)
    monkeypatch.setitem(downloads.SETS, "toy", downloads.SETS["toy"].__class__("", (inside,), (), "", "", "", ""))
    assert downloads.fetch("toy") == [home.folder / "toys/toy.bin"] == downloads.verify("toy") == [downloads.find("toy")]
    assert left(home.folder) == ["toy.bin"] and (home.folder / "toys").is_dir()


def test_a_slow_home_is_waited_for(home):
    home.server.manners = ["slow"]
    downloads.fetch("toy")
    assert (home.folder / "toy.bin").read_bytes() == home.content


@pytest.mark.parametrize(
    "manner, asked, says",
    [
        ("drops", 3, "could not be brought in 3 tries .*: is there a network\\? .* by hand: lay the file into .* as toy.bin"),
        ("silent", 3, "could not be brought in 3 tries .*: is there a network\\? Nothing was kept; try again"),
        ("goes_on_elsewhere", 3, "could not be brought in 3 tries"),
        ("has_no_such_range", 3, "could not be brought in 3 tries"),
        ("wrong", 1, "sent is not toy.bin: its sha256 is [0-9a-f]{64}, and [0-9a-f]{64} is wanted. Nothing was kept. Try again"),
        ("promises_less", 1, "sent is not toy.bin: its sha256 is [0-9a-f]{64}"),
        ("promises_nothing", 1, "sent is not toy.bin: its sha256 is [0-9a-f]{64}"),
        ("floods", 1, "sends more than the 1,048,576 bytes of toy.bin. Nothing was kept"),
        ("sends_to_a_file", 1, "leads on to what is no web address .*file:"),
        ("sends_to_ftp", 1, "leads on to what is no web address .*ftp:"),
        ("sends_round", 31, "answers 302: the file has moved"),
        ("gone", 1, "toy.bin answers 404: the file has moved .* try again later, or bring it by hand: lay the file into .* as toy.bin"),
    ],
)
def test_a_home_that_misbehaves_leaves_nothing_behind(home, left, monkeypatch, manner, asked, says):
    monkeypatch.setattr(downloads, "PATIENCE", 0.5)
    home.server.manners = [manner]
    with pytest.raises(DataError, match=says) as said:
        downloads.fetch("toy")
    assert "\n" not in str(said.value) and home.address in str(said.value)
    assert left(home.folder) == [] and home.server.asked == asked
    with pytest.raises(DataError, match=r"python -m pencil data fetch toy"):
        downloads.find("toy")


def test_no_network(home, left, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}/toy.bin"
    (file,) = downloads.SETS["toy"].files
    elsewhere = file.__class__("toy.bin", nobody, file.sha256, 9)
    monkeypatch.setitem(downloads.SETS, "toy", downloads.SETS["toy"].__class__("", (elsewhere,), (), "", "", "", ""))
    with pytest.raises(DataError, match=r"\(ConnectionError\): is there a network\?"):
        downloads.fetch("toy")
    assert left(home.folder) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_fills_up_on_the_way(home, left, monkeypatch, number):
    def writes_half(file, url, output_file, pooch):
        with open(output_file, "wb") as half:
            half.write(home.content[:1000])
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(downloads, "_stream", writes_half)
    with pytest.raises(DataError, match=r"is full, and nothing was kept: make room, or name another folder in the environment variable PENCIL_DATA"):
        downloads.fetch("toy")
    assert left(home.folder) == []


def test_a_disk_that_is_too_small_is_not_even_begun_on(home, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(10, 3, 7))
    with pytest.raises(DataError, match=r"needs 1,048,576 bytes, and the disk of .* has 7 left: make room"):
        downloads.fetch("toy")
    assert home.server.asked == 0


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_a_folder_that_may_not_be_written_to(home, monkeypatch, number):
    def refuses(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(downloads.Path, "mkdir", refuses)
    with pytest.raises(DataError, match=r"may not be written to: name another folder in the environment variable PENCIL_DATA"):
        downloads.fetch("toy")
    assert home.server.asked == 0


def test_a_file_in_the_place_of_the_folder(home):
    home.folder.write_text("no folder")
    with pytest.raises(DataError, match=r"could not be written into .*PENCIL_DATA"):
        downloads.fetch("toy")


def test_a_half_file_of_an_earlier_run_is_told_from_a_whole_one_and_replaced(home, left):
    home.folder.mkdir()
    (home.folder / "toy.bin").write_bytes(home.content[:5000])
    with pytest.raises(DataError, match=r"5,000 bytes long, is not the file it should be: its sha256 is .* type `python -m pencil data fetch toy`"):
        downloads.verify("toy")
    downloads.fetch("toy")
    assert (home.folder / "toy.bin").read_bytes() == home.content and left(home.folder) == ["toy.bin"]


def test_a_half_file_stays_as_it_was_where_nothing_better_came(home, left):
    home.folder.mkdir()
    (home.folder / "toy.bin").write_bytes(b"half")
    home.server.manners = ["wrong"]
    with pytest.raises(DataError):
        downloads.fetch("toy")
    assert (home.folder / "toy.bin").read_bytes() == b"half" and left(home.folder) == ["toy.bin"]


def test_what_a_killed_run_left_is_swept_away_and_what_another_run_is_at_stays(home, left):
    incoming = home.folder / downloads.INCOMING
    incoming.mkdir(parents=True)
    for name, age in (("tmpdead", downloads.FORGOTTEN + 60), ("tmpbusy", 5)):
        (incoming / name).write_bytes(b"half")
        os.utime(incoming / name, (time.time() - age,) * 2)
    downloads.fetch("toy")
    assert left(home.folder) == ["tmpbusy", "toy.bin"]


def test_a_killed_run_is_known_by_its_lock_however_young_its_half_file_is(home, left):
    incoming = home.folder / downloads.INCOMING
    for name in ("1-dead", "2-busy"):
        (incoming / name).mkdir(parents=True)
        (incoming / name / "toy.bin").write_bytes(b"half")
        (incoming / f"{name}.lock").touch()
    with FileLock(incoming / "2-busy.lock"):
        downloads.fetch("toy")
        assert sorted(path.name for path in incoming.iterdir()) == ["2-busy", "2-busy.lock"]
    home.folder.joinpath("toy.bin").unlink()
    downloads.fetch("toy")
    assert list(incoming.iterdir()) == []


def test_others_may_read_what_was_fetched_where_the_folder_is_shared(home):
    made = home.folder.parent / "made"
    made.touch()
    downloads.fetch("toy")
    assert (home.folder / "toy.bin").stat().st_mode == made.stat().st_mode


def test_a_length_that_is_no_number_is_passed_over(home):
    home.server.manners = ["broken_length"]
    assert downloads.fetch("toy")[0].read_bytes() == home.content


def test_a_tilde_in_quotes_is_the_home_folder(home, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("PENCIL_DATA", "~/sets")
    assert downloads.fetch("toy") == [tmp_path / "sets" / "toy.bin"] and downloads.where()["PENCIL_DATA"] == tmp_path / "sets"


def test_a_broken_off_fetch_leaves_nothing(home, left, monkeypatch):
    def stopped(file, url, output_file, pooch):
        raise KeyboardInterrupt

    monkeypatch.setattr(downloads, "_stream", stopped)
    with pytest.raises(KeyboardInterrupt):
        downloads.fetch("toy")
    assert left(home.folder) == []


def test_without_pooch_it_says_what_to_install(home, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pooch", None)
    with pytest.raises(DataError, match=r"needs pooch: type `pip install pooch tqdm filelock`"):
        downloads.fetch("toy")
    with pytest.raises(DataError, match=r"is not on this machine"):
        downloads.find("toy")


def test_the_folders_are_searched_in_their_order(home, monkeypatch, tmp_path):
    cache, beside = tmp_path / "cache", tmp_path / "beside"
    monkeypatch.setattr(downloads, "DEVELOPMENT", beside)
    monkeypatch.setattr(downloads, "_cache", lambda: cache)
    assert list(downloads.where().values()) == [home.folder, beside, cache]
    for folder in (cache, beside, home.folder):  # each before the ones that have it already
        folder.mkdir()
        (folder / "toy.bin").write_bytes(home.content)
        assert downloads.find("toy") == folder / "toy.bin"
    monkeypatch.delenv("PENCIL_DATA")
    assert downloads.find("toy") == beside / "toy.bin" and list(downloads.where()) == ["beside the clone", "cache"]
    assert downloads.fetch("toy") == [cache / "toy.bin"]


@pytest.mark.parametrize("name", ["imbd", 3])
@pytest.mark.parametrize("does", [downloads.find, downloads.fetch, downloads.verify, downloads.sha256_of])
def test_a_set_that_nobody_knows_is_answered_with_the_list(does, name):
    with pytest.raises(DataError, match=rf"no data set {name!r}; take one of imdb, glove, shakespeare, names, mnist"):
        does(name)


def test_a_file_that_a_set_does_not_have():
    with pytest.raises(DataError, match=r"mnist has no file 'x'; it has train-images-idx3-ubyte.gz, "):
        downloads.find("mnist", "x")
