// Messages for too many numbers, or too few: parts that were not added up, an extra row, a number alone. The same as
// pencil/exercises/miscounted.py.

import { means } from "./answers.js"
import { areMeant, inNumbers, isMeant, PARTS_KEY, say, sum } from "./unrecognised.js"

// The message for too many numbers, or too few; null if there are as many as expected
export function miscounted({ right, rows, places, shares }, typed) {
  const wanted = right.paper.length
  const n = typed.length
  if (n === wanted) return null
  if (isInParts(typed, right, places))
    return say("wrong", `These are the parts. Add them up${wanted > 1 ? ", number by number" : ""}.`, PARTS_KEY)
  const width = Math.floor(wanted / Math.max(1, rows.length))
  if (n > 1 && n === width && n < wanted && areMeant(typed, rowsSummed(right, width), places))
    return say("wrong", "These are the rows, added up. Write the rows themselves.", PARTS_KEY)
  const together = n > 1 && n < wanted && wanted % n === 0 && takenTogether(right, typed, places)
  if (together) return say("wrong", together, PARTS_KEY)
  const which = askedWhich(right, typed, places)
  const told = `You typed ${n} number${n === 1 ? "" : "s"}; ${wanted} ${wanted === 1 ? "is" : "are"} wanted.${which}`
  const at = (kept) => ({ paper: right.paper.filter((_, k) => kept(k)), exact: right.exact.filter((_, k) => kept(k)) })
  const first = at((k) => k < n)
  if (n < wanted && areMeant(typed, first, places))
    return { ...say("short", `So far, so good. ${told}`), read: false }
  if (n === 1 && !shares && areMeant(typed, rowsSummed(right, 1), places))
    return say("wrong", `That is the sum of all. Write the ${wanted} numbers themselves.`, PARTS_KEY)
  if (n === 1 && typed[0].value % 1 && means(typed[0], sum(right.exact) / wanted))
    return say("wrong", `That is the average of all. Write the ${wanted} numbers themselves.`, PARTS_KEY)
  const kept = at((k) => right.exact[k])
  if (n === kept.exact.length && n < wanted && areMeant(typed, kept, places))
    return say("wrong", `You left the zeros out. Write them in their places: ${wanted} numbers are wanted.`, PARTS_KEY)
  const picked = n < wanted ? pickedIn(right, typed, places) : []
  if (picked.length === n && typed.some(({ value }) => (n > 1 ? value : value % 1))) {
    const all = wanted === 2 ? "both" : `all ${wanted}`
    const they = `${n > 1 ? "These are" : "This is"} n${inNumbers(picked).slice(4)}`
    return say("wrong", `${they} alone. Write ${all}.`, PARTS_KEY)
  }
  return { ...say("wrong", told), read: false }
}

// Slices of a row with the length of the answer
function takenTogether(right, typed, places) {
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
  const width = right.exact.length
  const rows = typed.length % width ? [] : slices(typed, width)
  const isSame = (row) => row.length === width && row.every(({ value }, k) => value === typed[k].value)
  if (width > 1 && rows.length > 1 && rows.every(isSame)) return " You wrote the same more than once: once is enough."
  return rows.some((row) => areMeant(row, right, places)) ? " Which of these does the question ask for?" : ""
}

// Two non-integers may add up to an integer by chance, and zeros change nothing
function isInParts(typed, right, places) {
  const wanted = right.exact.length
  const isChance = ({ value }, k) => (right.exact[0] % 1 ? isMeant(typed[k], right, 0) : value % 1)
  const byChance = wanted === 1 && typed.some(isChance)
  if (typed.length <= wanted || typed.length % wanted || byChance) return false
  const columns = right.exact.map((_, k) => column(typed, k, wanted))
  return [columns, slices(typed, typed.length / wanted)].some((parts) => areMeant(parts.map(added), right, places))
}

// The sums of the columns of several rows
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
