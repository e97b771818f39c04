"""What is done to the pages when they are built: names and landmarks for screen readers, and no rule that finds nothing."""

import re
import sys

import pytest

from pencil.clone import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.accessible import mend
from pencil_book.purge import PLAIN, lighten, purge


@pytest.mark.parametrize(
    "before, after",
    [
        ('<th class="head"><p></p></th>', '<td class="head"></td>'),
        ('<th class="head"></th>', '<td class="head"></td>'),
        ('<th class="head text-left"><p></p></th>', '<td class="head text-left"></td>'),
        ('<th class="head"><p>word</p></th>', '<th scope="col" class="head"><p>word</p></th>'),
        ('<button title="Full screen" class="x">', '<button aria-label="Full screen" type="button" title="Full screen" class="x">'),
        ('<button type="submit" aria-label="Go" title="Search">', '<button type="submit" aria-label="Go" title="Search">'),
        ('<main id="main-content" role="main">', '<main id="main-content">'),
        (
            '<div class="sidebar-primary-item">\n<a class="navbar-brand',
            '<div class="sidebar-primary-item" role="navigation" aria-label="Home">\n<a class="navbar-brand',
        ),
        ('<div class="sidebar-primary-item"><nav>', '<div class="sidebar-primary-item"><nav>'),
        (
            '<button class="btn search-button-field x" title="Search" aria-label="Search" data-y>',
            '<button type="button" class="btn search-button-field x" data-y>',
        ),
    ],
)
def test_what_a_screen_reader_stumbles_over_is_mended(before, after):
    assert mend(before) == after


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
        ("/* .known{ */p{a:b}", "p{a:b}"),
        (".bs-tooltip-top .known{a:b}", ".bs-tooltip-top .known{a:b}"),
        ("@keyframes x{from{a:b}to{a:c}}", "@keyframes x{from{a:b}to{a:c}}"),
        ("[data-x='.gone']{a:b}", "[data-x='.gone']{a:b}"),
    ],
)
def test_only_rules_that_find_nothing_go(css, left):
    assert purge(css, {"known"}) == left


def test_a_page_keeps_the_scripts_that_it_uses():
    kept = '<script src="../_static/clipboard.min.js?v=1"></script>'
    gone = '<script src="../searchindex.js"></script>\n<script defer src="../_static/scripts/fontawesome.js?digest=5"></script>'
    assert lighten(f'{kept}\n{gone}<p style="margin: 0">a&nbsp;b</p>') == f"{kept}<p>a\N{NO-BREAK SPACE}b</p>"


def test_code_keeps_the_marks_that_have_an_ink_of_their_own():
    code = '<div class="highlight"><pre><span></span><span class="n">x</span><span class="p">,</span> <span class="k">if</span>\n</pre></div>'
    assert lighten(code) == '<div class="highlight"><pre><span></span>x, <span class="k">if</span>\n</pre></div>'
    assert lighten('<span class="n">x</span>') == '<span class="n">x</span>'


@pytest.mark.parametrize("style", ["a11y-high-contrast-light", "a11y-high-contrast-dark"])
def test_a_mark_that_goes_had_the_ink_of_all_code(style):
    from pygments.formatters import HtmlFormatter

    rules = HtmlFormatter(style=style).get_style_defs(".highlight")
    (ink,) = re.findall(r"^\.highlight \{[^}]*?color: (#\w+)[^}]*\}", rules.replace("background: ", "of: "), re.M)
    for mark in PLAIN:
        assert re.findall(rf"^\.highlight \.{mark} \{{ (.*?) \}}", rules, re.M) == [f"color: {ink}"]
