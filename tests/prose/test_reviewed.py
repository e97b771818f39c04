"""Each way past the checker that a review found, closed: what was accepted once is refused with a sentence that helps."""

import json

import pytest
from test_number_check import declaring, failures, reasons

from pencil.prose import check, mutate, publish
from pencil.prose.bindings import objection
from pencil.prose.page import read_page
from pencil.trace import Trace
from pencil.worked import Worked

V = "{v}`8 <nolan.scores[ended]>`"


@pytest.mark.parametrize(
    "text, written",
    [
        ("sizes [4·10 = 40,008] here", "40,008"),
        ("words(2 + 3 = 5,000 dials)", "5,000"),
        ("[a, 2 + 3 = 5,123]", "5,123"),
    ],
)
def test_a_comma_in_brackets_hides_no_digit(review, text, written):
    assert written in [said for _, said in failures(text, review)]


TOUCHED = [f"−{V}", f"-{V}", f"{V} %", f"{V}%", f"{V} ‰", V + V, f"2 + 3 = 5{V}", f"√{V}", f"{V}.5", f"{V},000", f"−**{V}**", f"**{V}** %", f"9.{V}"]


@pytest.mark.parametrize("text", TOUCHED)
def test_what_touches_a_binding_is_part_of_the_number(review, text):
    assert "write it inside" in reasons(text, review)


@pytest.mark.parametrize("text", [f"**{V}**", f"x−{V}", f"2 · {V} = 16", f"({V})", f"{V}, 8 / 2 = 4", f"{V}.", f"a {V}-fold"])
def test_what_touches_no_number_is_left_alone(review, text):
    assert "write it inside" not in reasons(text, review)


@pytest.mark.parametrize(
    "text", ["```{note} There are 99 heads\n```", "```{admonition} 99 heads\n```", "[2, 9]: the second wins.", "  [^note]: 99 heads"]
)
def test_no_title_and_no_row_is_overlooked(review, text):
    assert failures(text, review) != []


SUMS = (
    f"{V} * 2 + 3 = 5", "`n*2 + 3 = 5`", f"{V} ⋅ 2 + 3 = 5", "n ∗ 2 + 3 = 5", "n ± 2 + 3 = 5", "n – 2 + 3 = 5", "2 + 3 = 5 * n", "∑ 2 + 3 = 5",
    "ln 2 + 3 = 5", "log 2 + 3 = 5", "2 + 3 = 5 ‰",
)  # fmt: skip


@pytest.mark.parametrize("text", SUMS)
def test_an_unknown_operator_does_not_cut_a_sum_down_to_a_true_one(review, text):
    assert failures(text, review) != []


# ---- names of runs and figures


@pytest.fixture
def main(review):
    return review.find("nolan.mixed").worked["paper"].trace


def small(**names):
    trace = Trace()
    for name, value in names.items():
        trace.given(name, value)
    return trace


@pytest.mark.parametrize("name", ["nolan.stick", "a b", "", "06:x", "head1.scores[0]", "2nd"])
def test_a_name_that_no_reference_can_hold_is_refused(main, name):
    with pytest.raises(ValueError, match="cannot be quoted; name it with letters"):
        publish(main, figures={name: [7, 7]})
    with pytest.raises(ValueError, match="cannot be quoted"):
        publish(main, **{name: small(x=[1])})


def test_a_run_may_not_hide_a_scope_of_the_main_run(main):
    with pytest.raises(ValueError, match=r"run 'grid' would hide the value 'grid\.\w+' of the main run"):
        publish(main, grid=small(x=[1]))
    with pytest.raises(ValueError, match="figure 'mix' would hide the run 'mix'"):
        publish(main, figures={"mix": 1}, mix=small(x=[1]))


def test_a_run_is_published_by_the_name_it_was_worked_under(main):
    trace = small(x=[1])
    with pytest.raises(ValueError, match=r"the run 'mix' was worked as ''; write Worked\(\.\.\., run=\"mix\"\)"):
        publish(main, mix=Worked(trace))
    with pytest.raises(ValueError, match=r"the run 'mix' was worked as 'other'"):
        publish(main, mix=Worked(trace, run="other"))
    with pytest.raises(ValueError, match=r"the main run was worked as 'mix'"):
        publish(Worked(trace, run="mix"))
    assert publish(main, mix=Worked(trace, run="mix")).find("mix.x[0]").paper == publish(main, mix=trace).find("mix.x[0]").paper == 1


def test_a_run_alone_is_no_value(review):
    assert "mix is a run; name a value of it, as in mix.mixing" in objection("8", "mix", review, {})


# ---- declarations


@pytest.mark.parametrize("formula", ["$2 + 2 = 5$", "$x = 8$", "$[2, 9]$", "$0.5 x$", "$2 \\cdot 2$", "$x = \\frac{1}{2}$", "$sin(3) = cos(2)$"])
def test_a_formula_that_holds_values_may_not_be_declared(review, formula):
    page = declaring(f"f: {{text: '{formula}', is: x}}", f"So {formula}.")
    assert "TeX carries symbols" in reasons(page, review)


