"""From source to notebook: spans, errors, reproducible bytes, and stale notebooks."""

import json

import nbformat
import pytest

from pencil.publish import Published
from pencil.publish import render as rendering
from pencil.publish.render import Failed, build, check, main, render_notebook, sources

SOURCE = """---
kernelspec:
  name: python3
  display_name: Python 3
pencil:
  declared:
    year: {text: "2014", is: "a year"}
---

# A chapter

Three is {v}`3 <three>`, in {v}`2014 <page.year>`, and {v}`1 + 2
= 3 <exact three>` too.

```{code-cell}
three = 1 + 2
```

Then?

```{code-cell}
:tags: [remove-cell]

from pencil.publish import publish
publish(figures={"three": three})
```
"""


def write(folder, text, name="05_three"):
    path = folder / f"{name}.md"
    path.write_text(text, encoding="utf-8")
    return path


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
    assert main(["--check"]) == 0 and capsys.readouterr().out == ""
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


# ---- what somebody has worked in


@pytest.fixture(scope="module")
def notebook_of_source(tmp_path_factory):
    """The bytes of the notebook that SOURCE becomes, run once."""
    return render_notebook(write(tmp_path_factory.mktemp("once"), SOURCE)).read_bytes()


@pytest.fixture
def rendered(folder, notebook_of_source, monkeypatch):
    """A source with its notebook, and a way to save the notebook changed; to run it again is to write the same bytes."""
    source = write(folder, SOURCE)
    target = source.with_suffix(".ipynb")
    target.write_bytes(notebook_of_source)
    monkeypatch.setattr(rendering, "run", lambda notebook, folder: _put_outputs(notebook, notebook_of_source))

    def save(change):
        notebook = json.loads(target.read_text(encoding="utf-8"))
        change(notebook)
        target.write_text(json.dumps(notebook), encoding="utf-8")

    return source, target, save


def _put_outputs(notebook, written):
    ran = nbformat.reads(written.decode(), as_version=4)
    for cell, done in zip(notebook.cells, ran.cells, strict=True):
        if "outputs" in done:
            cell.outputs = done.outputs


def test_what_jupyter_writes_into_a_notebook_is_no_change(rendered):
    def save_as_jupyterlab_does(notebook):
        notebook["metadata"]["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
        notebook["metadata"]["language_info"]["version"] = "3.11.7"
        notebook["metadata"]["widgets"] = {}
        for cell in notebook["cells"]:
            cell["metadata"].update(collapsed=False, scrolled=True, trusted=True, jupyter={"outputs_hidden": False})
            cell["metadata"].setdefault("tags", [])

    source, _, save = rendered
    save(save_as_jupyterlab_does)
    assert check(source) is None
    assert main(["05"]) == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda n: n["cells"][1].update(source="three = 2 + 1"),
        lambda n: n["cells"][0]["source"].append("A note of my own."),
        lambda n: n["cells"][1]["metadata"].update(tags=["hide-cell"]),
        lambda n: n["cells"].pop(),
        lambda n: n["cells"].reverse(),
        lambda n: n["metadata"].pop("pencil"),  # a notebook that no render tool wrote
    ],
    ids=["code", "prose", "tag", "cell taken out", "order", "another notebook"],
)
def test_work_done_by_hand_is_not_written_over(rendered, capsys, change):
    source, target, save = rendered
    save(change)
    mine = target.read_bytes()
    assert main(["05"]) == 1 and target.read_bytes() == mine
    said = capsys.readouterr().out
    remedy = "05_three.ipynb was edited by hand; save your version under another name, then run `python -m pencil notebooks 05_three --force`"
    assert said == f"notebooks/{remedy}\n"
    assert main(["--check"]) == 1 and remedy in capsys.readouterr().out
    assert main(["05", "--force"]) == 0 and check(source) is None


def test_a_notebook_of_an_older_render_tool_is_only_stale(rendered):
    source, _, save = rendered
    save(lambda n: n["metadata"]["pencil"].pop("cells"))
    assert "the render tool has changed since; run `make notebooks`" in check(source)
    assert main(["05"]) == 0 and check(source) is None


def test_two_halves_of_a_merge_are_written_over(rendered):
    source, target, _ = rendered
    target.write_text("<<<<<<< HEAD\n{}", encoding="utf-8")
    assert main(["05"]) == 0 and check(source) is None
