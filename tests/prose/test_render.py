"""From text to notebook: the spans, the refusals, the same bytes every time, and what is stale."""

import json

import nbformat
import pytest
from markdown_it import MarkdownIt

from pencil.prose import Published
from pencil.prose.boxes import as_html
from pencil.prose.render import Failed, build, check, main, render, sources

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

from pencil.prose import publish
publish(figures={"three": three})
```
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "notebooks"


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


@pytest.mark.parametrize(
    "line", ["# {v}`3 <three>`", ":::{wrong-turn} {v}`3 <three>`\n:::", "![{v}`3 <three>`](a.png)", "$x={v}`3 <three>`$", "`` {v}`3 <three>` ``"]
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
    first = render(source).read_bytes()
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
    target = render(write(folder, f"```{{code-cell}}\n{code}\n```\n", "02_second"))
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
    assert [p.name for p in sources(["06"])] == [p.name for p in sources(["06_six"])] == [p.name for p in sources([str(six)])] == [six.name]
    with pytest.raises(Failed, match="no chapter '07'"):
        sources(["07"])
    assert main(["07"]) == 1 and "05_three" in capsys.readouterr().out


# ---- what somebody has worked in


@pytest.fixture
def rendered(folder):
    """A source with its notebook, and a way to save the notebook changed."""
    source = write(folder, SOURCE)
    target = render(source)

    def save(change):
        notebook = json.loads(target.read_text(encoding="utf-8"))
        change(notebook)
        target.write_text(json.dumps(notebook), encoding="utf-8")

    return source, target, save


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


# ---- boxes

BOXES = """Before.
::::::{your-turn} two-queries
:answer: turn.asked["x"]
What is {v}`3 <three>`?
:::{worked-answer}
- one
- two
:::
::::::
After.
"""


def test_a_box_becomes_html_with_its_markdown_inside():
    assert build(BOXES).cells[0].source == (
        "Before.\n\n"
        '<div class="pencil-box your-turn" id="your-turn-two-queries" data-turn="two-queries" data-answer="turn.asked[&quot;x&quot;]">\n'
        '<p class="pencil-box-title">Your turn</p>\n\n'
        'What is <span data-value="three">3</span>?\n\n'
        '<details class="pencil-box worked-answer"><summary class="pencil-box-title">Worked answer</summary>\n\n'
        "- one\n- two\n\n</details>\n\n</div>\n\nAfter."
    )


def test_plain_markdown_reads_the_boxes_and_what_is_in_them():
    shown = MarkdownIt("commonmark").render(build(BOXES).cells[0].source).replace("\n", "")
    assert "</summary><ul><li>one</li><li>two</li></ul></details></div><p>After.</p>" in shown


@pytest.mark.parametrize(
    "source, html",
    [
        (
            ":::{wrong-turn} It's *never* a < b.\nIt is.\n:::",
            '<details class="pencil-box wrong-turn"><summary class="pencil-box-title"><strong>Wrong turn:</strong> '
            "It’s <em>never</em> a &lt; b.</summary>\n\nIt is.\n\n</details>\n",
        ),
        (
            ":::{you-will}\n\n- read\n\n:::",
            '<div class="pencil-box you-will">\n<p class="pencil-box-title">You will be able to</p>\n\n\n- read\n\n</div>\n',
        ),
        (f":::{{one-breath}}\n{'in ' * 30}\n:::", None),
        (f":::{{one-breath}}\n{'in ' * 61}\n:::", None),
        ("````text\n:::{your-turn}\n````", "````text\n:::{your-turn}\n````"),
    ],
    ids=["wrong turn", "you will", "short breath", "long breath", "shown as code"],
)
def test_each_kind_of_box(source, html):
    made = as_html(source)
    if html is None:
        assert ("one-breath long" in made) == (source.count("in ") > 60)
    else:
        assert made == html


@pytest.mark.parametrize(
    "boxes, said",
    [
        (":::{your-turn} a\nx\n:::\n:::{your-turn} a\nx\n:::", "line 6: the key 'a' names the box of line 3 already"),
        (":::{you-will}\nx", "line 3: :::{you-will} is not closed; end it with a line :::"),
        ("::::{your-turn} a\n:::{worked-answer}\nx\n::::", "line 4: :::{worked-answer} is not closed"),
        (":::{your-turn} a\n:::::{worked-answer}\nx\n::::", ":::: does not close the box of line 4"),
        (":::{you-will}\nx\n:::\n:::", "line 6: ::: closes nothing"),
        (":::{one-breth}\nx\n:::", "line 3: :::{one-breth} is no box; there are your-turn"),
        (":::{your-turn}\nx\n:::", "line 3: :::{your-turn} takes a key"),
        (":::{wrong-turn}\nx\n:::", "line 3: :::{wrong-turn} takes the mistake as its title"),
        (":::{worked-answer} a\nx\n:::", "line 3: :::{worked-answer} takes nothing behind it"),
        (":::{your-turn} Two Queries\nx\n:::", "line 3: the key 'Two Queries' is not of small letters"),
        (":::{your-turn} a\n:answr: x\nx\n:::", "line 3: :::{your-turn} has :answr:"),
        (":::{your-turn} a\n:answer:\nx\n:::", "line 3: :::{your-turn} has :answer:"),
        (":::{your-turn} a\n:choices: b | c\nx\n:::", "line 3: :::{your-turn} takes :choices: together with :right:"),
        (":::{your-turn} a\n:choices: b | c\n:right: d\nx\n:::", "line 3: :::{your-turn} has :right: d; it must be one of two or more"),
        (":::{your-turn} a\n:choices: b | b\n:right: b\nx\n:::", "it must be one of two or more different :choices:"),
        (":::{your-turn} a\n:choices: b | c\n:right: c\n:wrong: d | No.\nx\n:::", "has :wrong: d; it must be one of the other choices, here b"),
        (":::{your-turn} a\n:answer: r\n:choices: b | c\n:right: c\nx\n:::", "and then no :answer:"),
        (":::{your-turn} a\n:wrong: r | No.\nx\n:::", "has :wrong: and nothing that is right"),
        (":::{your-turn} a\n:answer: r\n:wrong: r\nx\n:::", "write REFERENCE | what to say to who made this mistake"),
        (":::{you-will}\n:answer: r\nx\n:::", "line 3: :::{you-will} has :answer:; only your-turn has options"),
        (":::{wrong-turn} It is $x$.\nx\n:::", "line 3: neither a formula nor a role can stand in a title"),
        (":::{you-will}\n\n:::", "line 3: :::{you-will} is empty"),
        (":::{you-will}\n# x\n:::", "line 4: this cannot stand in a box"),
        (":::{you-will}\n```{code-cell}\nx\n```\n:::", "line 4: a code cell cannot stand in a box"),
    ],
)
def test_a_bad_box_is_refused_with_its_line_and_the_remedy(folder, capsys, boxes, said):
    write(folder, f"# A chapter\n\n{boxes}\n")
    assert main([]) == 1
    assert said in capsys.readouterr().out
    assert not list(folder.glob("*.ipynb"))
