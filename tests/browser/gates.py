"""Limits for every page: width, contrast, size, and axe's accessibility rules. Each returns a list of violations."""

from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

AXE = Path(find_spec("axe_playwright_python").origin).with_name("axe.min.js")
RUN = """async ({ notAsked, own }) => {
  const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: !(ruleId in notAsked) }]))
  // a grid of weights has no names of rows and columns; each of its numbers says its own
  axe.configure({ rules: [{ id: "td-has-header", selector: "table:not(.pencil-given)" }] })
  const found = await axe.run(document, { resultTypes: ["violations"], rules, ...own })
  return found.violations.map(({ id, help, nodes }) =>
    `${id}: ${help}: ${nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(" | ")}`)
}"""
NOT_ASKED = {  # of all of axe's rules, the experimental ones and those that are off by default among them
    "color-contrast": "three quarters of axe's time, for what PALE finds at once",
    "color-contrast-enhanced": "level AAA; the book keeps AA",
    "focus-order-semantics": "a wide formula scrolls by keyboard, so it takes focus, and no role says so: a region would be a landmark each",
}
MEGABYTE = 1_000_000

WIDE = """() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
  return wide > 0 ? [`${wide} px wider than its window`] : []
}"""

# Every piece of text against what lies behind it (WCAG 2.1, 1.4.3). Colours are read off a canvas, which knows every notation.
PALE = """() => {
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true })
  const kept = (known, find) => (key) => known.get(key) ?? known.set(key, find(key)).get(key)
  const rgba = kept(new Map(), (colour) => {
    pen.clearRect(0, 0, 1, 1)
    pen.fillStyle = colour
    pen.fillRect(0, 0, 1, 1)
    return [...pen.getImageData(0, 0, 1, 1).data]
  })
  const over = ([r, g, b, a], under) => [r, g, b].map((x, i) => (x * a + under[i] * (255 - a)) / 255)
  const behind = kept(new Map(), (element) => {
    if (!element) return [255, 255, 255]
    const colour = rgba(getComputedStyle(element).backgroundColor)
    return colour[3] === 255 ? colour.slice(0, 3) : over(colour, behind(element.parentElement))
  })
  const opaque = kept(new Map(), (element) => +getComputedStyle(element).opacity)
  const seen = (colour, element) => { // a layer that is not opaque lets through what is behind it
    for (; element; element = element.parentElement)
      if (opaque(element) < 1) colour = over([...colour, 255 * opaque(element)], behind(element.parentElement))
    return colour
  }
  const light = (rgb) => {
    const [r, g, b] = rgb.map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const pale = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement
    if (!walk.currentNode.data.trim() || element.closest(":disabled")) continue // what cannot be used may be pale
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const style = getComputedStyle(element), back = behind(element), front = over(rgba(style.color), back)
    const [low, high] = [light(seen(front, element)), light(seen(back, element))].sort((x, y) => x - y)
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700)
    const contrast = (high + 0.05) / (low + 0.05)
    if (contrast < (large ? 3 : 4.5)) pale.push(`${walk.currentNode.data.trim().slice(0, 40)}: ${contrast.toFixed(2)}`)
  }
  return pale
}"""


def violations(tab, **own):
    """What axe finds wrong with a page as it stands, by every rule it has but those that are NOT_ASKED; `own` are options of axe's."""
    tab.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    return tab.evaluate(RUN, {"notAsked": NOT_ASKED, "own": own})


def too_heavy(book, asked):
    """All that a page asked for, unpacked, where it is more than a megabyte; a figure counts as well."""
    sizes = {url: size(book, url) for url in asked}
    if sum(sizes.values()) <= MEGABYTE:
        return []
    return [f"{sum(sizes.values())} bytes, of them {sorted((size, url) for url, size in sizes.items())[-6:]}"]


def size(book, url):  # -> bytes
    """How heavy it is what an address of the book, or one that brings its content along, leads to."""
    if url.startswith(("data:", "blob:")):
        return len(url)
    root = book.folder.as_uri() if url.startswith("file:") else book.address
    path = book.folder / unquote(urlsplit(url).path.removeprefix(urlsplit(root).path)).lstrip("/")
    return path.stat().st_size if path.is_file() else 0


def read_to_the_end(tab):
    """Do what a reader does: unfold, read to the end, point at numbers; what is fetched when it is seen has come."""
    tab.evaluate("document.querySelectorAll('details').forEach(box => { box.open = true })")
    tab.mouse.wheel(0, 100_000)
    for number in tab.locator(".pencil-number[data-exact]:visible").all()[:3]:
        number.scroll_into_view_if_needed()
        number.hover()
    tab.mouse.move(0, 0)
    tab.wait_for_load_state("networkidle")
