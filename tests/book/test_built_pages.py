"""Post-processing of the built pages: accessible names, landmarks, and no unused CSS rule."""

import re
import sys

import pytest

from pencil.drawings.canvas import FIGURES
from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from docutils import nodes
from pencil_book.accessible import mend
from pencil_book.apostrophes import curl
from pencil_book.breaks import break_names
from pencil_book.code import FOLD, MEASURED, fold
from pencil_book.downloads import fetch
from pencil_book.finish import finished
from pencil_book.folded import MEASURES, SCRIPT
from pencil_book.numbers import ClaimRole, mark_exact
from pencil_book.purge import PLAIN, lighten, purge


@pytest.mark.parametrize(
    "before, after",
    [
        ('<th class="head"><p></p></th>', '<td class="head"></td>'),
        ('<th class="head"></th>', '<td class="head"></td>'),
        ('<th class="head text-left"><p></p></th>', '<td class="head text-left"></td>'),
        ('<th class="head"><p>word</p></th>', '<th class="head" scope="col"><p>word</p></th>'),
        ('<th class="head"><p><img src="a.png"></p></th>', '<th class="head" scope="col"><p><img src="a.png"></p></th>'),
        (
            '<table><thead><tr><th class="head"></th><th class="head">a</th></tr></thead><tbody><tr><td>b</td><td>c</td></tr></tbody></table>',
            '<table><thead><tr><td class="head"></td><th class="head" scope="col">a</th></tr></thead>'
            "<tbody><tr><th>b</th><td>c</td></tr></tbody></table>",
        ),
        ("<table><tbody><tr><td>b</td><td>c</td></tr></tbody></table>",) * 2,
        ('<summary aria-label="Toggle hidden content"><p>Show output</p></summary>', "<summary><p>Show output</p></summary>"),
        ("<p>no head, <b>no button</b></p>",) * 2,
        ('<button title="Full screen" class="x"></button>', '<button title="Full screen" class="x" aria-label="Full screen" type="button"></button>'),
        ('<button type="submit" aria-label="Go" title="Search"></button>',) * 2,
        (
            '<figure class="pencil-drawing"><text><tspan>2</tspan><tspan>1</tspan>, <tspan>0</tspan></text></figure>',
            '<figure class="pencil-drawing"><text class="apart"><tspan>2</tspan> <tspan>1</tspan>, <tspan>0</tspan></text></figure>',
        ),
        ("<p><span>2</span><span>1</span></p>",) * 2,
        ('<main id="main-content" role="main"></main>', '<main id="main-content"></main>'),
        ('<aside class="footnote-list brackets"></aside>', '<aside class="footnote-list brackets" role="presentation"></aside>'),
        (
            '<div class="sidebar-primary-item">\n<a class="navbar-brand logo">x</a></div>',
            '<div class="sidebar-primary-item" role="navigation" aria-label="Home">\n<a class="navbar-brand logo">x</a></div>',
        ),
        ('<div class="sidebar-primary-item"><nav></nav></div>',) * 2,
        (
            '<div class="pencil-box your-turn" id="x"><p>Your turn</p><p>Why?</p><details><p>So.</p></details></div>',
            '<div class="pencil-box your-turn" id="x" role="group" aria-labelledby="x-asks"><p>Your turn</p><p id="x-asks">Why?</p>'
            "<details><p>So.</p></details></div>",
        ),
        (
            '<button class="btn search-button-field x" title="Search" aria-label="Search" data-y="1"></button>',
            '<button class="btn search-button-field x" data-y="1" type="button"></button>',
        ),
    ],
)
def test_what_a_screen_reader_stumbles_over_is_mended(before, after):
    assert finished(before, [mend]) == after


