// A switch that shows or hides all code of the page; the setting is stored in the browser.

import { keep, kept } from "./store.js"

const KEPT = "pencil.code"

// Called once by the page's script.
export function startCode(root = document) {
  root.addEventListener("toggle", reachable, true) // the event does not bubble
  const button = root.querySelector(".pencil-code-switch")
  if (!button) return
  let shown = false
  const show = (all) => {
    shown = all
    button.textContent = all ? "Fold all code" : "Show all code"
    for (const fold of root.querySelectorAll(".pencil-code")) fold.open = all
  }
  button.hidden = false
  if (kept(KEPT)) show(true)
  button.onclick = () => {
    show(!shown)
    keep(KEPT, shown ? "all" : null)
  }
}

// The theme makes scrollable listings focusable when the page loads, but folded ones have no width then.
function reachable(event) {
  for (const listing of event.target.querySelectorAll("pre")) {
    listing.tabIndex = listing.scrollWidth > listing.clientWidth ? 0 : -1
  }
}
