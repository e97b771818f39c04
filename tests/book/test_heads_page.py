"""Every correct number of the slides' two programs is on the page of chapter 07 as text."""

import json
import re

import pytest

from pencil.paths import ROOT

# by hand from the slides: the exercise, the shapes, the rows that the two programs print, the seed, the widths
PRINTED = """
[[3, 4], [7, 2], [5, 9]]  [[3, 1, 5], [6, 9, 7]]
(5, 50)  (5, 5)  42  50 / 10 = 5
[0.418, 0.24968, −0.41242, 0.1217, 0.34527]
[−4.31502585, −3.90981072, −2.11083877, −1.51211468, −1.90636801]
[−4.37999318, −1.99506183, −2.05712457, −0.08937276, −1.72769596]
−4.31502585 −3.90981072 −2.11083877 −1.51211468 −1.90636801
−4.37999318 −1.99506183 −2.05712457 −0.08937276 −1.72769596
"""
# what the slides leave to the reader, or what is not so: the value of the book stands there
RIGHT = """
[[33, 39, 43], [33, 25, 49], [69, 86, 88]]  −3.76836212 −3.41891023 −2.05609808 −4.08475396 −3.22803747
−52  49  −44.91  48.55  8.84  198  −0.495  0.546  0.282  43
3·50·50 = 7,500  10·3·50·5 = 7,500  √2 ≈ 1.414  √5 ≈ 2.236  √32 ≈ 5.657  2·32 = 64  10·5 = 50  8,192 + 224 = 8,416
"""


@pytest.fixture(scope="module")
def page():
    """All that a reader of the chapter can read, with the line breaks and the markup taken out."""
    cells = json.loads((ROOT / "notebooks/07_heads.ipynb").read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    for output in (out for cell in cells for out in cell.get("outputs", ())):
        texts += ["".join(output.get("text", "")), "".join(output.get("data", {}).get("text/plain", ""))]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", " ".join(texts)))


@pytest.mark.parametrize("number", [n for table in (PRINTED, RIGHT) for n in re.split(r"\s{2,}|\n", table.strip())])
def test_the_number_stands_on_the_page(number, page):
    assert re.search(rf"(?<![\d.−]){re.escape(number)}(?!\d|\.\d)", page), f"{number} is not on the page"


def test_the_wrong_width_is_called_wrong(page):
    assert re.search(r"each head is ten wide\..{0,300}? 50 / 10 = 5", page)
