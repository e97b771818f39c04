// Heat maps, bars and plain tables of a run's numbers, tag for tag as pencil/pictures.py writes them.

import { show } from "./engine.js"
import { escape, html } from "./fragments.js"
import { upTo } from "./graph.js"

// Where a number lies between the lowest and the highest of its picture.
export function level(x, numbers, isShare) {
  if (!Number.isFinite(x)) return show(x > 0 ? 1 : 0)
  const finite = numbers.filter(Number.isFinite), [low, high] = isShare ? [0, 1] : [Math.min(...finite), Math.max(...finite)]
  return high > low ? show((x - low) / (high - low)) : "0.500"
}

const th = (word, scope) => `<th scope="${scope}">${escape(`${word}`)}</th>`

// A row of a table of bars.
export const bar = (says, share) => `<tr>${th(says, "row")}<td class="bar"><span style="--v:${show(share)}"></span></td><td>${show(share)}</td></tr>`

// kind: "heat", "bars" or "given"; `cell` writes what stands in a cell, from the number and its place among all of its array.
export function picture(worked, kind, reference, caption, cell = (number) => html([number])) {
  const value = worked.find(reference), exact = [].concat(value.exact), numbers = worked.numbers(reference)
  const labels = upTo(value.array.ndim).filter((axis) => value.index[axis] === null)
    .map((axis) => value.array.axes[axis] ?? (kind === "given" ? null : upTo(value.array.shape[axis])))
  const [rows, columns] = kind === "bars" ? [labels[0], null] : labels.length > 1 ? labels : [null, labels[0]]
  const width = kind === "bars" ? 1 : (labels.length && value.array.shape.at(-1)) || 1
  const td = (at) => {
    const share = ` style="--v:${level(exact[at], exact, kind === "bars")}"`
    return `${kind === "bars" ? `<td class="bar"><span${share}></span></td>` : ""}<td${kind === "heat" ? share : ""}>${cell(numbers[at], at)}</td>`
  }
  const body = upTo(numbers.length / width).map((r) => `<tr>${rows ? th(rows[r], "row") : ""}${upTo(width).map((k) => td(r * width + k)).join("")}</tr>`)
  const head = columns ? `<thead><tr>${rows ? "<td></td>" : ""}${columns.map((word) => th(word, "col")).join("")}</tr></thead>\n` : ""
  return `<table class="pencil-${kind}">\n<caption>${escape(caption)}</caption>\n${head}<tbody>\n${body.join("\n")}\n</tbody></table>`
}
