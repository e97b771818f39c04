// Messages for too many numbers, or too few: parts that were not added up, an extra row, a number alone. The same as
// pencil/exercises/miscounted.py.

import { means } from "./answers.js"
import { areMeant, isMeant, numbered, PARTS_KEY, say, sum } from "./unrecognised.js"

// The message for too many numbers, or too few, the most telling case first; null if there are as many as expected
export function miscounted(exercise, typed) {
  const wanted = exercise.right.paper.length
  const n = typed.length
  const told = `You typed ${n} number${n === 1 ? "" : "s"}; ${wanted} ${wanted === 1 ? "is" : "are"} wanted.`
  return n === wanted ? null : (n > wanted ? tooMany : tooFew)(exercise, typed, told)
}

function tooMany({ right, places }, typed, told) {
  if (isInParts(typed, right, places)) {
    const how = right.paper.length > 1 ? ", number by number" : ""
    return say("wrong", `These are the parts. Add them up${how}.`, PARTS_KEY)
  }
  return { ...say("wrong", told + askedWhich(right, typed, places)), read: false }
}

function tooFew({ right, rows, places, shares }, typed, told) {
  const wanted = right.paper.length
  const n = typed.length
  const isAt = (kept) => areMeant(typed, { paper: right.paper.filter(kept), exact: right.exact.filter(kept) }, places)
  if (isAt((_, k) => k < n)) return { ...say("short", `So far, so good. ${told}`), read: false }
  const width = Math.floor(wanted / Math.max(1, rows.length))
  if (n > 1 && n === width && areMeant(typed, rowsSummed(right, width), places))
    return say("wrong", "These are the rows, added up. Write the rows themselves.", PARTS_KEY)
  const together = n > 1 && wanted % n === 0 && summedOrAveraged(right, typed, places)
  if (together) return say("wrong", together, PARTS_KEY)
  if (n === 1 && !shares && areMeant(typed, rowsSummed(right, 1), places))
    return say("wrong", `That is the sum of all. Write the ${wanted} numbers themselves.`, PARTS_KEY)
  if (n === 1 && typed[0].value % 1 && means(typed[0], sum(right.exact) / wanted))
    return say("wrong", `That is the average of all. Write the ${wanted} numbers themselves.`, PARTS_KEY)
  if (isAt((_, k) => right.exact[k]))
    return say("wrong", `You left the zeros out. Write them in their places: ${wanted} numbers are wanted.`, PARTS_KEY)
  const picked = pickedIn(right, typed, places)
  if (picked.length === n && typed.some(({ value }) => (n > 1 ? value : value % 1))) {
    const all = wanted === 2 ? "both" : `all ${wanted}`
    return say("wrong", `${n > 1 ? "These are" : "This is"} ${numbered(picked)} alone. Write ${all}.`, PARTS_KEY)
  }
  return { ...say("wrong", told), read: false }
}

// Slices of a row with the length of the answer
function summedOrAveraged(right, typed, places) {
  const added = rowsSummed(right, typed.length)
  const times = Math.floor(right.exact.length / typed.length)
  if (areMeant(typed, added, places))
    return "These are the parts of the answer, added up. Write the parts themselves."
  const [paper, exact] = [added.paper, added.exact].map((track) => track.map((x) => x / times))
  return areMeant(typed, { paper, exact }, places)
    ? "This is the average of the parts. Write the parts themselves."
    : ""
}

// The indices of the typed numbers in the right ones, in order
function pickedIn(right, typed, places) {
  const found = []
  for (const one of typed) {
    const begin = found.length ? found.at(-1) + 1 : 0
    const k = right.exact.findIndex((_, j) => j >= begin && isMeant(one, right, j, places))
    if (k >= 0) found.push(k)
  }
  return found
}

// Which of several rows, or numbers, is the expected one
function askedWhich(right, typed, places) {
  const meant = slices(typed, right.exact.length).map((row) => areMeant(row, right, places))
  if (typed.length % right.exact.length || !meant.includes(true)) return ""
  if (!meant.includes(false)) return " You wrote the same more than once: once is enough."
  return meant[0] ? " Keep only what you wrote first." : " Which of these does the question ask for?"
}

// A zero beside the answer changes nothing (5 0 for 5; but 0 5 0 0 may be the products of a row), and two non-integers
// may add up to an integer by chance
function isInParts(typed, right, places) {
  const wanted = right.exact.length
  const times = typed.length / wanted
  const rows = slices(typed, wanted)
  const isBeside = (wanted > 1 || times === 2) && rows.some((row) => areMeant(row, right, places))
  const byChance = wanted === 1 && right.exact[0] % 1 === 0 && typed.some(({ value }) => value % 1)
  if (times % 1 || isBeside || byChance) return false
  const columns = right.exact.map((_, k) => column(typed, k, wanted))
  return [columns, slices(typed, times)].some((parts) => areMeant(parts.map(added), right, places))
}

// Every k-th number
const column = (numbers, k, width) => numbers.filter((_, j) => j % width === k)
export const slices = (numbers, width) =>
  numbers.flatMap((_, k) => (k % width ? [] : [numbers.slice(k, k + width)]))
const added = (parts) => ({
  value: sum(parts.map(({ value }) => value)),
  places: Math.max(...parts.map(({ places }) => places ?? 0)),
  figures: 0,
})
const rowsSummed = ({ paper, exact }, width) => {
  const added = (track) => track.slice(0, width).map((_, k) => sum(column(track, k, width)))
  return { paper: added(paper), exact: added(exact) }
}
