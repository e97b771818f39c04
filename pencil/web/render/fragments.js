// A line is a list of fragments: plain text, and numbers with their references. As pencil/worked/fragments.py.

import { HUGE, MINUS, asGiven, isWhole, settle, show } from "../engine/rounding.js"
import { asHtml, escape, html } from "./element.js"

// Operator precedence
export const SUM = 0
export const NEGATIVE = 1
export const PRODUCT = 2
export const POWER = 3
export const ATOM = 4

export const isText = (fragment) => typeof fragment === "string"
export const plain = (fragments) => fragments.map((f) => (isText(f) ? f : f.text)).join("")
const unbroken = (text) => text.replace(/([=≈+−/×·]|,(?! \[)) /g, "$1&nbsp;")
export const lineOf = (fragments) =>
  asHtml(fragments.map((f) => (isText(f) ? unbroken(escape(f, /[&<>]/g)) : span(f))).join(""))

// Commas in the long numbers of a line, as the prose has them; not in rows, where commas separate numbers
export const grouped = (line) =>
  /[[\]]|, /.test(line.replace(/<[^>]*>/g, ""))
    ? line
    : line.replace(/<[^>]*>|\.?\d{4,}/g, (part) => (/^\d/.test(part) ? thousands(part) : part))
export const groupedLine = (line) => asHtml(grouped(line))
export const thousands = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",")

export const paragraphs = (lines) => html`${lines.map((line) => html`<p style="margin: 0">${line}</p>`)}`

// The tooltip is fetched when the number is pointed at.
function span({ text, reference, track }) {
  const said = track ? ` data-track="${track}"` : ""
  return `<span class="pencil-number"${said} data-value="${escape(reference)}">${escape(text)}</span>`
}

export const join = (sides, sign) => sides.flatMap((side, i) => (i ? [sign, ...side] : side))
export const row = (numbers) => ["[", ...join(numbers.map((number) => [number]), ", "), "]"]
export const wrap = ([fragments, level], needed) => (level >= needed ? fragments : ["(", ...fragments, ")"])

// a + b − c: negative terms are subtracted
export function plus([[first], ...terms]) {
  const out = [...first]
  for (const [[head, ...rest], level] of terms) {
    if (level === NEGATIVE && !isText(head)) out.push(` ${MINUS} `, { ...head, text: head.text.slice(1) })
    else if (level === NEGATIVE && head.startsWith(MINUS))
      out.push(` ${MINUS} `, ...(head.length > 1 ? [head.slice(1)] : []), ...rest)
    else out.push(" + ", ...wrap([[head, ...rest], level], PRODUCT))
  }
  return out
}

// e^x, √x, x^y, ln(x), max(x, 0)
export function call(op, operands) {
  if (op === "exp") return [["e^", ...wrap(operands[0], ATOM)], POWER]
  if (op === "sqrt") return [["√", ...wrap(operands[0], ATOM)], POWER]
  if (op === "negative") {
    if (/^[0.]*$/.test(plain(operands[0][0]))) return operands[0] // no minus zero
    return [[MINUS, ...wrap(operands[0], PRODUCT)], NEGATIVE]
  }
  if (op === "power") return [[...wrap(operands[0], ATOM), "^", ...wrap(operands[1], ATOM)], POWER]
  const name = { log: "ln", maximum: "max", minimum: "min", absolute: "abs", rint: "round" }[op] ?? op
  const inside = operands.map(([fragments]) => fragments)
  return [[`${name}(`, ...join(inside, ", "), ")"], ATOM]
}

// Constants such as √32 are written as roots
export function constantDigits(x) {
  // Squares of larger numbers would always settle to an integer
  const isRoot = x > 0 && x * x < HUGE && !isWhole(x) && isWhole(x * x) && settle(x * x)
  return isRoot ? `√${isRoot}` : asGiven(x)
}

// Six decimals, or three significant digits if that is more
export function exactDigits(x) {
  if (!(Math.abs(x) < HUGE)) return show(x)
  const power = Number(settle(x).toExponential().split("e")[1])
  const places = Math.min(10, Math.max(6, 2 - power))
  const ended = asGiven(x)
  return (ended.split(".")[1] ?? "").length <= places ? ended : show(x, { places, figures: null })
}

export const numberIn = (digits) => Number(digits.replace(MINUS, "-"))
export const hasMore = (written, exact) => written !== exact && numberIn(written) !== numberIn(exact)
