// A worksheet for printing: inputs, blanks, and the solutions on separate pages. As pencil/exercises/printed.py.

import { escape } from "../render/fragments.js"
import { upTo } from "../render/graph.js"

const ENTRY_WIDTH = 8 // characters per number in a blank

export function paper(data, worked, seed) {
  const { title, opening, asks } = data
  const linesOf = (key) => worked.lines(key).map((line) => `<p>${escape(line)}</p>`)
  const blanks = asks.map(({ label, answer }) => {
    const room = answer.at.length > ENTRY_WIDTH ? "room wide" : "room"
    return `<li><span class="label">${escape(label)} =</span><span class="${room}"></span></li>`
  })
  const keys = asks.map(({ key }) => `<li>${linesOf(key).join("")}</li>`)
  const name = escape(title)
  const fields = `<p class="who"><span>Seed ${seed}</span><span>Name</span><span>Time</span></p>`
  const seedAlone = `<p class="who"><span>Seed ${seed}</span></p>`
  return `<main class="pencil-paper"><section class="task"><h1>${name}</h1>
${fields}<p>${escape(opening)}</p>
${givens(data, worked)}
${rules(data)}<ol>${blanks.join("")}</ol></section>
<section class="key"><h1>${name}: the key</h1>${seedAlone}<ol>${keys.join("")}</ol></section></main>`
}

// The rules of the computation, one per line.
export const rules = (data) =>
  `<div class="pencil-rules">${data.rules.map((rule) => `<p>${escape(rule)}</p>`).join("")}</div>`

// The inputs as tables.
export function givens({ givens: all, run }, worked) {
  const tables = Object.keys(all).map((name) => {
    const { array } = worked.find(name)
    const digits = worked.numbers(name).map(({ text }) => text)
    const width = array.shape.at(-1) ?? 1
    const head = (row) => {
      if (array.shape.length < 2 || width === 1) return ""
      return `<th scope="row">${escape(array.axes[0]?.[row] ?? `row ${row + 1}`)}</th>`
    }
    const written = (row) => {
      const cells = digits.slice(row * width, (row + 1) * width).map((text) => `<td>${text}</td>`)
      return `<tr>${head(row)}${cells.join("")}</tr>`
    }
    const body = upTo(digits.length / width)
      .map(written)
      .join("")
    const caption = escape(run.labels[name] ?? name)
    return `<table class="pencil-given-grid"><caption>${caption}</caption><tbody>${body}</tbody></table>`
  })
  return `<div class="pencil-givens">${tables.join("")}</div>`
}
