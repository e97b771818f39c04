// A menu that shows the worked lines of a page on paper, exactly, or in a number format, and says which value differs
// first.

import { FORMATS } from "../engine/formats.js"

const NAMES = { "": "as written here", exact: "exactly" }
const MEANS = { "": "", exact: "Nothing is rounded on the way; only what is shown is rounded." }
// The link explains each of them
const SWITCH = `<span class="pencil-track-switch"><label class="pencil-switch">Numbers <select></select></label>
<a class="pencil-switch" href="../book/costs.html#are-three-places-enough"
aria-label="? Ways to write numbers">?</a></span>
<p class="pencil-track-said" role="status"></p>`
const LINES = "article .pencil-worked:not(.pencil-lab *, .pencil-card *)"
const SHEETS = `${LINES}[data-show]:not([data-track])`
const count = (kind) => document.querySelectorAll(kind).length

// Called once by the page's script. page: as live.js makes it
export function startTracks(page, root = document) {
  const { door } = page
  if (!door || !root.querySelector(SHEETS)) return
  door.insertAdjacentHTML("afterend", SWITCH)
  const [choice, said] = [door.nextElementSibling.querySelector("select"), door.nextElementSibling.nextElementSibling]
  const tracks = ["", "exact", ...Object.keys(FORMATS)]
  choice.append(...tracks.map((track) => new Option(NAMES[track] ?? `in ${track}`, track)))
  const say = () => {
    const track = choice.value
    said.textContent = MEANS[track] ?? firstChange(page, track)
  }
  choice.onchange = () => {
    page.binding.turnTo(choice.value || undefined)
    say()
  }
  root.addEventListener("pencil-change", say)
}

function firstChange(page, track) {
  for (const run of page.runs.all) {
    const worked = page.binding.writer(run.name)
    const found = worked.firstChange(track)
    if (found)
      return (
        `In ${count("[data-turned]")} of ${count(LINES)} groups of lines all numbers are rounded to ${track}; ` +
        `the rest stays as it is. The digits first change at ` +
        `${worked.named(found.name, found.place)}: exactly ${found.exact}, in ${track} ${found.here}.`
      )
  }
  return `In ${track} no digit of this page changes.`
}
