// What comes in from outside, read with suspicion: the number that a reader types, and the changes that a link carries.

import { HUGE, MINUS } from "./rounding.js"

const TYPED = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i
const EXAMPLE = "such as 0.5 or −2"

// "−1.5", "1/2" -> { value }; anything else -> { problem }, a sentence that says what to type.
export function readNumber(text) {
  const typed = String(text).slice(0, 200).replaceAll(MINUS, "-").trim().replace(/^\[|\]$/g, "")
  if (!typed) return { problem: `Type a number, ${EXAMPLE}.` }
  const parts = typed.split(/[\s;,]+/).filter(Boolean)
  if (/^[-+]?\d+,\d+$/.test(typed)) return { problem: `A comma separates two numbers; the decimal mark is a point: ${typed.replace(",", ".")}.` }
  if (parts.length > 1) return { problem: `One number fits here, and this is a list of ${parts.length}.` }
  const [above, below, ...more] = typed.split("/")
  if (more.length || ![above, below ?? "1"].every((part) => TYPED.test(part.trim()))) return { problem: `“${typed.slice(0, 20)}” is no number; type one, ${EXAMPLE}.` }
  if (Number(below ?? 1) === 0) return { problem: "Nothing can be divided by 0; type another number below the line." }
  const value = Number(above) / Number(below ?? 1)
  if (!(Math.abs(value) < HUGE)) return { problem: "That is too large to write with a pencil; stay below a billion." }
  return { value: value + 0 } // −0 is 0 on paper
}

// What is typed there is wrong, or no longer: eyes see it, and a screen reader says it.
export const mark = (field, problem) => field.setAttribute("aria-invalid", Boolean(problem))

// An arrow key on a field: one more or less, with Shift a tenth. -> the new text; null where the key or the text is no such thing.
export function nudged(text, { key, shiftKey }) {
  const { value } = readNumber(text), way = { ArrowUp: 1, ArrowDown: -1 }[key]
  if (value === undefined || !way) return null
  return String(Number((value + way * (shiftKey ? 0.1 : 1)).toFixed(10))).replace("-", MINUS) // 0.1 + 0.2 is 0.3 here
}

const MARK = "#pencil:"
const LONGEST_LINK = 4096, MOST_CHANGES = 500
const CHANGE = /^([A-Za-z_]\w{0,40})?\/([A-Za-z_][\w.]{0,80}):(\d{1,4})=(-?\d{1,9}(?:\.\d{1,24})?(?:e-\d{1,3})?)$/

// [{ run, name, place, value }] -> "#pencil:/stick:0=2.5,turn/query:1=-1"; "" for no changes.
export function writeFragment(changes) {
  return changes.length ? MARK + changes.map(({ run, name, place, value }) => `${run}/${name}:${place}=${value}`).join(",") : ""
}

// A fragment -> the changes in it; null where it is none of ours, or where any part of it is not as we write it.
export function readFragment(fragment) {
  const text = String(fragment)
  if (!text.startsWith(MARK) || text.length > LONGEST_LINK) return null
  const entries = text.slice(MARK.length).split(",")
  if (entries.length > MOST_CHANGES) return null
  const changes = entries.map((entry) => CHANGE.exec(entry))
  if (changes.includes(null)) return null
  return changes.map(([, run = "", name, place, value]) => ({ run, name, place: Number(place), value: Number(value) }))
}
