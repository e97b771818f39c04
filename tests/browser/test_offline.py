"""The first page and the search work from a file and over http, with the network cut."""

import pytest

SCHEMES = ["file", "http"]


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
