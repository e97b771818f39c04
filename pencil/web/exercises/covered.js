// A worked line without its result, as a hint.

import { html, textOf } from "../render/element.js"

const COVERED = "…"

// "nolan.score = 2·1 + 0·0 = 2" -> "nolan.score = 2·1 + 0·0 = …"
export function covered(line) {
  const sides = textOf(html`${line}`).split(/ ?[=≈][ \u00a0]/)
  const shown = sides.slice(0, Math.max(1, Math.min(2, sides.length - 1)))
  return html`${[...shown, COVERED].join(" = ")}`
}
