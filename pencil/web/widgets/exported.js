// A lab with a trained model: its program and parameters are a separate script, loaded when the lab becomes visible
// (fetch does not work from file://). The engine runs the program.

import { count, spread } from "../engine/operations.js"
import { load } from "../engine/program.js"
import { show } from "../engine/rounding.js"
import { fill, html, make } from "../render/element.js"
import { upTo } from "../render/graph.js"

export class ExportedModel {
  #ready

  // box: the HTML of the lab. Subclasses implement ask(), which runs the sheet, -> error message or "", and draw().
  constructor(box) {
    this.box = box
    const live = box.querySelector(".pencil-lab-live")
    this.find = (selector) => live.querySelector(selector)
    live.hidden = false
    box.classList.add("live")
    new IntersectionObserver(([seen], observer) => {
      if (!seen.isIntersecting) return
      observer.disconnect()
      this.run()
    }).observe(box)
  }

  // Runs the model and shows the result. -> whether it succeeded
  async run() {
    const problem = (await this.#load()) || this.ask()
    this.find(".wrong").textContent = problem
    this.box.classList.toggle("refused", Boolean(problem)) // what is shown belongs to the input before
    if (!problem) this.draw()
    return !problem
  }

  value(name) {
    return [...this.sheet.values.get(name).exact]
  }

  // Loads the model once -> "", or an error message
  #load() {
    return (this.#ready ??= new Promise((done) => {
      const onload = () => {
        this.data = unpack(window.pencilExported)
        this.sheet = load(this.data.program, ["exact"])
        done("")
      }
      const src = this.box.dataset.script
      const onerror = () => {
        this.#ready = null
        done(`The machine’s numbers are not at ${src}. Try again, or build the book again.`)
      }
      this.box.append(make("script", { src, onload, onerror }))
    }))
  }

  // Shows a slice of the attention weights of each head: the text of the nth cell, and its label.
  looks(start, end, written, called) {
    const looks = Object.entries(this.data.heads).map(([name, label]) => {
      const row = this.value(name).slice(start, end)
      const most = row.indexOf(Math.max(...row))
      const marks = row.map((share, k) => html`<i style="--v:${show(share / row[most])}">${written(k)}</i>`)
      const told = html`<span class="pencil-said">looks most at ${called(most)}: ${show(row[most])}</span>`
      return html`<p><b>${label}</b> <span aria-hidden="true">${marks}</span>${told}</p>`
    })
    fill(this.find(".pencil-looks"), html`${looks}`)
  }
}

// Dequantizes the parameters of the program. A second set of them, `others`, becomes {name: numbers}.
export function unpack(data) {
  const { steps } = data.program
  for (const step of steps) if (step.runs) step.index = spread(step.runs, step.start)
  const params = steps.filter((step) => step.op === "given" && !step.value)
  if (data.others) {
    const others = dequantized(data.others, data.rows, params)
    data.others = Object.fromEntries(params.map(({ name }, k) => [name, others[k]]))
  }
  dequantized(data.numbers, data.rows, params).forEach((value, k) => (params[k].value = value))
  return data
}

// float32 scales of all rows, then int8 numbers -> an array for each parameter
function dequantized(numbers, rows, params) {
  const bytes = Int8Array.from(atob(numbers), (sign) => sign.charCodeAt(0))
  const scales = new Float32Array(bytes.buffer, 0, rows)
  let at = 4 * rows
  let row = 0
  return params.map(({ shape }) => {
    const width = shape.at(-1)
    const size = count(shape)
    const value = upTo(size).map((k) => bytes[at + k] * scales[row + Math.floor(k / width)])
    at += size
    row += size / width
    return value
  })
}
