"""The numbers of a page stand without script, and each opens its exact value under a pointer, a finger or the eye of a test."""

OF_THE_PAGE = ".pencil-number:not(.pencil-lab > :not(.pencil-lab-still) *)"  # a lab adds its own beside those that stand without script
OPENED = "number => getComputedStyle(number, '::after').content"


def test_numbers_stand_without_script(book):
    for page in book.chapters:
        with book.tab(java_script_enabled=False) as (tab, _):
            tab.goto(book.url(page))
            plain = tab.locator(OF_THE_PAGE).all_text_contents()
        live = book.looked_at(page).locator(OF_THE_PAGE).all_text_contents()
        assert plain == live, page
        assert plain and all(text.strip() for text in plain), page


def test_every_bound_numeral_knows_its_exact_value(book):
    for page in book.chapters:
        unopened = book.looked_at(page).locator("p > span[data-value]:not(.pencil-number)").all_text_contents()
        assert unopened == [], page


def first_number(tab):
    """The first number of the text that has an exact value."""
    number = tab.locator("p > .pencil-number[data-exact]").first
    number.scroll_into_view_if_needed()
    return number


def test_hovering_shows_the_exact_value(book):
    for page in book.chapters:
        number = first_number(book.looked_at(page))
        assert number.evaluate(OPENED) == "none"
        number.hover()
        assert number.get_attribute("data-exact") in number.evaluate(OPENED)
        book.looked_at(page).mouse.move(0, 0)


def test_tapping_shows_the_exact_value(book):
    """A tap focuses the number, so the value stays until the next tap; the page grows no wider for it."""
    for page in book.chapters:
        with book.phone() as (tab, _):
            tab.goto(book.url(page))
            number = first_number(tab)
            number.tap()
            assert number.evaluate("number => number.matches(':focus')")
            assert number.get_attribute("data-exact") in number.evaluate(OPENED)
            assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_number_opens_in_the_page_s_words(book):
    """In a worked line as in prose; the box does not inherit the hanging line, or its first letters would be cut off."""
    with book.tab() as (tab, _):
        tab.goto(book.url("notebooks/06_look_across.html"))
        for where in (".pencil-worked", "p"):
            number = tab.locator(f"{where} .pencil-number[data-value='nolan.weights[ended]'][data-more]").first
            number.scroll_into_view_if_needed()
            number.hover()
            assert number.evaluate(OPENED).replace('" "', "") == '"nolan.portion[ended] = 0.952574"'  # in one string or in three
            assert number.evaluate("number => getComputedStyle(number, '::after').textIndent") == "0px"
            assert number.evaluate("number => getComputedStyle(number).cursor") == "pointer"  # it can be clicked open


def test_a_line_promises_more_digits_only_where_there_are_some(book):
    """Every dotted line, and none under a number that opens as it is written."""
    same = """numbers => numbers
      .filter(number => !/[=≈½]/.test(number.textContent))
      .filter(number => (number.textContent === number.dataset.exact) && 'more' in number.dataset)
      .map(number => number.outerHTML)"""
    lined = "number => getComputedStyle(number).textDecorationStyle === 'dotted'"
    for page in book.chapters:
        tab = book.looked_at(page)
        assert tab.locator(".pencil-number").evaluate_all(same) == [], page
        assert tab.locator("p:not(.pencil-worked p) > .pencil-number[data-more]:not([data-track])").first.evaluate(lined)
        assert not tab.locator("p > .pencil-number[data-exact='1']:not([data-more], [data-track])").first.evaluate(lined)


def test_a_percent_opens_in_percent(book):
    seen = 0
    for page in book.pages:
        percents = book.looked_at(page).locator(".pencil-number[data-exact]", has_text="%")
        for text, opened in percents.evaluate_all("numbers => numbers.map(number => [number.textContent, number.dataset.exact])"):
            written, exact = (float(number.rstrip(" %")) for number in (text, opened))
            assert opened.endswith(" %") and abs(written - exact) <= 0.5, page
            seen += 1
    assert seen


def test_numbers_are_no_stops_of_the_tab_key(book):
    for page in book.chapters:
        assert book.looked_at(page).locator(".pencil-number[tabindex='0']").count() == 0
