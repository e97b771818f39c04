"""Latency of a lab in the browser: an edit of BlockLab, until all visible numbers have been updated and laid out.

Each edit types a number into one cell; edits are timed one by one, in the page. Run it with `make bench`.
"""

from pencil.cli import book, browser
from pencil.rounding import show

PAGE = "notebooks/10_block.html"
WARM, EDITS = 20, 200  # edits of each step

TIMED = """([warm, edits]) => {
  const lab = document.querySelector(".pencil-lab"), view = lab.querySelector(".pencil-lab-live"), found = []
  const moves = () => [...lab.querySelectorAll("[data-do=step]")]
  for (;;) {
    const cells = [...lab.querySelectorAll(".pencil-cell")], spent = []
    for (let n = 0; cells.length && n < warm + edits; n++) {
      const cell = cells[n % cells.length], before = performance.now()
      cell.value = String(((n * 7) % 40) / 10 + 0.1 * (n % cells.length))
      cell.dispatchEvent(new InputEvent("input", { bubbles: true }))
      view.getBoundingClientRect()
      if (n >= warm && cell.getAttribute("aria-invalid") === "false") spent.push(performance.now() - before)
    }
    const move = lab.querySelector(".pencil-moves strong").textContent, numbers = view.querySelectorAll(".pencil-number").length
    if (spent.length) found.push({ move, numbers, spent })
    lab.querySelector("[data-do=reset]").click()
    const next = moves().at(-1)
    if (next.disabled) return found
    next.click()
  }
}"""


def percentile(spent, share):
    """The time that this share of the edits did not exceed."""
    ordered = sorted(spent)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(address):
    """The times of all edits in milliseconds, by step."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser.find(), args=browser.flags())
        tab = running.new_page(viewport={"width": 1280, "height": 900})
        tab.goto(address)
        found, version = tab.evaluate(TIMED, [WARM, EDITS]), running.version
        running.close()
    return found, version


def line(what, numbers, spent):
    times = "".join(f"{show(percentile(spent, share)):>12}" for share in (0.5, 0.95, 1))
    print(f"{what:<30}{numbers:>8}{len(spent):>8}{times}")


def main():
    found, version = measure((book.build().parent / PAGE).as_uri())
    print(f"one edit of BlockLab, milliseconds; Chromium {version}")
    print(f"{'move':<30}{'numbers':>8}{'edits':>8}{'median':>12}{'95 %':>12}{'slowest':>12}")
    for move in found:
        line(move["move"], move["numbers"], move["spent"])
    line("all", sum(move["numbers"] for move in found), [ms for move in found for ms in move["spent"]])


if __name__ == "__main__":
    main()
