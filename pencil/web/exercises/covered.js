// A worked line without its result, as a hint.

import { textOf } from "../render/element.js"
import { escape } from "../render/fragments.js"

const COVERED = "…"

// "nolan.score = 2·1 + 0·0 = 2" -> "nolan.score = 2·1 + 0·0 = …"
export function covered(html) {
  const sides = textOf(html).split(/ ?[=≈][ \u00a0]/)
  const shown = sides.slice(0, Math.max(1, Math.min(2, sides.length - 1)))
  return escape([...shown, COVERED].join(" = "), /[&<>]/g)
}
