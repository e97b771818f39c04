// The drawings of a lab (from pencil/widgets/lab.py), bound to the run of the current variant.

import { Binding } from "../page/binding.js"
import { asHtml, fill, html, make } from "../render/element.js"

// The element of a lab that Python has not written, with the HTML of its drawings
export const boxOf = (drawings) =>
  fill(make("section", { className: "pencil-lab" }), html`<div class="pencil-lab-still">${asHtml(drawings)}</div>`)

export class Drawings {
  #box
  #bound = []

  constructor(box) {
    this.#box = box
  }

  // The HTML of a part; an id may be on a page once
  html({ show }) {
    const still = this.#box.querySelector(`.pencil-lab-still [data-drawing="${CSS.escape(show)}"]`)
    return asHtml(still.outerHTML.replaceAll("head-", "live-"))
  }

  // Bind the drawings in the view, which may have been drawn from another variant with the same names
  bind(view, runs) {
    this.#bound = [...view.querySelectorAll(".pencil-drawing")].map((drawing) => new Binding(runs, drawing))
    for (const binding of this.#bound) binding.begin()
    this.follow()
  }

  follow() {
    for (const binding of this.#bound) binding.followAll()
  }
}

// The inputs of a drawing in a strip, which stays visible above it on a phone, two matrices at a time.
// boxes: HTML of each part
export function inStrip(parts, boxes) {
  const above = parts.findIndex(({ kind }) => kind === "drawing")
  return above > 0 ? [strip(boxes.slice(0, above)), ...boxes.slice(above)] : boxes
}

const strip = (grids) =>
  html`<div class="pencil-strip"><div class="grids">${grids}</div><p class="pencil-controls">
<button type="button" data-along="-1" aria-label="The grids before">‹</button><span>What is given</span>
<button type="button" data-along="1" aria-label="The next grids">›</button></p></div>`

// button: of a strip, which scrolls to its matrices
export function slide(button) {
  const grids = button.closest(".pencil-strip").querySelector(".grids")
  grids.scrollBy({ left: button.dataset.along * grids.clientWidth })
}
