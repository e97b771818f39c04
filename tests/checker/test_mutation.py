"""The mutation test of the checker: a changed digit is caught, on a test page and on every page of the book."""

from pathlib import Path

import pytest

from pencil.checker import mutation
from pencil.checker.check import check_text, pages
from pencil.checker.library import with_libraries
from pencil.checker.values import Published
from pencil.checker.verdict import Verdict, judge

ROOT = Path(__file__).parents[2]
BOOK = pages([str(ROOT / "notebooks"), str(ROOT / "book")])

PAGE = """---
pencil:
  declared:
    year: {text: "2014", is: "the year of Bahdanau et al."}
    model: {text: "GPT-2", is: "a model"}
    square: {text: "$n^2$", is: "how many matches"}
---
# Divide by √4 = 2

nolan's match row is {v}`[2, 8] <nolan.scores>`; on the sheet {v}`2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8 <nolan.scores[ended]>`.
Then 8 / 2 = 4, e^4 = 54.60, e⁴ = 54.60, and {v}`54.60 <nolan.exp[ended]>` / {v}`57.32 <nolan.exp_sum>` = {v}`0.953 <nolan.weights[ended]>`.
That is {v}`95.3 % <nolan.weights[ended]>`, {v}`95.26 % <exact nolan.weights[ended]>` or {v}`0.95 <nolan.weights[ended]>`, and ½ · 4 = 2.
The grids have {v}`4 <count nolan.query>` columns, the table {v}`40,008 <dials>` dials, and there are $n^2$ matches.
In {v}`2014 <page.year>`, long before {v}`GPT-2 <page.model>`, √32 ≈ 5.66 and −ln(0.96) ≈ 0.04; `axis=-1` is in the code.

| on paper | exactly |
|---|---|
| {v}`[0.094, 2.859, 0.953, 0.047] <paper nolan.context>` | {v}`[0.095, 2.858, 0.953, 0.047] <exact nolan.context>` |
| 0.047 × [2, 0, 0, 1] = [0.094, 0, 0, 0.047] | (6 + 0 + 0)/3 = 2 |

1. Softmax gives {v}`[[0.047, 0.953], [0.119, 0.881]] <weights>`.
1. The mixing grid gives {v}`−1.273 <mix.mixing[1]>`.

:::{wrong-turn} Softmax adds the match numbers: 2 + 8 = 10.
No: it gives {v}`0.047 <nolan.weights[nolan]>`.
:::

```{code-cell}
shares.sum(axis=-1)
```
"""


@pytest.mark.slow
def test_every_mutant_of_a_page_with_every_kind_of_numeral_is_caught(review):
    report = check_text(PAGE, review)
    assert report.failures == []
    outcome = mutation.mutate(PAGE, review, every=True)
    assert outcome.survivors == []
    assert outcome.total > 1400 and outcome.caught == 1
    assert set(report.counted) == {"bound", "computed", "declared", "quoted"}


def test_one_other_digit_is_chosen_by_seed(review, monkeypatch):
    tried = {seed: [] for seed in (0, 1, 2)}
    for seed, texts in tried.items():
        monkeypatch.setattr(mutation, "judge", lambda block, context, texts=texts: texts.append(block.text) or judge(block, context))
        assert mutation.mutate("So 12 / 2 = 6.", review, seed).total == 4
    assert all(len(set(texts)) == 5 for texts in tried.values())  # the page as it is, and four mutants
    assert len(set(map(tuple, tried.values()))) > 1


def test_a_checker_that_looks_away_is_found_out(review, monkeypatch):
    monkeypatch.setattr(mutation, "judge", lambda block, context: Verdict(block))
    outcome = mutation.mutate("So 8 / 2 = 4.", review)
    assert outcome.total == len(outcome.survivors) == 3 and outcome.caught == 0
    assert outcome.survivors[0].startswith("1: 8 -> ")


def test_a_page_that_fails_cannot_be_mutated(review):
    with pytest.raises(ValueError, match="line 1: 7 fails"):
        mutation.mutate("There are 7.", review)


SENTENCES = (
    "*Nolan* gives {v}`0.047 <nolan.weights[nolan]>` to *nolan*, {when}`the smaller share <nolan.weights[nolan] < nolan.weights[ended]>`, "
    "and {v}`0.953 <nolan.weights[ended]>` to *ended*.\nIt took {v}`12.5 <exam_seconds>` seconds."
)
KINDS = {"comparisons": 1, "names": 1, "bindings": 1, "units": 1}


def test_words_are_changed_in_every_way(review):
    content = {**review.content, "figures": {**review.content["figures"], "exam_seconds": 12.5}}
    assert check_text(SENTENCES, Published(content)).failures == []
    outcomes = mutation.mutate_words(SENTENCES, Published(content))
    assert {kind: outcome.total for kind, outcome in outcomes.items()} == KINDS
    assert {kind: len(outcome.survivors) for kind, outcome in outcomes.items()} == {"comparisons": 0, "names": 1, "bindings": 0, "units": 0}


LEAST = {"comparisons": 0.15, "names": 0.2, "bindings": 0.35, "units": 0.85}  # of the whole book, what is caught of changed words


@pytest.mark.slow
def test_so_many_changed_words_of_the_book_are_caught():
    found = {kind: mutation.Outcome() for kind in LEAST}
    for page, library in with_libraries(BOOK):
        for kind, outcome in mutation.mutate_words(page.read_text(encoding="utf-8"), library.beside(page).fresh()).items():
            found[kind].add(outcome)
    assert {kind: outcome.caught for kind, outcome in found.items() if outcome.caught < LEAST[kind]} == {}


@pytest.mark.slow
@pytest.mark.parametrize("page, library", list(with_libraries(BOOK)), ids=[page.name for page in BOOK])
def test_at_least_99_percent_of_a_pages_mutants_are_caught(page, library):
    outcome = mutation.mutate(page.read_text(encoding="utf-8"), library.beside(page).fresh())
    assert outcome.caught >= mutation.ENOUGH, "\n".join(outcome.survivors)


def test_the_command_lists_the_rate(tmp_path, monkeypatch, capsys):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "home.md").write_text("So 8 / 2 = 4.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert mutation.main(["--all"]) == 0
    assert "book/home.md: 27 of 27 mutants caught" in capsys.readouterr().out
    (tmp_path / "book" / "home.md").write_text("So 8.\n", encoding="utf-8")
    assert mutation.main([]) == 1
    assert "line 1: 8 fails as it stands" in capsys.readouterr().out
