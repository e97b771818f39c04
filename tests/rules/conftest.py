"""A clone with one chapter, that of the template, as it was just added and run; and the same with one thing changed."""

import shutil

import pytest

from pencil.cli.chapter import add
from pencil.publish.render import render_notebook
from pencil.rules.chapter import Chapter

FILES = {
    "notebooks/08_contest.md": "# A title\n\n## Old and new\n",
    "_toc.yml": "chapters:\n      - file: notebooks/08_contest.ipynb\n",
    "book/path.yml": "08_contest:\n  does: This.\n",
    "book/teaching.md": "## A whole course: one week\n\n1. [A title](../notebooks/08_contest.ipynb) ({hours}`contest`).\n",
    "book/references.bib": "% The works\n\n@misc{b2014, year = {2014}, keywords = {contest}}\n",
    "book/moved.yml": "notebooks/08_contest:\n  old: old-and-new\n",
    "book/glossary.md": "# Words\n\n:::{glossary}\nvector\nvectors\n  A row. See [length](../notebooks/09_vector_length.ipynb).\n:::\n",
}


@pytest.fixture(scope="session")
def fresh(tmp_path_factory):
    """The new chapter."""
    root = tmp_path_factory.mktemp("clone").resolve()
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    source = add("vector_length", "How far does a row reach?", root)
    render_notebook(source)
    return Chapter(source, root)


@pytest.fixture
def changed(fresh, tmp_path):
    """`changed(old, new)` is the chapter with one text in place of another, in that file of the clone."""
    root = (tmp_path / "clone").resolve()
    shutil.copytree(fresh.root, root)

    def change(old="", new="", file=f"notebooks/{fresh.source.name}"):
        text = (root / file).read_text(encoding="utf-8")
        assert old in text
        (root / file).write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")
        return Chapter(root / f"notebooks/{fresh.source.name}", root)

    return change
