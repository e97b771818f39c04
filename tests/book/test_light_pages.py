"""The size of pages: spans of worked lines and duplicate data are removed, and the script restores them."""

import json
import re
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup

from pencil.cli import node
from pencil.paths import ROOT
from pencil.publish import Published
from pencil.worked import export

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.numbers import slim
from pencil_book.shared import TABLE, counted_back, share

MOST = 450_000  # bytes of a page's HTML
BLOCK = ROOT / "notebooks/10_block.ipynb"


def page(html):
    return BeautifulSoup(f"<html><body>{html}</body></html>", "html.parser")


LINES = """<div class="pencil-worked" data-show="a b"><p>a = <span class="pencil-number" data-more data-label="A" data-value="a" data-exact="2.5"
>2</span> +&nbsp;1</p><p>b ≈ <span class="pencil-number" data-track="exact" data-value="b" data-exact="3.25">3.2</span></p></div>"""
RUNS = '<script type="application/json" id="pencil-runs">[]</script>'


def test_worked_lines_are_text_where_the_script_can_open_them():
    with_runs, without = page(LINES + RUNS), page(LINES)
    slim(with_runs), slim(without)
    assert [p.decode_contents() for p in with_runs.find_all("p")] == ["a = 2 +\xa01", "b ≈ <u>3.2</u>"]
    assert [n["data-value"] for n in without.select(".pencil-number[data-exact]")] == ["a"]  # the second opens on its written digits


def test_a_picture_s_numbers_keep_what_they_are_found_by():
    made = page(LINES.replace("pencil-worked", "pencil-picture").replace(' data-show="a b"', "") + RUNS)
    slim(made)
    assert [number.attrs for number in made.select(".pencil-number")] == [
        {"class": ["pencil-number"], "data-value": "a"},
        {"class": ["pencil-number"], "data-track": "exact", "data-value": "b"},
    ]


@pytest.fixture(scope="module")
def data():
    """The runs of a large chapter, and one of them once more, as a lab would have it."""
    runs = [export(tracks["paper"]) for tracks in Published.read(BLOCK).replay().values()]
    return [runs, {"begin": 0, "variants": [{"data": runs[1], "steps": ["a step of many", "a step of many"]}]}]


def shared(data):  # -> the page, its scripts' texts by id
    made = page("".join(f'<script type="application/json" id="s{k}">{json.dumps(one)}</script>' for k, one in enumerate(data)))
    share(made)
    return {script["id"]: script.string for script in made.find_all("script")}


DECODED = """
import { dataOf } from ENGINE
const texts = TEXTS
globalThis.document = { getElementById: (id) => texts[id] === undefined ? null : { textContent: texts[id] } }
console.log(JSON.stringify(["s0", "s1"].map((id) => dataOf({ textContent: texts[id] }))))
"""


def decoded(texts):
    """By the script of the page."""
    engine = json.dumps((ROOT / "pencil/web/engine/data.js").as_uri())
    code = DECODED.replace("ENGINE", engine).replace("TEXTS", json.dumps(texts))
    done = subprocess.run([node.find(), "--input-type=module", "-"], input=code, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_what_stands_twice_stands_once_and_comes_back_whole(data):
    texts = shared(data)
    assert decoded(texts) == counted_back(data)
    assert sum(map(len, texts.values())) < 0.6 * len(json.dumps(data, separators=(",", ":")))
    for place, one in enumerate(json.loads(texts[TABLE])):
        assert all(int(k) < place for k in re.findall(r'\{"=": (\d+)\}', json.dumps(one)))
    first = json.loads(texts["s0"])[0]["program"]["steps"]
    assert sum(isinstance(step, int) for step in first) > len(first) / 2  # a step that stands in the table is its place there, in as few signs


def test_a_page_without_doubles_is_left_alone():
    data = [{"one": [1, 2, 3]}, {"another": "word"}]
    assert TABLE not in shared(data) and decoded(shared(data)) == data


def test_no_page_is_heavy(built):
    sizes = {path.name: path.stat().st_size for path in built.rglob("*.html")}
    assert "13_backward.html" in sizes and {name: size for name, size in sizes.items() if size > MOST} == {}


def test_a_page_loads_the_script_of_a_kind_of_lab_only_where_it_has_one(built):
    has = {"pencil-trained.js": re.compile("pencil-lab pencil-(?:chat|digits|writer|open)"), "pencil-pieces.js": re.compile('class="pencil-pieces')}
    pages = {path.name: path.read_text(encoding="utf-8") for path in built.rglob("*.html")}
    for script, lab in has.items():
        loading = {name for name, html in pages.items() if f"_static/{script}" in html}
        assert loading == {name for name, html in pages.items() if lab.search(html)} and loading
