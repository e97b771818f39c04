// Heat maps, bars and tables of a run's numbers, with the same HTML as pencil/worked/tables.py.

import { MINUS, show } from "../engine/rounding.js"
import { escape, html } from "./fragments.js"
import { upTo } from "./graph.js"

// The colour intensity of a number, from -1 to 1: relative to 1 for probabilities, else to the largest magnitude.
export function level(x, numbers, isShare) {
  if (!Number.isFinite(x)) return show(x > 0 ? 1 : 0)
  const most = isShare ? 1 : Math.max(0, ...numbers.filter(Number.isFinite).map(Math.abs))
  return most ? show(x / most).replace(MINUS, "-") : "0.000"
}

const th = (word, scope) => `<th scope="${scope}">${escape(`${word}`)}</th>`

// Rows without words are numbered from 1
const numbered = (n) => upTo(n).map((k) => k + 1)

const barOf = (share) => `<td class="bar"><span style="--v:${share}"></span></td>`

// A row of a bar chart.
export const bar = (label, share) => `<tr>${th(label, "row")}${barOf(show(share))}<td>${show(share)}</td></tr>`

// kind: "heat", "bars" or "given"; `cell` returns the contents of a cell for a number and its flat index.
export function picture(worked, kind, reference, caption, cell = (number) => html([number])) {
  const value = worked.find(reference)
  const exact = [].concat(value.exact)
  const numbers = worked.numbers(reference)
  const labels = upTo(value.array.ndim)
    .filter((axis) => value.index[axis] === null)
    .map((axis) => value.array.labels(axis) ?? (kind === "given" ? null : numbered(value.array.shape[axis])))
  const [rows, columns] = kind === "bars" ? [labels[0], null] : labels.length > 1 ? labels : [null, labels[0]]
  const width = kind === "bars" ? 1 : (labels.length && value.array.shape.at(-1)) || 1
  const td = (place) => {
    const written = cell(numbers[place], place)
    const share = level(exact[place], exact, kind === "bars")
    if (kind === "bars") return `${barOf(share)}<td>${written}</td>`
    return kind === "heat" ? `<td style="--v:${share}">${written}</td>` : `<td>${written}</td>`
  }
  const body = upTo(numbers.length / width).map((row) => {
    const cells = upTo(width).map((column) => td(row * width + column))
    return `<tr>${rows ? th(rows[row], "row") : ""}${cells.join("")}</tr>`
  })
  const headCells = columns?.map((word) => th(word, "col")).join("")
  const head = columns ? `<thead><tr>${rows ? "<td></td>" : ""}${headCells}</tr></thead>\n` : ""
  const start = `<table class="pencil-${kind}">\n<caption>${escape(caption)}</caption>\n`
  return `${start}${head}<tbody>\n${body.join("\n")}\n</tbody></table>`
}
