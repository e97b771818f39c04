"""Every page opens with the network cut, from a file and over http, and asks for nothing that is not its own."""

import pytest

SCHEMES = ["file", "http"]
SETTLED = "() => document.readyState === 'complete'"


def look_closely(tab):
    """Do what a reader does: read to the end, unfold, hover, open the menus."""
    tab.wait_for_function(SETTLED)
    tab.evaluate("document.querySelectorAll('details').forEach(box => { box.open = true })")
    tab.mouse.wheel(0, 100_000)
    for number in tab.locator(".pencil-number[data-exact]").all()[:3]:
        number.scroll_into_view_if_needed()
        number.hover()
    tab.wait_for_timeout(50)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_page_asks_outside_or_complains(book, scheme):
    wrong = {}
    for page in book.pages:
        with book.tab() as (tab, log):
            tab.goto(book.url(page, scheme))
            look_closely(tab)
        if log.wrong:
            wrong[page] = log.wrong
    assert wrong == {}
    assert len(book.pages) > len(book.chapters) > 0


def test_the_cut_is_real(book):
    """The log does catch a page that asks outside."""
    with book.tab() as (tab, log):
        tab.goto(book.url(book.chapters[0]))
        tab.evaluate("new Image().src = 'https://example.org/outside.png'")
        tab.wait_for_timeout(100)
    assert "asked for https://example.org/outside.png" in log.wrong


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_first_page_leads_into_the_book(book, scheme):
    with book.tab() as (tab, log):
        tab.goto(book.url("index.html", scheme))
        tab.wait_for_url(book.url("book/home.html", scheme))
        assert tab.locator("article h1").is_visible()
    assert log.wrong == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_search_finds_a_word(book, scheme):
    with book.tab() as (tab, log):
        tab.goto(book.url("search.html?q=attention", scheme))
        tab.locator('#search-results li a[href*="notebooks/"]').first.wait_for()  # the pages found come one by one
    assert log.wrong == []
