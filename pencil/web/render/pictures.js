// Heat maps, bars and tables of a run's numbers, with the same HTML as pencil/worked/tables.py.

import { MINUS, show } from "../engine/rounding.js"
import { html } from "./element.js"
import { lineOf } from "./fragments.js"
import { upTo } from "./graph.js"

// The colour intensity of a number, from -1 to 1: relative to 1 for probabilities, else to the largest magnitude.
export function level(x, numbers, isShare) {
  if (!Number.isFinite(x)) return show(x > 0 ? 1 : 0)
  const most = isShare ? 1 : Math.max(0, ...numbers.filter(Number.isFinite).map(Math.abs))
  return most ? show(x / most).replace(MINUS, "-") : "0.000"
}

export const th = (word, scope) => html`<th scope="${scope}">${word}</th>`

// Rows without words are numbered from 1
const numbered = (n) => upTo(n).map((k) => k + 1)

const barOf = (share) => html`<td class="bar"><span style="--v:${share}"></span></td>`

// A row of a bar chart.
export const bar = (label, share) => html`<tr>${th(label, "row")}${barOf(show(share))}<td>${show(share)}</td></tr>`

// kind: "heat", "bars" or "given"; `cell` returns the contents of a cell for a number and its flat index.
export function picture(worked, kind, reference, caption, cell = (number) => lineOf([number])) {
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
    if (kind === "bars") return html`${barOf(share)}<td>${written}</td>`
    return kind === "heat" ? html`<td style="--v:${share}">${written}</td>` : html`<td>${written}</td>`
  }
  const body = upTo(numbers.length / width).map((row) => {
    const cells = upTo(width).map((column) => td(row * width + column))
    return html`<tr>${rows ? th(rows[row], "row") : ""}${cells}</tr>`
  })
  const headCells = columns?.map((word) => th(word, "col"))
  const head = columns ? html`<thead><tr>${rows ? html`<td></td>` : ""}${headCells}</tr></thead>` : ""
  return html`<table class="pencil-${kind}"><caption>${caption}</caption>${head}<tbody>${body}</tbody></table>`
}
