// All code of the page shown or hidden by one switch, which this browser remembers.

import { keep, kept } from "./store.js"

const KEPT = "pencil.code"

// Called once by the page's script.
export function startCode(root = document) {
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
