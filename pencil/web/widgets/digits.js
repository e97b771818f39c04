// A digit classifier: an image to draw, the probabilities of a small vision transformer, and the attention of its class
// token.

import { fill, html } from "../render/element.js"
import { upTo } from "../render/graph.js"
import { bar } from "../render/pictures.js"
import { readNumber, setInvalid } from "../page/reading.js"
import { tried } from "../page/runs.js"
import { ExportedModel } from "./exported.js"
import { ink, paintable, shade } from "./paint.js"

const SIDE = 8 // pixels

export class DigitsLab extends ExportedModel {
  #cells

  // box: the HTML of pencil/widgets/digits_lab.py
  constructor(box) {
    super(box)
    const pixel = (r, k) => html`<td>${ink(html`aria-label="row ${r + 1}, pixel ${k + 1}"`, r + k)}</td>`
    const row = (r) => html`<tr>${upTo(SIDE).map((k) => pixel(r, k))}</tr>`
    fill(this.find("tbody"), html`${upTo(SIDE).map(row)}`)
    this.#cells = [...box.querySelectorAll(".pencil-ink")]
    this.#put(this.find("[data-pixels]"))
    paintable(box, (cells, value) => {
      for (const cell of cells) cell.value = value
      this.run()
    })
    box.oninput = () => this.run()
    box.onclick = (event) => {
      const target = event.target.closest("[data-pixels]")
      if (!target) return
      this.#put(target)
      this.run()
    }
  }

  // An example, with pixels from 0 to 16
  #put(button) {
    button.dataset.pixels.split(" ").forEach((sixteenths, k) => {
      this.#cells[k].value = sixteenths / 16
    })
  }

  ask() {
    let wrong
    const image = this.#cells.map((cell) => {
      const { value, problem = value < 0 || value > 1 ? "Ink goes from 0 to 1." : "" } = readNumber(
        cell.value,
      )
      shade(cell)
      setInvalid(cell, problem)
      wrong ||= problem
      return value
    })
    return wrong || tried(() => this.sheet.run({ image }))
  }

  draw() {
    const probs = this.value("probs")
    const most = probs.indexOf(Math.max(...probs))
    const { positions } = this.data
    const side = Math.sqrt(positions - 1)
    fill(this.find(".pencil-bars tbody"), html`${probs.map((prob, digit) => bar(digit, prob))}`)
    this.find("[role=status]").textContent = `The machine says ${most}.`
    this.looks(
      1,
      positions,
      () => "",
      (k) => `row ${Math.floor(k / side) + 1}, patch ${(k % side) + 1}`,
    ) // the class token's row, without itself
  }
}
