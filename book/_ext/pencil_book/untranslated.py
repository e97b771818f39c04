"""Keep numbers, sums, names of values and code from a browser's translator, which would write them anew."""

SAME_IN_ALL = ".pencil-worked, .pencil-number, .pencil-picture tbody, .pencil-box-title .key, code, pre, math, svg"


def untranslated(page):  # BeautifulSoup -> None
    """Mark them, save those inside another that is marked."""
    for part in page.select(SAME_IN_ALL):
        part["translate"] = "no"
    for inside in page.select("[translate=no] [translate=no]"):
        del inside["translate"]
