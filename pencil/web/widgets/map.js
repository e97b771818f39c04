// The attention weights of a head as a heat map: a row for each query, a column for each key.

import { html } from "../render/element.js"
import { show } from "../engine/rounding.js"
import { upTo } from "../render/graph.js"
import { seen } from "./letters.js"

const LEVELS = 12
const MARGIN = 1.2 // in cells, above and left of them, for the letters

// The opacity follows the square root, so that small weights are visible
const level = (share) => Math.round(LEVELS * Math.sqrt(share))

// A path for each level, with a rectangle for each run of cells of that level
function cells(rows) {
  const paths = upTo(LEVELS + 1).map(() => "")
  rows.forEach((row, t) => {
    for (let k = 0, end; k < row.length; k = end) {
      const here = level(row[k])
      for (end = k + 1; end < row.length && level(row[end]) === here; ) end++
      paths[here] += `M${k} ${t}h${end - k}v1h${k - end}z`
    }
  })
  const drawn = paths.map((path, n) => path && n && html`<path fill-opacity="${show(n / LEVELS)}" d="${path}"/>`)
  const ground = upTo(rows.length)
    .map((t) => `M0 ${t}h${t + 1}v1H0z`)
    .join("")
  return html`<path class="ground" d="${ground}"/>${drawn.filter(Boolean)}`
}

const svg = (box, inside) =>
  html`<svg viewBox="${box}" aria-hidden="true" focusable="false" shape-rendering="crispEdges">${inside}</svg>`

// rows: the weights of each query, for the keys up to itself
export const small = (rows) => svg(`0 0 ${rows.length} ${rows.length}`, cells(rows))

// The same with the letters at its sides, and two frames, which `frame` places
export function large(rows, letters) {
  const size = rows.length + MARGIN
  const text = (letter, k) => {
    const at = k + 0.5
    const said = seen(letter)
    return html`<text x="${at}" y="-0.6">${said}</text><text x="-0.6" y="${at}">${said}</text>`
  }
  const frames = html`<rect class="row" height="1"/><rect class="cell" width="1" height="1"/>`
  return svg(`${-MARGIN} ${-MARGIN} ${size} ${size}`, [cells(rows), letters.map(text), frames])
}

// Frames the row of query t and its cell for key k, and scrolls a narrow box to that cell
export function frame(box, t, k) {
  const put = (name, attributes) => {
    for (const [key, value] of Object.entries(attributes)) box.querySelector(name).setAttribute(key, value)
  }
  put(".row", { y: t, width: t + 1 })
  put(".cell", { x: k, y: t })
  const { scrollWidth, clientWidth, firstChild: picture } = box
  const middle = ((k + MARGIN) / picture.viewBox.baseVal.width) * scrollWidth
  if (scrollWidth > clientWidth) box.scrollLeft = middle - clientWidth / 2
}

// The cell under a pointer event, [t, k], or null. letters: how many there are
export function pointed(picture, { clientX, clientY }, letters) {
  const { left, top, width } = picture.getBoundingClientRect()
  const scale = (letters + MARGIN) / width
  const [k, t] = [clientX - left, clientY - top].map((at) => Math.floor(at * scale - MARGIN))
  return k >= 0 && t < letters && k <= t ? [t, k] : null
}
