// A line is a list of fragments: plain text, and numbers that know which value they are. As pencil/worked/fragments.py.

import { HUGE, MINUS, asGiven, isWhole, settle, show } from "./engine.js"

// how tightly an expression holds together
export const SUM = 0
export const NEGATIVE = 1
export const PRODUCT = 2
export const POWER = 3
export const ATOM = 4

const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" }

export const isText = (fragment) => typeof fragment === "string"
export const escape = (text, signs = /[&<>"']/g) => text.replace(signs, (sign) => ESCAPED[sign])
export const plain = (fragments) => fragments.map((f) => (isText(f) ? f : f.text)).join("")
export const html = (fragments) => fragments.map((f) => (isText(f) ? escape(f, /[&<>]/g).replace(/([=≈+−/×·,]) /g, "$1&nbsp;") : span(f))).join("")

export const paragraphs = (lines) => lines.map((line) => `<p style="margin: 0">${line}</p>`).join("\n") // of HTML

function span({ text, reference, exact, track, more, says }) {
  const said = says ? ` data-says="${escape(says)}"` : ""
  return `<span class="pencil-number"${track ? ` data-track="${track}"` : ""}${more ? " data-more" : ""}${said} data-value="${escape(reference)}" data-exact="${exact}">${text}</span>`
}

export const join = (sides, sign) => sides.flatMap((side, i) => (i ? [sign, ...side] : side))
export const row = (numbers) => ["[", ...join(numbers.map((n) => [n]), ", "), "]"]
export const wrap = ([fragments, level], needed) => (level >= needed ? fragments : ["(", ...fragments, ")"])

export function plus([[first], ...terms]) { // a + b − c: a negative term is taken away
  const out = [...first]
  for (const [[head, ...rest], level] of terms) {
    if (level === NEGATIVE && !isText(head)) out.push(` ${MINUS} `, { ...head, text: head.text.slice(1) })
    else if (level === NEGATIVE && head.startsWith(MINUS)) out.push(` ${MINUS} `, ...(head.length > 1 ? [head.slice(1)] : []), ...rest)
    else out.push(" + ", ...wrap([[head, ...rest], level], PRODUCT))
  }
  return out
}

export function call(op, operands) { // e^x, √x, ln(x), max(x, 0)
  if (op === "exp") return [["e^", ...wrap(operands[0], ATOM)], POWER]
  if (op === "sqrt") return [["√", ...wrap(operands[0], ATOM)], POWER]
  if (op === "negative") {
    if (/^[0.]*$/.test(plain(operands[0][0]))) return operands[0] // there is no minus nought
    return [[MINUS, ...wrap(operands[0], PRODUCT)], NEGATIVE]
  }
  const name = { log: "ln", maximum: "max", minimum: "min" }[op] ?? op
  return [[`${name}(`, ...join(operands.map(([fragments]) => fragments), ", "), ")"], ATOM]
}

export function constantDigits(x) { // a divisor such as √32 keeps its root
  const isRoot = x > 0 && x * x < HUGE && !isWhole(x) && isWhole(x * x) && settle(x * x) // a larger square settles to a whole one
  return isRoot ? `√${isRoot}` : asGiven(x)
}

export function exactDigits(x) { // six places, three figures if that is more
  if (!(Math.abs(x) < HUGE)) return show(x)
  const power = Number(settle(x).toExponential().split("e")[1]), places = Math.min(10, Math.max(6, 2 - power)), ended = asGiven(x)
  return (ended.split(".")[1] ?? "").length <= places ? ended : show(x, { places, figures: null })
}

export const numberIn = (digits) => Number(digits.replace(MINUS, "-"))
export const hasMore = (written, exact) => written !== exact && numberIn(written) !== numberIn(exact)
