"""The page on costs and formats agrees with its runs."""

import pytest
from bs4 import BeautifulSoup

from pencil.checker.library import Library
from pencil.formats import FORMATS
from pencil.paths import ROOT
from pencil.worked import plain


def worked(chapter):
    return Library(ROOT / "notebooks").chapter(chapter).replay()[""]["paper"]


@pytest.fixture(scope="module")
def page(built):
    return BeautifulSoup((built / "book/costs.html").read_text(encoding="utf-8"), "html.parser")


def test_the_bill_of_one_look(page):
    trace = worked("06").trace
    head, *rows = page.select("table.pencil-bill tr")
    columns = [cell.abbr["title"] for cell in head.select("th")]
    names = ["query", "key", "value", "scores", "scaled", "exp", "exp_sum", "weights", "weighted_values", "context"]
    assert "multiplications" in columns and "reads" in columns
    for chosen, row in zip([*([name] for name in names), names], rows, strict=True):
        assert row.th.text == (worked("06").label(chosen[0]) if len(chosen) == 1 else "together")
        bill = trace.bill(*chosen)
        assert [cell.text or "0" for cell in row.select("td")] == [f"{getattr(bill, column):,}" for column in columns], row.th.text
    assert trace.bill("scores").multiplications == trace.bill("weighted_values").multiplications == 2 * 2 * 4  # as its prose has it


def test_the_shares_in_every_format(page):
    said = [sheet.text.replace("\xa0", " ").strip().split("\n") for sheet in page.select("article .pencil-worked")]
    look = worked("06")
    assert said == [[plain(line) for line in look.beside(name, *FORMATS).lines] for name in ("nolan.weights", "nolan.exp")]
    largest = [float(look.trace.in_format(name)["nolan.weights"][1]) for name in FORMATS]
    assert min(largest) > 0.8  # "nolan listens mostly to ended in all of them"


def test_each_word_meets_each_weight_of_its_block_once():
    trace = worked("10").trace
    assert sum(step.size for name, step in trace.names.items() if name.startswith("params.")) == 96
    grids = trace.bill("query", "key", "value", "attn_out", "hidden", "mlp_out")
    assert grids.multiply_adds == 2 * 96  # of two words, as chapter 10 says, to which the page leads
