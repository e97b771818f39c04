"""Latency of a page when a number is opened and when an input is changed, and the size of a page: of every
chapter with an input in a worked line.

For each load of a page, the first number of a worked line is clicked before any idle work has run; then an input is opened and changed
repeatedly. Each action starts in an animation frame and is timed to the end of that frame, which includes handlers, style, layout and paint,
but not the wait for the display; `all` is the time until off-screen parts have been updated too. The CPU time of the main thread is
measured as well, which excludes other load on the machine.
Run it with `make bench`; `python benchmarks/bench_pages.py --record FILE` saves the result.
"""

import shlex
import sys
from statistics import median

from pencil.cli import book, browser
from pencil.errors import Parser
from pencil.paths import ROOT, chapter_sources
from pencil.rounding import show

PAGES = [path.stem for path in chapter_sources(ROOT / "notebooks")]
CHOSEN = {"10_block": "params.attention.head1.query[0, 0]", "13_backward": "sat.embedding[0]"}  # page: the input to change, else its first
LOADS, EDITS = 30, 4  # loads of a page; edits per load, of which the last one counts as warm
BUDGET = {"open": 50, "edit": 16}  # milliseconds of wall-clock time on an idle machine
BYTES = 400_000  # of a page's HTML
PATIENCE = 120_000  # milliseconds until a page is loaded, on a busy machine too
TIMES = ("open", "first edit", "edit", "all")

# Injected before the page's own script: holds back its idle work until it is released
HELPERS = """
const held = []
window.requestIdleCallback = (act) => held.push(act)
const frame = () => new Promise(requestAnimationFrame)
const painted = () => new Promise((done) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => done()
  port2.postMessage(0)
})
const timed = async (act) => {
  await frame()
  const start = performance.now()
  act()
  await painted()
  return performance.now() - start
}
const point = (at) => ["pointerover", "pointerdown"].forEach((type) => at.dispatchEvent(new PointerEvent(type, { bubbles: true })))
const sheets = () => [...document.querySelectorAll("article .pencil-worked[data-show]:not(.pencil-lab *)")]
const numberOf = (sheet, value) => sheet.querySelector(`.pencil-number[data-value${value ? `="${value}"` : ""}]`)
const opened = (number) => {
  number.click()
  if (document.querySelector(".pencil-card").hidden) throw Error(`${number.dataset.value} did not open`)
}
window.bench = {
  async begin() {
    this.sheet = sheets().find((one) => one.getClientRects().length)
    this.sheet.scrollIntoView({ block: "center" })
    await frame()
  },
  first() { // -> an input of a worked line that takes any number, or null
    for (const sheet of sheets()) {
      point(sheet.querySelector("p"))
      for (const number of sheet.querySelectorAll(".pencil-number[data-value]")) {
        const { run, reference } = pencil.binding.whose(number.dataset.value)
        const { name } = pencil.binding.writer(run).find(reference)
        const given = pencil.runs.get(run).data.program.steps.find((step) => step.op === "given" && step.name === name)
        if (given && given.least === undefined && !name.includes("ids")) return number.dataset.value
      }
    }
    return null
  },
  open() {
    return timed(() => {
      point(this.sheet.querySelector("p"))
      opened(numberOf(this.sheet))
    })
  },
  async rest() { // -> milliseconds
    const start = performance.now()
    while (held.length) {
      held.shift()({ timeRemaining: () => 8 })
      await frame()
    }
    return performance.now() - start
  },
  async stand(given) {
    const sheet = sheets().find((one) => (point(one.querySelector("p")), numberOf(one, given)))
    numberOf(sheet, given).scrollIntoView({ block: "center" })
    opened(numberOf(sheet, given))
    await frame()
    await frame()
  },
  edit(value) {
    const field = document.querySelector(".pencil-card input")
    return timed(() => {
      field.value = value
      field.dispatchEvent(new InputEvent("input", { bubbles: true }))
    })
  },
}
"""


def first_input(page, running):  # -> reference, or None for a page of which no worked line has an input
    """The first input of a page."""
    tab = running.new_page()
    tab.add_init_script(HELPERS)
    tab.goto(page.as_uri())
    found = tab.evaluate("window.pencil ? bench.first() : null")
    tab.close()
    return found


