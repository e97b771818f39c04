// Parsing of untrusted input: numbers that a reader types, and the changes in a link.

import { HUGE, MINUS } from "../engine/rounding.js"

const TYPED = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i
const EXAMPLE = "such as 0.5 or −2"
const PERCENT = /\s*(?:%|per ?cent)$/i
const GROUPED = /^[-+]?[1-9]\d{0,2}(?:(?:,\d{3})+\.|(?:\.\d{3})+,|([.,])\d{3}(?:\1\d{3})+$)/
const EITHER = /(?<![\d.,])(−?[1-9]\d{0,2}),(\d{3})(?![\d.,])/ // a group of thousands, or three decimals

// "0,5" -> "0.5", "1.234,5" and "1,234.5" -> "1234.5": a separator that occurs once is the decimal separator
const pointed = (part) =>
  part
    .trim()
    .replace(GROUPED, (grouped) => grouped.slice(0, -1).replace(/[.,]/g, "") + grouped.at(-1))
    .replace(",", ".")

// "−1.5", "−1,5", "1/2", "150 %" -> { value }; anything else -> { problem }, an error message.
export function readNumber(text) {
  const typed = String(text)
    .slice(0, 200)
    .replaceAll(MINUS, "-")
    .replace(/[٫，]/g, ",") // Arabic and Chinese commas
    .trim()
    .replace(/^\[|\]$/g, "")
  if (PERCENT.test(typed)) return hundredth(readNumber(typed.replace(PERCENT, "")))
  if (!typed) return { problem: `Type a number, ${EXAMPLE}.` }
  const [above, below, ...more] = typed.split("/").map(pointed)
  if (more.length || ![above, below ?? "1"].every((part) => TYPED.test(part))) {
    const { length } = typed.split(/[\s;,]+/).filter(Boolean)
    return {
      problem:
        length > 1
          ? `One number fits here, and this is a list of ${length}.`
          : `“${typed.slice(0, 20)}” is no number; type one, ${EXAMPLE}.`,
    }
  }
  const [, whole, rest] = EITHER.exec(typed.replaceAll("-", MINUS)) ?? []
  if (whole) return { problem: `“${whole},${rest}” can mean two numbers; type ${whole}${rest} or ${whole}.${rest}.` }
  if (Number(below ?? 1) === 0)
    return { problem: "Nothing can be divided by 0; type another number below the line." }
  const value = Number(above) / Number(below ?? 1)
  if (!(Math.abs(value) < HUGE))
    return { problem: "That is too large to write with a pencil; stay below a billion." }
  return { value: value + 0 } // −0 -> 0
}

const hundredth = ({ value, problem }) => (problem ? { problem } : { value: value / 100 })

// "[2, 1, 1, 0]" or "0,5 1 1 0" -> { values }, `count` numbers; anything else -> { problem }
export function readNumbers(text, count) {
  const typed = String(text).slice(0, 40 * count).replace(/[[\]]/g, " ")
  const apart = (signs) => typed.split(signs).filter(Boolean)
  // A comma before a space separates numbers
  const ways = count === 1 ? [[typed]] : [apart(/,?[\s;]+/), apart(/[\s;,]+/)]
  const parts = ways.find(({ length }) => length === count) ?? ways.at(-1)
  if (parts.length !== count)
    return { problem: `A row of ${count} numbers fits here, and this is ${parts.length === 1 ? "one" : parts.length}.` }
  const read = parts.map(readNumber)
  const problem = read.find((one) => one.problem)?.problem
  return problem ? { problem } : { values: read.map(({ value }) => value) }
}

// Mark a field as invalid, or valid again.
export const mark = (field, problem) => (field.ariaInvalid = Boolean(problem))

// An arrow key in a field: plus or minus one, with Shift its smallest change. -> the new text; null for other keys and
// invalid text.
export function stepped(text, { key, shiftKey, target }) {
  const { value } = readNumber(text)
  const way = { ArrowUp: 1, ArrowDown: -1 }[key]
  if (value === undefined || !way) return null
  const next = Number((value + way * (shiftKey ? leastOf(target) : 1)).toFixed(10)) // without float noise
  return String(next).replace("-", MINUS)
}

// The smallest change of a field: a tenth, or one for a count
export const leastOf = ({ dataset }) => dataset.least ?? 0.1

const MARK = "#pencil:"
const MOST_CHANGES = 500
const LONGEST_LINK = 80 * MOST_CHANGES // enough for the maximum number of changes
const CHANGE =
  /^([A-Za-z_]\w{0,40})?\/([A-Za-z_][\w.]{0,80}):(\d{1,4})=(-?\d{1,9}(?:\.\d{1,24})?(?:e-\d{1,3})?)$/

// [{ run, name, place, value }] -> "#pencil:/stick:0=2.5,turn/query:1=-1"; "" for no changes.
export function writeFragment(changes) {
  return changes.length
    ? MARK + changes.map(({ run, name, place, value }) => `${run}/${name}:${place}=${value}`).join(",")
    : ""
}

// Parses a fragment -> the changes; null for any other or invalid fragment.
export function readFragment(fragment) {
  const text = String(fragment)
  if (!text.startsWith(MARK) || text.length > LONGEST_LINK) return null
  const entries = text.slice(MARK.length).split(",")
  if (entries.length > MOST_CHANGES) return null
  const changes = entries.map((entry) => CHANGE.exec(entry))
  if (changes.includes(null)) return null
  return changes.map(([, run = "", name, place, value]) => ({
    run,
    name,
    place: Number(place),
    value: Number(value),
  }))
}
