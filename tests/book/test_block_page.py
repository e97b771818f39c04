"""Every number that the Block post prints for cat and sat is on the page of chapter 10 as text."""

import json
import re

import pytest

from pencil.paths import ROOT

# by hand from the post: its word rows, seats, tamed rows, views, scores, shares, mixes, streams, workers and results
PRINTED = """
[1, 0, 1, 0]  [0, 1, 1, 0]  [1, 1, 0, 0]  [0, 0, 1, 1]  [2, 1, 1, 0]  [0, 1, 2, 1]
1.000  0.500  0.707  1.414  −1.414  0.368  2.718  3.718  0.269  0.731  26.9 %  73.1 %
[1.000, 0.000, 0.000, −1.000]  [−1.000, 0.000, 1.000, 0.000]  [1.414, 0.000, 0.000, −1.414]  [−1.414, 0.000, 1.414, 0.000]
[0.000, 1.414, −1.414, 0.000]  [1.414, −1.414, 0.000, 0.000]  [−1.414, 0.000, 0.000, 1.414]  [0.000, 1.414, 0.000, −1.414]
[0.000, 0.000, −1.414, 1.414]  −0.141  −0.707
[0.000, 0.000, −0.380, 0.380]  [0.000, 1.034, 0.000, −1.034]  [0.000, 1.034, −0.380, −0.654]
[0.000, 0.000, −0.707, 0.707]  [0.000, 0.707, 0.000, −0.707]  [0.000, 0.707, −0.707, 0.000]
[2.000, 2.034, 0.620, −0.654]  [0.000, 1.707, 1.293, 1.000]
[1.000, 1.034, −0.380, −1.654]  [1.000, 1.069, 0.144, 2.736]  4.949  1.237  1.112  [0.899, 0.930, −0.342, −1.487]
[−1.000, 0.707, 0.293, 0.000]  [1.000, 0.500, 0.086, 0.000]  1.586  0.397  0.630  [−1.587, 1.122, 0.465, 0.000]
−0.031  1.145  1.829  0.588  [0.000, 1.145, 1.829, 0.588]  [1.145, 1.829, 0.588, 0.000]
−2.709  0.465  −0.465  1.587  [0.000, 0.465, 0.000, 1.587]  [0.465, 0.000, 1.587, 0.000]
[3.145, 3.863, 1.208, −0.654]  [0.465, 1.707, 2.880, 1.000]
"""
# what the post prints and this book puts right: the value of the book stands there
RIGHT = ["0.707", "−1.273", "1.999", "[0.500, 0.500]"]


def page(name):
    """All that a reader of a chapter can read, with the line breaks and the markup taken out."""
    cells = json.loads((ROOT / "notebooks" / name).read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    for output in (out for cell in cells for out in cell.get("outputs", ())):
        texts += ["".join(output.get("text", "")), "".join(output.get("data", {}).get("text/plain", ""))]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", " ".join(texts)))


@pytest.mark.parametrize("number", [*re.split(r"\s{2,}|\n", PRINTED.strip()), *RIGHT])
def test_the_number_stands_on_the_page(number):
    assert re.search(rf"(?<![\d.−]){re.escape(number)}(?!\d|\.\d)", page("10_block.ipynb")), f"{number} is not on the page"


def test_the_stamp_stands_in_order():
    assert "[0.841, 0.540, 0.010, 1.000]" in page("11_order.ipynb")
