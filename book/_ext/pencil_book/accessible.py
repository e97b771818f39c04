"""What the theme and the Markdown tables leave for a screen reader to stumble over, mended in the pages that are built."""

from bs4 import Tag


def mend(page):  # BeautifulSoup -> None
    """Give a page landmarks and names that are its own."""
    for head in page.select("th.head"):  # Markdown tables have heads of columns alone
        if head.get_text(strip=True) or head.find(lambda inside: inside.name != "p"):
            head["scope"] = "col"
        else:  # the corner of a table heads nothing
            head.name = "td"
            head.clear()
    for corner in page.select("thead td.head"):  # then a row is named by its first cell
        for row in corner.find_parent("table").select("tbody > tr"):
            row.find(["td", "th"]).name = "th"
    for summary in page.select("summary[aria-label]"):  # its own words say more, and are what one says to press it
        del summary["aria-label"]
    for button in page.find_all("button"):
        if "search-button-field" in button.get("class", ()):  # it says more than "Search": Ctrl+K
            del button["title"], button["aria-label"]
        elif button.get("title"):  # an icon alone
            button.attrs.setdefault("aria-label", button["title"])
        button.attrs.setdefault("type", "button")
    for notes in page.select("aside.footnote-list.brackets"):  # the notes in it are landmarks by themselves
        notes["role"] = "presentation"
    for main in page.select("main#main-content"):
        del main["role"]
    for svg in page.select("figure.pencil-drawing > svg"):  # the title above it names the figure, and is not to be read once more
        svg["aria-label"] = "Its numbers"
    for number in page.select(".pencil-drawing tspan + tspan"):  # the numbers of a row, each at its own place: 2 1 1 0, and not 2110
        if isinstance(number.previous_sibling, Tag):
            number.insert_before(" ")
            number.parent["class"] = list(dict.fromkeys([*number.parent.get("class", []), "apart"]))
    for box in page.select(".pencil-box.your-turn[id]"):  # all its fields are called "Your answer": to what?
        for asks in box.find_all("p", recursive=False)[-1:]:
            asks["id"] = f"{box['id']}-asks"
            box.attrs |= {"role": "group", "aria-labelledby": asks["id"]}
    for logo in page.select("div.sidebar-primary-item > a.navbar-brand:first-child"):
        logo.parent.attrs |= {"role": "navigation", "aria-label": "Home"}
