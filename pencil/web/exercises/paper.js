// A worksheet for printing: inputs, blanks, and the solutions on separate pages. As pencil/exercises/printed.py.

import { html } from "../render/element.js"
import { upTo } from "../render/graph.js"
import { th } from "../render/pictures.js"

const WRITTEN = 38 // characters of the worked lines, in digits narrower than a hand's, for a line to write on
const MOST = 3 // lines for an answer, and one for each of its numbers

export function paper(data, worked, seed) {
  const { title, opening, asks } = data
  const items = asks.map(({ key, answer, blanks }) => {
    const lines = Math.ceil(worked.lines(key).join("").length / WRITTEN)
    const room = upTo(Math.min(MOST, answer.at.length, lines)).map(() => html`<span class="room"></span>`)
    const written = (one) => html`<span class="label">${one} =</span>${room}`
    return html`<li>${blanks.map(written)}</li>`
  })
  const keys = asks.map(({ key }) => html`<li>${paragraphsOf(worked.lines(key))}</li>`)
  const fields = html`<p class="who"><span>Seed ${seed}</span><span>Name</span><span>Time</span></p>`
  const seedAlone = html`<p class="who"><span>Seed ${seed}</span></p>`
  return html`<main class="pencil-paper"><section class="task"><h1>${title}</h1>
${fields}<p>${opening}</p>
${task(data, worked)}<ol>${items}</ol></section>
<section class="key"><h1>${title}: the key</h1>${seedAlone}<ol>${keys}</ol></section></main>`
}

// The inputs as tables, and the rules of the computation, one per line.
export const task = (data, worked) => html`${givens(data, worked)}
<div class="pencil-rules">${paragraphsOf(data.rules)}</div>`

const paragraphsOf = (lines) => lines.map((line) => html`<p>${line}</p>`)

function givens({ givens: all, run }, worked) {
  const tables = Object.keys(all).map((name) => {
    const { array } = worked.find(name)
    const digits = worked.numbers(name).map(({ text }) => text)
    const width = array.shape.at(-1) ?? 1
    const head = (row) => {
      if (array.shape.length < 2 || width === 1) return ""
      return th(array.axes[0]?.[row] ?? `row ${row + 1}`, "row")
    }
    const written = (row) => {
      const cells = digits.slice(row * width, (row + 1) * width).map((text) => html`<td>${text}</td>`)
      return html`<tr>${head(row)}${cells}</tr>`
    }
    const body = upTo(digits.length / width).map(written)
    const caption = run.labels[name] ?? name
    return html`<table class="pencil-given-grid"><caption>${caption}</caption><tbody>${body}</tbody></table>`
  })
  return html`<div class="pencil-givens">${tables}</div>`
}
