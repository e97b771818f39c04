"""No script and no style sheet stands in a page itself: a host may forbid them, by the policy that README.md states.

_static/theme.js does what the theme's scripts in the page did. The one of 404.html stays: it alone knows where the book begins.
"""

THEME = "_static/theme.js"
PRESSED = {"window.print()": "print", "toggleFullScreen()": "fullscreen"}  # what a button of the theme calls: its name in theme.js
LOADED = "dataset.mode"  # in the script of the theme that theme.js stands for
UNUSED = ("DOCUMENTATION_OPTIONS.", "Activate the search field")  # its other ones: options without an effect here, and a focus that misses its field


def take_out(page):  # BeautifulSoup -> None
    """Replace scripts, handlers and style sheets that stand in a page."""
    for script in page.find_all("script", src=False, type=False):
        if LOADED in script.string:
            script.attrs, script.string = {"src": f"{page.html['data-content_root']}{THEME}"}, ""
        elif any(sign in script.string for sign in UNUSED):
            script.decompose()
    for button in page.select("[onclick]"):
        button["data-press"] = PRESSED[button.attrs.pop("onclick")]
    for style in page.select("noscript > style"):  # text.css has the rule
        style.parent.decompose()
