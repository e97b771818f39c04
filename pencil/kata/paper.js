// A sheet for print: what is given, blanks with room to write, and the key on pages of its own. As pencil/kata/paper.py.

import { escape } from "../widgets/fragments.js"

const ENTRY_WIDTH = 8 // characters that a number takes in a blank

export function paper(data, worked, seed) {
  const { title, opening, asks } = data, of = (key) => worked.lines(key).map((line) => `<p>${escape(line)}</p>`).join("")
  const blanks = asks.map(({ label, answer }) => `<li><span class="label">${escape(label)} =</span><span class="room${answer.at.length > ENTRY_WIDTH ? " wide" : ""}"></span></li>`)
  const keys = asks.map(({ key }) => `<li>${of(key)}</li>`)
  return `<main class="pencil-paper"><section class="task"><h1>${escape(title)}</h1>
<p class="who"><span>Seed ${seed}</span><span>Name</span><span>Time</span></p><p>${escape(opening)} Carry three places.</p>
${givens(data, worked)}
<ol>${blanks.join("")}</ol></section>
<section class="key"><h1>${escape(title)}: the key</h1><p class="who"><span>Seed ${seed}</span></p><ol>${keys.join("")}</ol></section></main>`
}

// The given grids as tables.
export function givens({ givens: all, run }, worked) {
  const tables = Object.keys(all).map((name) => {
    const { array } = worked.find(name), digits = worked.numbers(name).map(({ text }) => text), width = array.shape.at(-1) ?? 1
    const head = (r) => (array.shape.length > 1 ? `<th scope="row">${escape(array.axes[0]?.[r] ?? `row ${r + 1}`)}</th>` : "")
    const row = (r) => `<tr>${head(r)}${digits.slice(r * width, (r + 1) * width).map((x) => `<td>${x}</td>`).join("")}</tr>`
    const body = Array.from({ length: digits.length / width }, (_, r) => row(r)).join("")
    return `<table class="pencil-given-grid"><caption>${escape(run.labels[name] ?? name)}</caption><tbody>${body}</tbody></table>`
  })
  return `<div class="pencil-givens">${tables.join("")}</div>`
}
