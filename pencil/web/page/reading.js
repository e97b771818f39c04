// Parsing of untrusted input: numbers that a reader types, and the changes in a link.

import { HUGE, MINUS } from "../engine/rounding.js"
import { PROBLEMS, closed, improper, joined, plainSigns, readOne, respelled, unbracketed } from "../engine/typed.js"

const GROUPED = /^[-+]?[1-9]\d{0,2}(?:(?:,\d{3})+\.|(?:\.\d{3})+,|([.,])\d{3}(?:\1\d{3})+$)/
const EITHER = /(?:^|[^\d.,])(−?[1-9]\d{0,2}),(\d{3})(?![\d.,])/ // a group of thousands, or three decimals

// "0,5" -> "0.5", "1.234,5" and "1,234.5" -> "1234.5": a separator that occurs once is the decimal separator
const pointed = (part) =>
  part
    .trim()
    .replace(GROUPED, (grouped) => grouped.slice(0, -1).replace(/[.,]/g, "") + grouped.at(-1))
    .replace(",", ".")

// "−1.5", "−1,5", "1/2", "√2", "150 %" -> { value }; anything else -> { problem }, an error message. A comma in a count
// groups thousands.
export function readNumber(text, isCount) {
  const typed = unbracketed(customary(String(text).slice(0, 200))).trim()
  if (!typed) return { problem: "Type a number, such as 0.5 or −2." }
  const [, whole, rest] = EITHER.exec(typed.replaceAll("-", MINUS)) ?? []
  if (whole && isCount) return readNumber(typed.replace(",", ""))
  if (whole) return { problem: `“${whole},${rest}” can mean two numbers; type ${whole}${rest} or ${whole}.${rest}.` }
  const { value, problem: kind } = readOne(joined(improper(typed)).split("/").map(pointed).join("/"))
  const problem = kind && PROBLEMS[kind.kind](kind)
  const { length } = apart(typed, /[\s;,]+/)
  if (problem) return { problem: length > 1 ? `One number fits here, not a list of ${length}.` : problem }
  if (!(Math.abs(value) < HUGE))
    return { problem: "That is too large to write with a pencil; stay below a billion." }
  return { value: value + 0 } // −0 -> 0
}

const customary = (text) => closed(respelled(plainSigns(text))).trim()
const apart = (text, signs) => text.split(signs).filter(Boolean)

// "[2, 1, 1, 0]" or "0,5 1 1 0" -> { values }, `count` numbers; anything else -> { problem }
export function readNumbers(text, count, isCount) {
  const typed = unbracketed(customary(String(text).slice(0, 40 * count))).trim()
  // A comma before a space separates numbers
  const ways = count === 1 ? [[typed]] : [apart(typed, /,?[\s;]+/), apart(typed, /[\s;,]+/)]
  const parts = ways.find(({ length }) => length === count) ?? ways.at(-1)
  const read = parts.map((part) => readNumber(part, isCount))
  const { problem } = read.find((one) => one.problem) ?? {}
  const { length } = parts
  const fits = `A row of ${count} numbers fits here`
  if (length !== count)
    return { problem: problem ? `${problem} ${fits}.` : `${fits}; you typed ${["none", "one"][length] ?? length}.` }
  return problem ? { problem } : { values: read.map(({ value }) => value) }
}

// Mark a field as invalid, or valid again.
export function setInvalid(field, problem) {
  if (problem) field.setAttribute("aria-invalid", "true")
  else field.removeAttribute("aria-invalid")
}

// An arrow key in a field: plus or minus one, with Shift its smallest change. -> the new text; null for other keys and
// invalid text.
export function stepped(text, { key, shiftKey, target }) {
  const { value } = readNumber(text, target.dataset.count)
  const way = { ArrowUp: 1, ArrowDown: -1 }[key]
  if (value === undefined || !way) return null
  const next = Number((value + way * (shiftKey ? leastOf(target) : 1)).toFixed(10)) // without float noise
  return String(next).replace("-", MINUS)
}

// The smallest change of a field: a tenth, or one for a count
export const leastOf = ({ dataset }) => (dataset.count ? 1 : 0.1)

const MARK = "#pencil:"
const MOST_CHANGES = 500
const CHANGE =
  /^([A-Za-z_]\w{0,40})?\/([A-Za-z_][\w.]{0,80}):(\d{1,4})=(-?\d{1,9}(?:\.\d{1,24})?(?:e-\d{1,3})?)$/

// [{ run, name, place, value }] -> "#pencil:/stick:0=2.5,turn/query:1=-1", with "@place" for an element of the page;
// only "#place", or "", for no changes.
export function writeFragment(changes, at = "") {
  if (!changes.length) return at && `#${at}`
  const written = changes.map(({ run, name, place, value }) => `${run}/${name}:${place}=${value}`)
  return MARK + written.join(",") + (at && `@${at}`)
}

// Parses a fragment -> { asked: how many changes it has, changes: those that can be read, at: the place, if any }; null
// for any other
export function readFragment(fragment) {
  const text = String(fragment)
  if (!text.startsWith(MARK)) return null
  const [numbers, at] = text.slice(MARK.length).split("@")
  const entries = numbers.split(",")
  const read = entries.slice(0, MOST_CHANGES).map((entry) => CHANGE.exec(entry))
  const changes = read
    .filter(Boolean)
    .map(([, run = "", name, place, value]) => ({ run, name, place: Number(place), value: Number(value) }))
  return { asked: entries.length, changes, ...(at && { at }) }
}
