// The drawings that a lab shows, as pencil/widgets/lab.py wrote them, bound to the run of the lab's variant.

import { Binding } from "../page/binding.js"

export class Drawings {
  #box
  #bound = []

  constructor(box) {
    this.#box = box
  }

  // What a part shows, as HTML
  html({ show }) {
    return this.#box.querySelector(`.pencil-lab-still [data-drawing="${CSS.escape(show)}"]`).outerHTML
  }

  // Those that stand in the view now; they may have been drawn from another variant of the same names
  bind(view, runs) {
    this.#bound = [...view.querySelectorAll(".pencil-drawing")].map((drawing) => new Binding(runs, drawing))
    for (const binding of this.#bound) binding.begin()
    this.follow()
  }

  follow() {
    for (const binding of this.#bound) binding.followAll()
  }
}

// What is given to a drawing: on a phone it stays in sight above it, two grids at a time.
// boxes: HTML, one for each part
export function inStrip(parts, boxes) {
  const above = parts.findIndex(({ kind }) => kind === "drawing")
  return above > 0 ? [strip(boxes.slice(0, above)), ...boxes.slice(above)] : boxes
}

const strip = (grids) =>
  `<div class="pencil-strip"><div class="grids">${grids.join("")}</div><p class="pencil-controls">
<button type="button" data-along="-1" aria-label="The grids before">‹</button><span>What is given</span>
<button type="button" data-along="1" aria-label="The next grids">›</button></p></div>`

// button: of a strip; shows the grids that it leads to
export function slide(button) {
  const grids = button.closest(".pencil-strip").querySelector(".grids")
  grids.scrollBy({ left: button.dataset.along * grids.clientWidth })
}