@pytest.mark.parametrize("formula", ["$n^2$", "$n - 1$", "$\\\\frac{x_1}{2}$", "$\\\\sum_{i=1}^{n} x_i$"])
def test_a_formula_of_symbols_may_be_declared(review, formula):
    shown = formula.replace("\\\\", "\\")
    assert failures(declaring(f'f: {{text: "{formula}", is: x}}', f"So {shown}."), review) == []


def test_a_formula_and_a_code_span_do_not_stand_for_each_other(review):
    assert failures(declaring("f: {text: '$n^2$', is: x}", "So `n^2`."), review) != []
    assert failures(declaring("f: {text: '`n^2`', is: x}", "So $n^2$."), review) != []


# ---- headings

HEADINGS = [
    f" # H {V}",
    f"> # H {V}",
    f"- # H {V}",
    f"1. # H {V}",
    f"Title {V}\n=====",
    f"Title\n{V}\n---",
    f"> Title {V}\n> ---",
    f"- Title {V}\n  ---",
]


@pytest.mark.parametrize("text", HEADINGS)
def test_a_binding_is_refused_in_every_kind_of_heading(review, text):
    assert "cannot stand in a heading" in reasons(text, review)


@pytest.mark.parametrize("text", [f"{V}\n\n---", f"- {V}\n---", f"> {V}\n---", f"| a |\n|---|\n| {V} |\n---", f"#no {V}"])
def test_a_rule_below_makes_no_heading(review, text):
    assert failures(text, review) == []


# ---- pages, notebooks and folders that are not what they should be


@pytest.mark.parametrize(
    "front, said",
    [
        ("- a\n- b", r"the front matter is \['a', 'b'\]; it reads NAME: value"),
        ("pencil: 5", "pencil is 5; it reads NAME: value"),
        ("pencil: {declared: [a]}", r"declared is \['a'\]; it reads NAME: value"),
        ('pencil:\n  declared:\n    a: {text: "1"}\n    a: {text: "2"}', "gives 'a' twice; give each of them its own name"),
    ],
)
def test_front_matter_of_another_layout_is_said(front, said):
    with pytest.raises(ValueError, match=said):
        read_page(f"---\n{front}\n---\n")


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notebooks" / "06_x.md").write_text("No digit.\n", encoding="utf-8")
    return tmp_path / "notebooks" / "06_x.ipynb"


@pytest.mark.parametrize("notebook", ["<<<<<<< ours\n{}", "{}", "[]", "5", json.dumps({"cells": [{}], "metadata": []})])
@pytest.mark.parametrize("command", [check.main, mutate.main])
def test_a_broken_notebook_is_a_line_and_no_traceback(chapter, capsys, command, notebook):
    chapter.write_text(notebook, encoding="utf-8")
    assert command([]) == 1
    assert "is no notebook that was rendered" in (said := capsys.readouterr().out) and "make notebooks" in said


@pytest.mark.parametrize("command", [check.main, mutate.main])
def test_a_page_that_is_not_utf_8_is_said(chapter, capsys, command):
    (chapter.parent / "a.md").write_bytes(b"\xff 8")
    command(["notebooks/a.md"])
    assert "a.md is not UTF-8 (byte 0); save it as UTF-8" in capsys.readouterr().out


def test_a_page_is_a_chapter_only_by_its_whole_number(chapter, capsys):
    (chapter.parent / "10x.md").write_text("No digit.\n", encoding="utf-8")
    assert check.main(["notebooks/10x.md"]) == 0


@pytest.mark.parametrize("command", [check.main, mutate.main])
def test_no_pages_is_no_success(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    assert command([]) == 1
    assert "no pages here; run it where notebooks/ is" in capsys.readouterr().out


def test_pages_in_subfolders_are_found_and_made_ones_are_not(tmp_path):
    for name in ("a.md", "deep/b.md", ".ipynb_checkpoints/c.md", "_build/d.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert [p.name for p in check.pages([str(tmp_path)])] == ["a.md", "b.md"]


# ---- digits


def masked():
    trace = Trace()
    trace.note("masked", trace.given("scores", [3.5355, -float("inf")]))
    return publish(trace)


@pytest.mark.parametrize(
    "said, fine", [("[3.536, −∞]", True), ("[3.536, -∞]", True), ("[3.536, ∞]", False), ("[3.536, −8]", False), ("[∞, −∞]", False)]
)
def test_a_masked_row_can_be_bound(said, fine):
    assert (objection(said, "masked", masked(), {}) is None) is fine


@pytest.mark.parametrize("said", ["0.0", "0.00", "0 %", "−0.0", "0.0 %", "100 %", "100%"])
@pytest.mark.parametrize("value", [0.003, 0.9996, 0.0003])
def test_something_is_not_shown_as_nothing_nor_almost_all_as_all(said, value):
    wrong = objection(said, "x", publish(figures={"x": value}), {})
    assert wrong is None if (said, value) == ("0.0 %", 0.0003) else "x is" in wrong


def test_what_is_nothing_or_all_may_be_shown_so():
    nothing = publish(figures={"x": 0, "all": 1, "most": 0.9526})
    for said, name in [("0", "x"), ("0.0", "x"), ("0 %", "x"), ("100 %", "all"), ("1.0", "most")]:
        assert objection(said, name, nothing, {}) is None
