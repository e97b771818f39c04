"""What is copied from a page runs in Python, and what Python prints is taken where a row is edited."""

import ast

import pytest
from conftest import OPEN_LINES
from live_page import LOOK

COPY = """selected => {
  const range = document.createRange(), data = new DataTransfer()
  range.selectNodeContents(selected)
  getSelection().removeAllRanges()
  getSelection().addRange(range)
  selected.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }))
  return [String(getSelection()), data.getData("text/plain"), data.getData("text/html")]
}"""


def test_a_copied_line_is_typed_as_python_types_it(book):
    tab, log = book.visit("notebooks/10_block.html")
    tab.evaluate(OPEN_LINES)
    sums = 0
    for line in tab.locator("article .pencil-worked p").all()[:120]:
        shown, plain, html = line.evaluate(COPY)
        if "−" not in shown and "·" not in shown:
            continue
        assert "−" not in plain and "\u00a0" not in plain
        assert ("−" in html) == ("−" in shown)  # a document keeps the typeset signs
        value = plain.split(" = ")[-1].split(" ≈ ")[-1].strip()
        assert ast.literal_eval(value) is not None
        side = plain.split(" = ")[1].split(" ≈ ")[0]
        if set(side) <= set("0123456789.*+-() "):
            eval(side)  # a sum of digits and signs only
            sums += 1
    assert sums > 5 and log.wrong == []


def test_words_are_copied_as_they_are(book):
    tab, _ = book.visit(LOOK)
    assert tab.locator("article p").first.evaluate(COPY)[1:] == ["", ""]  # left to the browser


ROWS = [
    "[3.0, 1.0, 1.0, -1.0]",
    "np.array([3, 1, 1, -1])",
    "array([ 3.,  1.,  1., -1.], dtype=float32)",
    "tensor([3., 1., 1., -1.], requires_grad=True)",
]


@pytest.mark.parametrize("pasted", ROWS)
def test_a_row_that_python_prints_is_taken(book, pasted):
    tab, log = book.visit(LOOK)
    row = tab.locator("article :is(p, td) > .pencil-number[data-value='nolan.embedding']").first
    row.click()
    tab.locator(".pencil-card input").fill(pasted)
    assert row.inner_text() == "[3, 1, 1, −1]" and tab.locator(".pencil-card .wrong").inner_text() == "" and log.wrong == []
