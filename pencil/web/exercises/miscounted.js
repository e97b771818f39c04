// Diagnoses of too many numbers, or too few: parts that were not added up, an extra row, a number alone.

import { areMeant, isMeant, means, slices, sum } from "./comparing.js"

const WRONG = "parts" // the key of a sum that was not worked out, or was without need

// The most telling case first; null if there are as many as expected
export function miscounted(exercise, typed) {
  const wanted = exercise.right.paper.length
  if (typed.length === wanted) return null
  const found = (typed.length > wanted ? tooMany : tooFew)(exercise, typed)
  return { wanted, count: typed.length, ...found }
}

function tooMany({ right, places }, typed) {
  if (isInParts(typed, right, places)) return { kind: "parts", wrong: WRONG }
  const meant = slices(typed, right.exact.length).map((row) => areMeant(row, right, places))
  const areRows = typed.length % right.exact.length === 0 && meant.includes(true)
  const which = !areRows ? "" : !meant.includes(false) ? "repeated" : meant[0] ? "first" : "unclear"
  return { kind: "count", which, read: false }
}

function tooFew({ right, rows, places, shares }, typed) {
  const wanted = right.paper.length
  const n = typed.length
  const isAt = (kept) => areMeant(typed, { paper: right.paper.filter(kept), exact: right.exact.filter(kept) }, places)
  if (isAt((_, k) => k < n)) return { verdict: "short", kind: "begun", read: false }
  const width = Math.floor(wanted / Math.max(1, rows.length))
  if (n > 1 && n === width && areMeant(typed, rowsSummed(right, width), places))
    return { kind: "rows_added", wrong: WRONG }
  const together = n > 1 && wanted % n === 0 && summedOrAveraged(right, typed, places)
  if (together) return { kind: together, wrong: WRONG }
  if (n === 1 && !shares && areMeant(typed, rowsSummed(right, 1), places)) return { kind: "sum_of_all", wrong: WRONG }
  if (n === 1 && typed[0].value % 1 && means(typed[0], sum(right.exact) / wanted))
    return { kind: "average_of_all", wrong: WRONG }
  if (isAt((_, k) => right.exact[k])) return { kind: "zeros_left_out", wrong: WRONG }
  const picked = pickedIn(right, typed, places)
  if (picked.length === n && typed.some(({ value }) => (n > 1 ? value : value % 1)))
    return { kind: "some_alone", picked, wrong: WRONG }
  return { kind: "count", which: "", read: false }
}

// Slices of a row with the length of the answer
function summedOrAveraged(right, typed, places) {
  const added = rowsSummed(right, typed.length)
  const times = Math.floor(right.exact.length / typed.length)
  if (areMeant(typed, added, places)) return "parts_added"
  const [paper, exact] = [added.paper, added.exact].map((track) => track.map((x) => x / times))
  return areMeant(typed, { paper, exact }, places) ? "parts_averaged" : ""
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
const added = (parts) => ({
  value: sum(parts.map(({ value }) => value)),
  places: Math.max(...parts.map(({ places }) => places ?? 0)),
  figures: 0,
})
const rowsSummed = ({ paper, exact }, width) => {
  const added = (track) => track.slice(0, width).map((_, k) => sum(column(track, k, width)))
  return { paper: added(paper), exact: added(exact) }
}