@pytest.mark.parametrize(
    "css, left",
    [
        (".known{a:b}.gone{a:b}", ".known{a:b}"),
        ("p,.gone p,.known:hover{a:b}", "p,.known:hover{a:b}"),
        ("@media print{.gone{a:b}}p{a:b}", "p{a:b}"),
        ("@media (x){.known{a:b}.gone{c:d}}", "@media (x){.known{a:b}}"),
        ("@font-face{src:url(x)}", "@font-face{src:url(x)}"),
        ("@import url(x.css);p{a:b}", "@import url(x.css);\np{a:b}"),
        (".known:not(.gone){a:b}", ".known:not(.gone){a:b}"),
        ("p:is(.gone, .known) q{a:b}", "p:is(.gone, .known) q{a:b}"),
        ('p::after{content:"}.gone{"}', 'p::after{content:"}.gone{"}'),
        ("#gone{a:b}#known{a:b}", "#known{a:b}"),
        ("p{ a: b c; /* why */ d: e;\n}", "p{a:b c;d:e}"),
        ("/* .known{ */p{a:b}", "p{a:b}"),
        (".bs-tooltip-top .known{a:b}", ".bs-tooltip-top .known{a:b}"),
        ("@keyframes x{from{a:b}to{a:c}}", "@keyframes x{from{a:b}to{a:c}}"),
        ("[data-x='.gone']{a:b}", '[data-x=".gone"]{a:b}'),
        ("p.gone\\:on, p:nth-child(2 of .gone), .known.known{a:b}", ".known.known{a:b}"),
        ('p{a:"\\"}.gone{"}.gone{a:b}', 'p{a:"\\"}.gone{"}'),
        ("@font-face{src:url(fontawesome/x)}@layer a, b;", "@layer a, b;"),
    ],
)
def test_only_rules_that_find_nothing_go(css, left):
    assert purge(css, {"known"}) == left


def test_whose_work_a_style_sheet_is_stays_in_it_once():
    banner = "/*!\n * Bootstrap\n * Copyright 2011-2024\n * Licensed under MIT\n */"
    assert purge(f"{banner}p{{a:b}}/* why */\n{banner}\n.gone{{a:b}}", {"known"}) == f"{banner}\np{{a:b}}"


BANNERS = {"styles/pydata-sphinx-theme.css": "Bootstrap", "basic.css": "Sphinx team", "scripts/bootstrap.js.LICENSE.txt": "Bootstrap"}
BANNERS |= {"clipboard.min.js": "Licensed MIT", "math.woff2.LICENSE.txt": "Bitstream"}


def test_the_book_carries_the_licences_of_what_is_in_it(built):
    for name in ("LICENSE", "LICENSE-CONTENT"):
        assert (built / name).read_bytes() == (ROOT / name).read_bytes()
    for name, whose in BANNERS.items():
        assert whose in (built / "_static" / name).read_text(encoding="utf-8"), name
    fonts = [path for path in built.rglob("*") if path.suffix in (".woff", ".woff2", ".ttf", ".otf")]
    assert fonts and all(path.with_name(f"{path.name}.LICENSE.txt").exists() for path in fonts)


def test_a_style_sheet_that_cannot_be_read_is_said():
    with pytest.raises(ValueError, match="line 2 of a style sheet cannot be read"):
        purge("p{a:b}\n}", {"known"})


UNTOUCHED = """<!DOCTYPE html>
<html lang="en"><head><!-- a --><link href="a.css" rel="stylesheet"><script>if (a < b && c) d("</b>")</script><style>a > b{}</style></head>
<body><svg viewbox="0 0 1 1" translate="no"><path d="M0 0" /></svg><math translate="no"><mi>x</mi></math>
<p data-x='{"a": 1}' hidden="">1 &lt; 2 &amp; 3 − √4<br>\N{NO-BREAK SPACE}</p>
<pre translate="no">  a

  b</pre></body></html>"""


def test_what_no_change_asks_for_is_written_as_it_was():
    assert finished(UNTOUCHED).replace("html>\n\n", "html>\n") == UNTOUCHED


def test_translators_leave_numbers_and_code_alone_and_are_told_once():
    page = '<p>about <span class="pencil-number">0.5</span></p><div class="pencil-worked"><p>a = <u class="pencil-number">1</u></p></div>'
    page += "<p><code>stick</code></p><pre><code>x = 1</code></pre>"
    marked = finished(f"<html><body>{page}</body></html>")
    assert marked.count('translate="no"') == 4
    for part in (
        '<span class="pencil-number" translate="no">',
        '<div class="pencil-worked" translate="no">',
        '<code translate="no">stick',
        '<pre translate="no"><code>x',
    ):
        assert part in marked


