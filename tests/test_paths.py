"""Names of chapters, and atomic writes."""

import os
from pathlib import Path

import pytest

from pencil.checker.library import chapter_source
from pencil.paths import chapter_named, chapter_number, chapter_sources, top_of_clone, write_whole

NUMBERS = {
    "notebooks/05_soft_lookup.ipynb": "05",
    "13b_descent.md": "13b",
    "13B_x": "",
    "5_x": "",
    "10x.md": "",
    "13": "",
    "home.md": "",
    "13bc_x": "",
}
FOUND = {"13": "13_backward", "13b": "13b_descent", "5b": "05b_more", "5": "05_lookup", "13b_descent": "13b_descent", "1": None}


@pytest.mark.parametrize("path, number", NUMBERS.items())
def test_the_number_of_a_chapter(path, number):
    assert chapter_number(path) == number


def test_a_chapter_with_a_letter_stands_behind_its_number(tmp_path):
    for name in ("14_gpt", "13b_descent", "13_backward", "05_lookup", "notes"):
        (tmp_path / f"{name}.md").touch()
    assert [path.stem for path in chapter_sources(tmp_path)] == ["05_lookup", "13_backward", "13b_descent", "14_gpt"]


@pytest.mark.parametrize("name, found", [("descent", "13b_descent"), ("long_name", "05_long_name"), ("name", None), ("05_long_name", None)])
def test_a_chapter_is_found_by_its_name(tmp_path, name, found):
    for stem in ("05_long_name", "13_backward", "13b_descent", "descent"):
        (tmp_path / f"{stem}.md").touch()
    source = chapter_named(name, tmp_path)
    assert (source and source.stem) == found


@pytest.mark.parametrize("asked, found", FOUND.items())
def test_a_chapter_is_found_by_its_whole_number(tmp_path, asked, found):
    for name in ("05_lookup", "05b_more", "13_backward", "13b_descent"):
        (tmp_path / f"{name}.md").touch()
    source = chapter_source(asked, tmp_path)
    assert (source and source.stem) == found


def test_from_a_folder_of_a_clone_paths_are_seen_from_its_top_and_others_are_whole(tmp_path, monkeypatch):
    clone, other = tmp_path / "clone", tmp_path / "page.md"
    (clone / "notebooks").mkdir(parents=True)
    for file in (clone / "_toc.yml", clone / "notebooks/05_x.md", other):
        file.touch()

    def on_two_drives(path, start):
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.chdir(clone / "notebooks")
    monkeypatch.setattr(os.path, "relpath", on_two_drives)  # as on Windows
    with top_of_clone(["05_x.md", ".", str(other), "07"]) as seen:
        assert seen == [str(Path("notebooks/05_x.md")), "notebooks", str(other.resolve()), "07"] and Path.cwd() == clone.resolve()


def test_two_writers_do_not_meet(tmp_path, monkeypatch):
    file, replace, moved = tmp_path / "05_x.ipynb", os.replace, []

    def meanwhile(beside, path):  # the other one writes while the first is about to move its file
        if not moved:
            moved.append(path)
            write_whole(file, "the other's")
        replace(beside, path)

    monkeypatch.setattr(os, "replace", meanwhile)
    write_whole(file, "the first's")
    assert file.read_text(encoding="utf-8") == "the first's" and list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask, and links only for some")
def test_a_file_is_written_where_a_link_points_and_may_be_read_like_any_other(tmp_path):
    (tmp_path / "far").mkdir()
    file, link = tmp_path / "far" / "x.txt", tmp_path / "x.txt"
    link.symlink_to(file)
    before = os.umask(0o027)
    try:
        write_whole(link, "new")
    finally:
        os.umask(before)
    assert link.is_symlink() and file.read_text(encoding="utf-8") == "new" and file.stat().st_mode & 0o777 == 0o640
    assert list(file.parent.iterdir()) == [file]
