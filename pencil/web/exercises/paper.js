// A worksheet for printing: inputs, blanks, and the solutions on separate pages. As pencil/exercises/printed.py.

import { escape } from "../render/fragments.js"
import { upTo } from "../render/graph.js"

const WRITTEN = 38 // characters of the worked lines, in digits narrower than a hand's, for a line to write on
const MOST = 3 // lines for an answer, and one for each of its numbers

export function paper(data, worked, seed) {
  const { title, opening, asks } = data
  const items = asks.map(({ key, answer, blanks }) => {
    const lines = Math.ceil(worked.lines(key).join("").length / WRITTEN)
    const room = '<span class="room"></span>'.repeat(Math.min(MOST, answer.at.length, lines))
    const written = (one) => `<span class="label">${escape(one)} =</span>${room}`
    return `<li>${blanks.map(written).join("")}</li>`
  })
  const keys = asks.map(({ key }) => `<li>${paragraphsOf(worked.lines(key))}</li>`)
  const name = escape(title)
  const fields = `<p class="who"><span>Seed ${seed}</span><span>Name</span><span>Time</span></p>`
  const seedAlone = `<p class="who"><span>Seed ${seed}</span></p>`
  return `<main class="pencil-paper"><section class="task"><h1>${name}</h1>
${fields}<p>${escape(opening)}</p>
${task(data, worked)}<ol>${items.join("")}</ol></section>
<section class="key"><h1>${name}: the key</h1>${seedAlone}<ol>${keys.join("")}</ol></section></main>`
}

// The inputs as tables, and the rules of the computation, one per line.
export const task = (data, worked) => `${givens(data, worked)}
<div class="pencil-rules">${paragraphsOf(data.rules)}</div>`

const paragraphsOf = (lines) => lines.map((line) => `<p>${escape(line)}</p>`).join("")

function givens({ givens: all, run }, worked) {
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
