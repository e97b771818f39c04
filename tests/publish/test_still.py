"""A page without scripts: well-formed XHTML that says what the built page says, with colours as values."""

from xml.etree import ElementTree

import pytest

from pencil.cli import epub
from pencil.publish.still import StillPage, palette, resolved, sheet

XHTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
PAGE = """<html><body><article class="bd-article"><section id="s"><h1>5 · A &amp; B<a class="headerlink" href="#s">#</a></h1>
<button type="button">Show all code</button><script type="application/json">{"a": 1}</script><!--no claim-->
<p>It is <span class="pencil-number short" data-value="a.b" translate="no">0.953</span>, exactly
<span class="pencil-number" data-track="exact" data-value="a.c">0.9526</span>, a row<wbr>_norm.</p>
<details class="pencil-code"><summary>Code</summary><pre>hidden</pre></details>
<div class="cell_input"><div class="highlight"><pre translate="no"><span class="n">x</span> = 1 &lt; 2</pre></div></div>
<details class="admonition hide"><summary><p class="collapsed">Unfold it</p><p class="expanded">Fold it</p></summary><p>answer</p></details>
<details name="one-open"><summary>Shade</summary></details>
<table class="pencil-heat"><tbody><tr><td style="--v:0.5">0.5</td><td style="--v:-2">−2</td></tr></tbody></table>
<table class="pencil-bars"><tbody><tr><td class="bar"><span style="--v:0.25"></span></td></tr></tbody></table>
<div class="pencil-worked" data-track="exact"><p>a = 1</p></div>
<section class="pencil-lab"><div class="pencil-lab-still">still</div><div class="pencil-lab-live">live</div></section>
<svg aria-label="A line." role="img" style="--wide:300;--high:40" viewbox="0 0 300 40"><clippath id="c"><rect width="3"/></clippath>
<path stroke="var(--ink)" style="fill:var(--quiet, #123)" d="M0 0"/><text><tspan class="pencil-number" data-value="a" x="3">2</tspan></text></svg>
<math><mtable displaystyle="true" scriptlevel="0"><mtr><mtd><mfrac displaystyle="false"><mi>a</mi><mi>b</mi></mfrac></mtd></mtr></mtable></math>
</section></article></body></html>"""


@pytest.fixture(scope="module")
def page():
    return StillPage(PAGE, palette())


@pytest.fixture(scope="module")
def read(page):
    return ElementTree.fromstring(page.xhtml("../epub.css").encode())


def test_what_is_read_stays_and_what_needs_a_script_goes(page, read):
    said = " ".join("".join(read.find(f"{XHTML}body").itertext()).split())
    assert page.title == "5 · A & B" and "5 · A & B" in said
    for words in ("It is 0.953, exactly 0.9526, a row_norm.", "x = 1 < 2", "Unfold it", "answer", "still"):
        assert words in said
    for gone in ("Show all code", "hidden", "live", "Fold it", '"a"', "#", "no claim"):
        assert gone not in said.replace("Unfold it", "")


def test_exact_digits_alone_keep_a_mark(read):
    marked = [mark.text for mark in read.iter(f"{XHTML}span") if mark.get("class") == "exact"]
    assert marked == ["0.9526"]
    assert [div.get("class") for div in read.iter(f"{XHTML}div") if "a = 1" in "".join(div.itertext())][-1] == "pencil-worked"
    assert not [name for tag in read.iter() for name in tag.attrib if name.startswith("data-") or name == "name"]  # EPUB has no details with a name


def test_colours_and_lengths_are_values(read):
    colours = palette()
    full, empty = read.iter(f"{XHTML}td"), read.iter(f"{XHTML}span")
    assert [cell.get("style") for cell in full][:2] == [f"background:rgba({colours['shade']},0.29)", f"background:rgba({colours['below-zero']},0.58)"]
    assert "width:25%" in [bar.get("style") for bar in empty]
    path = next(read.iter(f"{SVG}path"))
    assert path.get("stroke") == colours["ink"] and path.get("style") == f"fill:{colours['quiet']}"
    assert "var(" not in sheet(colours)


def test_a_colour_that_there_is_not_is_refused():
    with pytest.raises(KeyError, match="nothing"):
        resolved("fill:var(--nothing)", palette())


def test_a_drawing_keeps_its_text_alternative_and_nothing_else_a_role(read):
    kept = [(tag.tag, name, value) for tag in read.iter() for name, value in tag.attrib.items() if name == "role" or name.startswith("aria-")]
    assert sorted(kept) == [(f"{SVG}svg", "aria-label", "A line."), (f"{SVG}svg", "role", "img")]
    assert "alternativeText" in epub.ACCESS["accessibilityFeature"]


def test_any_svg_and_attributes_of_many_words_come_through():
    html = """<article><h1>A</h1><p><a rel="noopener nofollow" href="#a">a</a></p>
    <svg width="9"><lineargradient gradientunits="userSpaceOnUse"/><text textlength="5">b</text></svg></article>"""
    read = ElementTree.fromstring(StillPage(html, palette()).xhtml("epub.css").encode())
    assert next(read.iter(f"{XHTML}a")).get("rel") == "noopener nofollow"
    assert next(read.iter(f"{SVG}svg")).attrib == {"width": "9"}
    assert next(read.iter(f"{SVG}linearGradient")).get("gradientUnits") == "userSpaceOnUse" and next(read.iter(f"{SVG}text")).get("textLength") == "5"


def test_pictures_and_formulas_are_xml(page, read):
    drawing = next(read.iter(f"{SVG}svg"))
    assert drawing.get("viewBox") == "0 0 300 40" and drawing.get("style") == "width:100%;max-width:20em"
    assert next(read.iter(f"{SVG}clipPath")).get("id") == "c" and next(read.iter(f"{SVG}tspan")).get("x") == "3"
    assert page.properties == ["mathml", "svg"]
    math = "{http://www.w3.org/1998/Math/MathML}"
    assert next(read.iter(f"{math}mtable")).attrib == {"displaystyle": "true"}
    assert next(read.iter(f"{math}mstyle")).attrib == {"displaystyle": "false"} and not next(read.iter(f"{math}mfrac")).attrib
