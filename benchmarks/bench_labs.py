"""Latency of a lab in the browser: an edit of BlockLab, until all visible numbers have been updated and laid out.

Each edit types a number into one cell; edits are timed one by one, in the page. Run it with `make bench`.
"""

import argparse
import sys

from pencil.cli import book, browser
from pencil.rounding import show

PAGE = "notebooks/10_block.html"
EDITS = 1000
PATIENCE = 120_000  # milliseconds until a page is loaded, on a busy machine too

TIMED = """(edits) => {
  const lab = document.querySelector(".pencil-lab"), view = lab.querySelector(".pencil-lab-live"), spent = []
  const cells = [...lab.querySelectorAll(".pencil-cell")], warm = Math.ceil(edits / 10)
  for (let n = 0; n < warm + edits; n++) {
    const cell = cells[n % cells.length], before = performance.now()
    cell.value = String(((n * 7) % 40) / 10 + 0.1 * (n % cells.length))
    cell.dispatchEvent(new InputEvent("input", { bubbles: true }))
    view.getBoundingClientRect()
    if (n >= warm && cell.getAttribute("aria-invalid") !== "true") spent.push(performance.now() - before)
  }
  return { numbers: view.querySelectorAll(".pencil-number").length, spent }
}"""


def percentile(spent, share):
    """The time that this share of the edits did not exceed."""
    ordered = sorted(spent)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(address, edits):
    """The times of all edits in milliseconds, the count of the numbers that follow, and the browser's version."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser.find(), args=browser.flags())
        tab = running.new_page(viewport={"width": 1280, "height": 900})
        tab.set_default_timeout(PATIENCE)
        tab.goto(address)
        found, version = tab.evaluate(TIMED, edits), running.version
        running.close()
    return found, version


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edits", type=int, default=EDITS)
    found, version = measure((book.build().parent / PAGE).as_uri(), parser.parse_args(argv).edits)
    print(f"one edit of BlockLab, milliseconds; Chromium {version}")
    print(f"{'numbers':>8}{'edits':>8}{'median':>12}{'95 %':>12}{'slowest':>12}")
    times = "".join(f"{show(percentile(found['spent'], share)):>12}" for share in (0.5, 0.95, 1))
    print(f"{found['numbers']:>8}{len(found['spent']):>8}{times}")


if __name__ == "__main__":
    main(sys.argv[1:])
