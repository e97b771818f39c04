// A switch that shows or hides all code of the page; the setting is stored in the browser.

import { keep, kept } from "./store.js"

const KEPT = "pencil.code"

// Called once by the page's script.
export function startCode(root = document) {
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

// Dozens of folds on a page say "Code". The accessible name adds a number, and what the cell makes: the caption of its
// picture, or its last line.
function nameEach(folds) {
  folds.forEach((fold, k) => {
    const summary = fold.firstElementChild
    const made = fold.closest(".cell").querySelector("figcaption, caption") ?? fold.querySelector("pre")
    summary.ariaLabel = `${summary.textContent} ${k + 1}: ${made.textContent.trim().split("\n").at(-1)}`
  })
}
