"""From source to notebook: spans, errors, reproducible bytes, and stale notebooks."""

import json

import nbformat
import pytest
from three import SOURCE, write

from pencil.cli.notebooks import main
from pencil.publish import Published
from pencil.publish.render import Failed, build, check, render_notebook, sources


def test_bindings_become_spans_that_keep_the_reference():
    text = build(SOURCE).cells[0].source
    assert '<span data-value="three">3</span>' in text
    assert '<span data-value="page.year">2014</span>' in text
    assert '<span data-value="exact three">1 + 2 = 3</span>' in text
    assert "{v}" not in text


def test_a_claim_becomes_a_span_with_its_condition():
    text = build(SOURCE + "\nThree is {when}`*less* than four <three < 4>`.\n").cells[-1].source
    assert text.endswith('Three is <span data-when="three &lt; 4">*less* than four</span>.')


def test_the_mark_of_a_sentence_is_in_no_notebook():
    assert "no claim" not in build(SOURCE + "\nThree and four.<!--no claim-->\n").cells[-1].source


@pytest.mark.parametrize(
    "line", ["# {v}`3 <three>`", "# {when}`few <three < 4>`",
     ":::{wrong-turn} {v}`3 <three>`\n:::", "![{v}`3 <three>`](a.png)", "$x={v}`3 <three>`$", "`` {v}`3 <three>` ``"]
)  # fmt: skip
def test_a_binding_is_refused_where_its_span_would_leak(folder, capsys, line):
    write(folder, f"{SOURCE}\n{line}\n")
    assert main([]) == 1
    said = capsys.readouterr().out
    assert "cannot stand in" in said and "line 28" in said
    assert not list(folder.glob("*.ipynb"))


def test_cells_keep_their_ids_when_another_is_added():
    before = {cell.id for cell in build(SOURCE).cells}
    after = {cell.id for cell in build(SOURCE.replace("Then?", "Then?\n\n```{code-cell}\nthree = 3\n```\n\nThen?")).cells}
    assert before < after and len(after) == len(before) + 2


def test_equal_cells_have_different_ids():
    ids = [cell.id for cell in build("```{code-cell}\nx = 1\n```\n\n```{code-cell}\nx = 1\n```\n").cells]
    assert len(ids) == len(set(ids)) == 2


def test_nothing_pairs_the_notebook_with_its_source():
    metadata = build("---\njupytext: {formats: 'md,ipynb'}\n---\nText.\n").metadata
    assert "jupytext" not in metadata and set(metadata["pencil"]) == {"code", "source", "cells"}


def test_a_rendered_chapter_is_run_checked_and_the_same_twice(folder, capsys):
    source = write(folder, SOURCE)
    first = render_notebook(source).read_bytes()
    assert main(["05"]) == 0 and source.with_suffix(".ipynb").read_bytes() == first
    notebook = json.loads(first)
    nbformat.validate(nbformat.from_dict(notebook))
    assert Published.read(source.with_suffix(".ipynb")).find("three").paper == 3
    assert first == (json.dumps(notebook, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode()
    assert "version" not in notebook["metadata"]["language_info"] and "execution" not in notebook["cells"][1]["metadata"]
    assert notebook["metadata"]["pencil"]["declared"]["year"]["is"] == "a year"

    capsys.readouterr()
    assert main(["--check"]) == 0 and "up to date." in capsys.readouterr().out
    write(folder, SOURCE.replace("Three is", "Now three is"))
    assert main(["--check"]) == 1
    assert "05_three.ipynb is stale: the source has changed since; run `make notebooks`" in capsys.readouterr().out
    write(folder, SOURCE)
    notebook["cells"][0]["source"][0] = "# By hand\n"
    source.with_suffix(".ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    assert "edited by hand" in check(source)


def test_a_failing_cell_is_shown_plainly_and_nothing_is_written(folder, capsys):
    source = write(folder, SOURCE)
    source.with_suffix(".ipynb").write_text("as it was", encoding="utf-8")
    write(folder, SOURCE.replace("three = 1 + 2", "three = 1 / 0"))
    assert main([]) == 1
    said = capsys.readouterr().out
    assert "nothing written" in said and "three = 1 / 0" in said and "ZeroDivisionError" in said and "\x1b" not in said
    assert source.with_suffix(".ipynb").read_text(encoding="utf-8") == "as it was"


def test_the_kernel_works_in_the_chapters_folder_and_leaves_no_widget_views(folder):
    write(folder, "x", "01_first")
    code = """import os
print(os.listdir())
from IPython.display import display
display({"text/plain": "a widget", "application/vnd.jupyter.widget-view+json": {"model_id": "4f2a"}}, raw=True)"""
    target = render_notebook(write(folder, f"```{{code-cell}}\n{code}\n```\n", "02_second"))
    listed, shown = nbformat.read(target, as_version=4).cells[0].outputs
    assert "01_first.md" in listed.text
    assert dict(shown.data) == {"text/plain": "a widget"}


def test_what_was_never_rendered_and_what_has_no_source_is_said(folder, capsys):
    write(folder, SOURCE)
    (folder / "09_lost.ipynb").write_text("{}", encoding="utf-8")
    (folder.parent / "_toc.yml").write_text("- file: notebooks/05_three.ipynb\n- file: notebooks/09_lost.ipynb\n", encoding="utf-8")
    assert main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "05_three.ipynb is not there; run `make notebooks`" in said and "09_lost.ipynb has no source 09_lost.md" in said


def test_chapters_are_chosen_by_number_name_or_path(folder, capsys):
    five, six = write(folder, "x"), write(folder, "x", "06_six")
    assert [p.name for p in sources([])] == [five.name, six.name]
    assert (
        [p.name for p in sources(["06"])]
        == [p.name for p in sources(["06_six"])]
        == [p.name for p in sources([str(six)])]
        == [p.name for p in sources(["6"])]
        == [six.name]
    )
    with pytest.raises(Failed, match="no chapter '07'"):
        sources(["07"])
    assert main(["07"]) == 1 and "05_three" in capsys.readouterr().out