def measure(page, given, loads, running):  # -> {name: [(milliseconds, CPU milliseconds)]}
    """The times of all loads of one page."""
    found = {name: [] for name in TIMES}
    for _ in range(loads):
        tab = running.new_page(viewport={"width": 1280, "height": 900})
        tab.set_default_timeout(PATIENCE)
        tab.add_init_script(HELPERS)
        tab.goto(page.as_uri())
        tab.evaluate("bench.begin()")
        busy = processor_of(tab)
        found["open"].append(both(tab, busy, "bench.open()"))
        tab.evaluate("bench.rest()")
        tab.evaluate("given => bench.stand(given)", given)
        for n in range(EDITS):
            now, rest = both(tab, busy, f"bench.edit('{1.6 + n / 4}')"), both(tab, busy, "bench.rest()")
            name = {0: "first edit", EDITS - 1: "edit"}.get(n)
            if name:
                found[name].append(now)
        found["all"].append(tuple(a + b for a, b in zip(now, rest, strict=True)))
        assert tab.evaluate("!document.querySelector('.pencil-changed').hidden"), f"{given} did not change"
        tab.close()
    return found


def processor_of(tab):  # -> function
    """A clock for the CPU time of the tab's main thread, in milliseconds."""
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return lambda: 1000 * next(one["value"] for one in session.send("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")


def both(tab, busy, call):  # -> milliseconds of wall-clock time and of CPU time
    before = busy()
    spent = tab.evaluate(call)
    return spent, busy() - before


def rows(pages, loads):  # -> rows, version of the browser
    """Measure each page: bytes, and median times in milliseconds."""
    from playwright.sync_api import sync_playwright

    folder, made = book.build().parent / "notebooks", []
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser.find(), args=browser.flags())
        for page in pages:
            path = folder / f"{page}.html"
            given = CHOSEN.get(page) or first_input(path, running)
            if given is None:
                continue
            found = measure(path, given, loads, running)
            times = {name: dict(zip(("median", "processor"), map(median, zip(*each, strict=True)), strict=True)) for name, each in found.items()}
            made.append({"page": page, "given": given, "bytes": path.stat().st_size, "loads": loads, "ms": times})
        version = running.version
        running.close()
    return made, version


def record(file, argv, made, version):
    """The record: the rows with their provenance."""
    from pencil.experiments import records

    command = shlex.join(["python", "benchmarks/bench_pages.py", *argv])
    known = records.provenance(command, None, records.cpu(1), packages=())
    known["versions"] |= {"chromium": version}
    records.write(file, {"budget_ms": BUDGET, "budget_bytes": BYTES, "rows": made}, known)


def parse(argv):
    parser = Parser(description=__doc__)
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="such as 10_block; by default every chapter of which a worked line has an input")
    parser.add_argument("--loads", type=int, default=LOADS)
    parser.add_argument("--record", metavar="FILE")
    given = parser.parse_args(argv)
    if unknown := set(given.pages) - set(PAGES):
        parser.error(f"there is no {sorted(unknown)[0]!r}; there are {', '.join(PAGES)}")
    return given


def main(argv):
    given = parse(argv)
    made, version = rows(given.pages or PAGES, given.loads)
    print(f"milliseconds, median of {given.loads} loads (of the main thread with the processor); Chromium {version}")
    print(f"{'page':<20}{'HTML, bytes':>12}" + "".join(f"{name:>18}" for name in TIMES))
    for row in made:
        times = [f"{show(row['ms'][name]['median'])} ({show(row['ms'][name]['processor'])})" for name in TIMES]
        print(f"{row['page']:<20}{row['bytes']:>12,}" + "".join(f"{time:>18}" for time in times))
    print(f"{'budget':<20}{BYTES:>12,}{BUDGET['open']:>18}{BUDGET['edit']:>18}{BUDGET['edit']:>18}")
    if given.record:
        record(given.record, argv, made, version)


if __name__ == "__main__":
    main(sys.argv[1:])
