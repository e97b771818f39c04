"""Fix accessibility problems of the theme and of Markdown tables in the built pages."""

from bs4 import Tag


def mend(page):  # BeautifulSoup -> None
    """Fix landmarks, accessible names and table headers of a page."""
    for fix in (_heads_of_tables, _names_of_buttons, _landmarks, _numbers_of_drawings, _names_of_questions):
        fix(page)


def _heads_of_tables(page):
    for head in page.select("th.head"):  # Markdown tables have column headers only
        if head.get_text(strip=True) or head.find(lambda inside: inside.name != "p"):
            head["scope"] = "col"
        else:  # an empty corner cell is not a header
            head.name = "td"
            head.clear()
    for corner in page.select("thead td.head"):  # with an empty corner, the first cells are row headers
        for row in corner.find_parent("table").select("tbody > tr"):
            row.find(["td", "th"]).name = "th"


def _names_of_buttons(page):
    for summary in page.select("summary[aria-label]"):  # its visible text is the better name, also for voice control
        del summary["aria-label"]
    for summary in page.select("nav li > details > summary"):  # an icon without text
        summary["aria-label"] = f"Pages that belong to {summary.find_parent('li').find('a').get_text(strip=True)}"
    for button in page.find_all("button"):
        if "search-button-field" in button.get("class", ()):  # the visible text includes the shortcut Ctrl+K
            del button["title"], button["aria-label"]
        elif button.get("title"):  # an icon without text
            button.attrs.setdefault("aria-label", button["title"])
        button.attrs.setdefault("type", "button")


def _landmarks(page):
    for notes in page.select("aside.footnote-list.brackets"):  # each footnote in it is a landmark already
        notes["role"] = "presentation"
    for main in page.select("main#main-content"):
        del main["role"]
    for logo in page.select("div.sidebar-primary-item > a.navbar-brand:first-child"):
        logo.parent.attrs |= {"role": "navigation", "aria-label": "Home"}


def _numbers_of_drawings(page):
    for svg in page.select("figure.pencil-drawing > svg"):  # the caption above names the figure already
        svg["aria-label"] = "Its numbers"
    for number in page.select(".pencil-drawing tspan + tspan"):  # separate the numbers of a row: 2 1 1 0, not 2110
        if isinstance(number.previous_sibling, Tag):
            number.insert_before(" ")
            number.parent["class"] = list(dict.fromkeys([*number.parent.get("class", []), "apart"]))


def _names_of_questions(page):
    for box in page.select(".pencil-box.your-turn[id]"):  # tells apart the fields, which are all called "Your answer"
        for asks in box.find_all("p", recursive=False)[-1:]:
            asks["id"] = f"{box['id']}-asks"
            box.attrs |= {"role": "group", "aria-labelledby": asks["id"]}