def test_apostrophes_of_drawings_labs_and_questions_are_those_of_the_prose():
    page = "<article><text>cat{0}s row, or cats{0}</text><code>cat's</code></article>"
    page += """<script id="pencil-questions">{{"says": "Is it nolan{0}s?"}}</script><script id="pencil-runs">{{"label": "cat's"}}</script>"""
    page += """<div class="pencil-lab"><script>{{"label": "The walker{0}s grid"}}</script></div><p>cat's</p>"""
    assert finished(page.format("'"), [curl]) == page.format("’")


def test_a_long_name_of_code_may_break_behind_its_underscores():
    for before, after in {
        "<code>weighted_values</code>": "<code>weighted_<wbr>values</code>",
        "<code><span>, test_the_sheet(x_hat)</span></code>": "<code><span>, test_<wbr>the_<wbr>sheet(x_<wbr>hat)</span></code>",
        "<code>_speculative_sampling_</code>": "<code>_speculative_<wbr>sampling_</code>",
    }.items():
        assert finished(before, [break_names]) == after
    for kept in ("<code>without_head</code>", "<code>MultiheadAttention</code>", "<p>weighted_values</p>", "<pre><code>weighted_values</code></pre>"):
        assert finished(kept, [break_names]) == kept


def test_the_links_to_sources_fetch():
    before = '<a href="../_sources/x.md" target="_blank">x</a><a href="https://a.org" target="_blank">y</a>'
    assert finished(before, [fetch]) == '<a href="../_sources/x.md" download="">x</a><a href="https://a.org" target="_blank">y</a>'


def test_a_page_keeps_the_scripts_that_it_uses():
    kept = '<script src="../_static/clipboard.min.js?v=1"></script>'
    gone = '<script src="../searchindex.js"></script>\n<script defer src="../_static/scripts/fontawesome.js?digest=5"></script>'
    assert finished(f'{kept}\n{gone}<p style="margin: 0">a&nbsp;b</p>', [lighten]) == f"{kept}<p>a\N{NO-BREAK SPACE}b</p>"
    search, found = '<script src="_static/searchtools.js"></script>', '<div id="search-results"></div>'
    assert finished(f"{search}\n{found}", [lighten]) == f"{search}\n{found}" and finished(search, [lighten]) == ""


@pytest.mark.parametrize("tracks, turned", [(["exact", "exact"], ' data-turned="exact"'), (["exact", ""], ""), ([], "")])
def test_cards_do_without_rounding_on_a_page_whose_lines_do(tracks, turned):
    lines = "".join(f'<div class="pencil-worked" data-track="{track}"></div>' for track in tracks)
    assert finished(f"<article>{lines}</article>", [mark_exact]) == f"<article{turned}>{lines}</article>"


def test_code_keeps_the_marks_that_have_an_ink_of_their_own():
    code = '<div class="highlight"><pre><span></span><span class="n">x</span><span class="p">,</span> <span class="k">if</span>\n</pre></div>'
    assert finished(code, [lighten]) == '<div class="highlight"><pre>x, <span class="k">if</span>\n</pre></div>'
    dotted = '<div class="highlight"><pre>x<span class="o">{}</span>T</pre></div>'
    assert finished(dotted.format("."), [lighten]) == '<div class="highlight"><pre>x.T</pre></div>'
    assert finished(dotted.format("="), [lighten]) == '<div class="highlight"><pre>x=T</pre></div>'
    assert finished(dotted.format("@"), [lighten]) == dotted.format("@")
    assert finished('<span class="n">x</span>', [lighten]) == '<span class="n">x</span>'


def test_a_row_and_a_cell_of_code_have_no_class_that_no_style_asks_for():
    table = '<table><tr class="row-odd"><td>1</td></tr><tr class="changed"><td>2</td></tr></table>'
    assert finished(table, [lighten]) == '<table><tr><td>1</td></tr><tr class="changed"><td>2</td></tr></table>'
    cell = '<div class="cell_output docutils container"><div class="highlight-ipython3 notranslate">x</div></div>'
    assert finished(cell, [lighten]) == '<div class="cell_output"><div>x</div></div>'


