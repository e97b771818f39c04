"""The clone that the book is made in, where its repository is, how its chapters are named, and how a file is written whole."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPOSITORY_URL = "https://github.com/transformers-by-pencil/transformers-by-pencil"
NUMBER = r"\d\d[a-z]?"  # of a chapter: 13, and 13b for the one that goes on from it


def write_whole(path, text):
    """Write a text beside its place and move it there, so that a full disk or a killed run leaves what stood."""
    beside = path.with_name(f".{path.name}.part")  # always the same: what a killed run left is written over
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def chapter_number(path):  # "notebooks/05_soft_lookup.ipynb" -> "05"
    """The number that the name of a chapter's file or page begins with; "" where it is no chapter."""
    number, _, name = Path(path).stem.partition("_")
    return number if name and re.fullmatch(NUMBER, number) else ""


def chapter_sources(folder):  # -> list of Path
    """The sources of the chapters in a folder, in reading order."""
    return sorted((path for path in folder.glob("*.md") if chapter_number(path)), key=lambda path: path.stem)


def chapter_named(name, folder):  # "soft_lookup" -> the path of 05_soft_lookup.md, or None
    """The source of the chapter that has this name behind its number."""
    return next((path for path in chapter_sources(folder) if path.stem.partition("_")[2] == name), None)
