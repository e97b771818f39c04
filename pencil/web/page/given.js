// Inputs in drawings can be dragged; a click opens their card.

import { drag } from "./drag.js"

// Called once by the page's script. page: as live.js makes it
export function startGivens(page, root = document) {
  for (const svg of root.querySelectorAll(".pencil-drawing svg"))
    svg.addEventListener("pointerdown", (event) => {
      const cell = event.target.closest(".given")
      if (cell && !event.button) begin(page, cell, event)
    })
}

function begin(page, cell, event) {
  const number = cell.querySelector(".pencil-number")
  const whose = page.binding.whose(number.dataset.value)
  if (!whose) return
  const { run, reference } = whose
  const from = page.binding.writer(run).find(reference).exact
  drag(number, event, from, (value) => page.change(run, reference, settled(value)), dropped)
}

const settled = (value) => Number(value.toFixed(10)) // without float noise

// Suppress the click at the end of a drag
function dropped(moved) {
  if (!moved) return
  const stop = (event) => event.stopPropagation()
  addEventListener("click", stop, { capture: true, once: true })
  setTimeout(() => removeEventListener("click", stop, { capture: true }))
}