def test_what_follows_an_image_in_a_drawing_is_not_lost_in_it():
    drawing = '<svg><image xlink:href="dots.png"></image><text>title</text></svg>'
    assert finished(drawing, []) == finished(drawing.replace("></image>", "/>"), []) == drawing


def test_a_drawing_says_once_what_most_of_its_marks_say():
    drawing = (
        '<svg stroke-width="1.2"><g><path stroke-width="1.2"></path><path stroke-width="2" stroke="var(--ink, #123abc)"></path></g>'
        '<text font-size="12" text-anchor="end">a</text><text font-size="12" text-anchor="end">b</text><text font-size="9">c</text></svg>'
    )
    assert finished(drawing, [lighten]) == (
        '<svg stroke-width="1.2" font-size="12"><g><path /><path stroke-width="2" stroke="var(--ink)" /></g>'
        '<text text-anchor="end">a</text><text text-anchor="end">b</text><text font-size="9">c</text></svg>'
    )
    assert finished('<svg><g stroke-width="3"><path stroke-width="1"></path></g></svg>', [lighten]).count("stroke-width") == 2


def test_the_space_between_two_figures_has_a_rule_that_finds_it():
    drawing = f'<figure class="pencil-drawing"><svg><text style="{FIGURES}"><tspan>2</tspan><tspan>1</tspan></text></svg></figure>'
    built = finished(drawing, [mend, lighten])
    assert '<text class="apart set-figures"><tspan>2</tspan> <tspan>1</tspan></text>' in built
    rules = (ROOT / "book/_static/text.css").read_text(encoding="utf-8")
    assert re.search(r"\.apart\.set-figures \{\s*word-spacing: -0\.602em;", rules)


@pytest.mark.parametrize("style", ["a11y-high-contrast-light", "a11y-high-contrast-dark"])
def test_a_mark_that_goes_had_the_ink_of_all_code(style):
    from pygments.formatters import HtmlFormatter

    rules = HtmlFormatter(style=style).get_style_defs(".highlight")
    (ink,) = re.findall(r"^\.highlight \{[^}]*?color: (#\w+)[^}]*\}", rules.replace("background: ", "of: "), re.M)
    for mark in PLAIN:
        assert re.findall(rf"^\.highlight \.{mark} \{{ (.*?) \}}", rules, re.M) == [f"color: {ink}"]


def shown(*outputs):
    """A cell and what it shows, as MyST-NB makes them."""
    source = nodes.container("", nodes.literal_block("", "print(facts)"), nb_element="cell_code_source")
    output = nodes.container("", *(nodes.literal_block("", text) for text in outputs), nb_element="cell_code_output")
    return nodes.container("", source, output, nb_element="cell_code", classes=["cell"])


@pytest.mark.parametrize(
    "says, stays, begins",
    [
        ("Recorded 2026-11-21 on a CPU", [], MEASURED),
        ("width 8\nRecorded 2026-11-21 on\na CPU", ["width 8"], MEASURED),
        ("Recorded by nobody", ["Recorded by nobody"], FOLD),
    ],
)
def test_how_a_result_was_measured_goes_into_the_fold_with_the_code(says, stays, begins):
    cell = shown(says)
    doctree = nodes.section("", nodes.title("", "A chapter"), cell)
    fold(None, doctree)
    closed = next(place for place, part in enumerate(cell) if part.astext() == "</details>")
    assert cell[0].astext() == begins
    assert [block.astext() for part in cell[closed:] for block in part.findall(nodes.literal_block)] == stays
    folded = "\n".join(block.astext() for part in cell[:closed] for block in part.findall(nodes.literal_block))
    assert ("on a CPU" in folded.replace("\n", " ")) == (begins == MEASURED)


def test_the_theme_s_script_leaves_folded_listings_alone(built):
    """The text that is changed in it is found there, in the version that is installed."""
    script = (built / SCRIPT).read_text(encoding="utf-8")
    assert script.count('.matches("details:not([open]) pre")||') == 1 and not MEASURES.search(script)


def test_a_claim_on_a_page_without_runs_is_its_words():
    role = ClaimRole()
    role.text = "falls <03:behind[0, 0] > 03:behind[0, 1]>"
    ((words,), messages) = role.run()
    assert words.astext() == "falls" and messages == []
