// A switch that shows or hides all code of the page; the setting is stored in the browser.

import { keep, kept } from "./store.js"

const KEPT = "pencil.code"

// Called once by the page's script.
export function startCode(root = document) {
  root.addEventListener("toggle", reachable, true) // the event does not bubble
  const button = root.querySelector(".pencil-code-switch")
  if (!button) return
  const folds = root.querySelectorAll(".pencil-code")
  nameEach(folds)
  let shown = false
  const show = (all) => {
    shown = all
    button.textContent = all ? "Fold all code" : "Show all code"
    for (const fold of folds) fold.open = all
  }
  button.hidden = false
  if (kept(KEPT)) show(true)
  button.onclick = () => {
    show(!shown)
    keep(KEPT, shown ? "all" : null)
  }
}

// A page has dozens of folds that all say "Code". Their accessible names add what each makes: the caption of its picture, or
// its last line. The visible label comes first.
function nameEach(folds) {
  const names = new Map() // -> how often it was given
  for (const fold of folds) {
    const [summary, made] = [fold.firstElementChild, fold.closest(".cell").querySelector("figcaption, caption")]
    const [last] = fold.querySelector("pre").textContent.trim().split("\n").reverse()
    const name = `${summary.textContent}: ${(made?.textContent ?? last).trim()}`
    names.set(name, (names.get(name) ?? 0) + 1)
    summary.ariaLabel = names.get(name) > 1 ? `${name}, ${names.get(name)}` : name
  }
}

// The theme makes scrollable listings focusable when the page loads, but folded ones have no width then.
function reachable(event) {
  for (const listing of event.target.querySelectorAll("pre")) {
    listing.tabIndex = listing.scrollWidth > listing.clientWidth ? 0 : -1
  }
}
