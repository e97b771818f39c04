"""The numbers of a page stand without script, and each opens its exact value under a pointer, a finger or the eye of a test."""

OPENED = "number => getComputedStyle(number, '::after').content"


def test_numbers_stand_without_script(book):
    for page in book.chapters:
        with book.tab(java_script_enabled=False) as (tab, _):
            tab.goto(book.url(page))
            plain = tab.locator(".pencil-number").all_text_contents()
        with book.tab() as (tab, _):
            tab.goto(book.url(page))
            live = tab.locator(".pencil-number").all_text_contents()
        assert plain == live, page
        assert plain and all(text.strip() for text in plain), page


def test_every_bound_numeral_knows_its_exact_value(book):
    for page in book.chapters:
        with book.tab() as (tab, _):
            tab.goto(book.url(page))
            unopened = tab.locator("p > span[data-value]:not(.pencil-number)").all_text_contents()
        assert unopened == [], page


def first_number(tab):
    """The first number of the text that has an exact value."""
    number = tab.locator("p > .pencil-number[data-exact]").first
    number.scroll_into_view_if_needed()
    return number


def test_hovering_shows_the_exact_value(book):
    for page in book.chapters:
        with book.tab() as (tab, _):
            tab.goto(book.url(page))
            number = first_number(tab)
            assert number.evaluate(OPENED) == "none"
            number.hover()
            assert number.get_attribute("data-exact") in number.evaluate(OPENED)


def test_tapping_shows_the_exact_value(book):
    """A tap focuses the number, so the value stays until the next tap; the page grows no wider for it."""
    for page in book.chapters:
        with book.phone() as (tab, _):
            tab.goto(book.url(page))
            number = first_number(tab)
            number.tap()
            assert number.evaluate("number => number.matches(':focus')")
            assert number.get_attribute("data-exact") in number.evaluate(OPENED)
            assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_numbers_are_no_stops_of_the_tab_key(book):
    for page in book.chapters:
        with book.tab() as (tab, _):
            tab.goto(book.url(page))
            assert tab.locator(".pencil-number[tabindex='0']").count() == 0
