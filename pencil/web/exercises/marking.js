// Marking: right, cut short, or wrong, and then what the reader seems to have done.
// The same as pencil/exercises/marking.py.

import { PLACES, placesWritten } from "../engine/rounding.js"
import { cuts, means, readings, rounds } from "./answers.js"

// An answer that is off by no more than this share of a number, and this much besides, may have been rounded
const [NEAR, NEARBY] = [0.005, 0.0015]
// The keys of values nearby begin so, and those of a step of the answer's own sum so (pencil/exercises/nearby.py)
const [NEARBY_KEY, STEP_KEY] = ["near-", "near-step-"]
const OWN_KEY = "own-" // and those of the mistakes that a box names itself
const PARTS_KEY = "parts" // of a sum that was not added up, or of rows that were
const PERCENT = /%|(?<![\p{L}\d_])per ?cent(?![\p{L}\d_])/giu
const MIN_FIGURES = 2 // significant digits that tell a number from its neighbours

// exercise: { right: { paper, exact }, wrong: { key: [numbers, message] }, rows, places, percent }; answer: text
// -> { verdict: "right", "short" or "wrong", message, wrong: the key of the mistake that was made,
//      read: whether the answer could be read, as so many numbers }
export function mark({ right, wrong, rows = [], places = PLACES, upstream = {}, percent, shares = 0 }, answer) {
  // 0.57 % of what is asked in per cent is 0.57
  const plain = percent ? String(answer).replace(PERCENT, " ") : answer
  const { ways, problem } = waysOf(right.exact, shares, inOrder(plain, rows))
  if (problem) return { ...say("wrong", problem), read: false }
  for (const typed of ways) {
    if (areMeant(typed, right, places)) return say("right", "Right.")
    if (rows.length === 2 && typed.length > 2 && areMeant(swapped(typed), right, places))
      return say("right", `Right, in the other order: ${rows[0]} comes first.`)
  }
  for (const typed of ways) {
    const known = explained({ right, wrong, upstream, places }, typed)
    const messages = eachTold(known.map(([, [, message]]) => message))
    if (known.length) return say("wrong", messages.slice(0, 2).join(" Or: "), known[0][0])
  }
  return unknown({ right, wrong, rows, places, shares }, ways[0])
}

// What an answer may mean, all of it written out
function waysOf(right, shares, answer) {
  const wanted = right.length
  const alone = digitsOf(answer, right)
  if (alone) return readings(alone, wanted)
  const { ways, problem } = readings(answer, wanted)
  if (problem || ways[0].length === wanted) return { ways, problem }
  if (shares && ways[0].length === 1 && right.every((x) => x === right[0]))
    return { ways: [right.map(() => ways[0][0]), ...ways] } // one number for each of them
  const kept = keptOf(right, shares)
  if (kept.length === wanted) return { ways }
  const fuller = (readings(answer, kept.length).ways ?? []).filter((way) => way.length === kept.length)
  const filled = fuller.map((way) =>
    right.map((_, k) => (kept.includes(k) ? way[kept.indexOf(k)] : { value: 0, places: 0, figures: 0 })),
  )
  return { ways: filled.length ? filled : ways }
}

// "0011", where four numbers of one digit are wanted -> "0 0 1 1"; else ""
function digitsOf(answer, right) {
  const parts = /[^\d\s,;[\](){}|]/.test(answer) ? [] : (String(answer).match(/\d+/g) ?? [])
  const digits = parts.join("")
  const areAlike = parts.every((part) => part.length === parts[0].length)
  const isMeant = areAlike && digits.length === right.length && right.length > parts.length
  return isMeant && right.every((x) => x >= 0 && x < 10 && x % 1 === 0) ? [...digits].join(" ") : ""
}

// The places of a masked answer up to the last share of each row that is not zero: a triangle
function keptOf(right, width) {
  const end = (k) => right.findLastIndex((x, j) => x && Math.floor(j / width) === Math.floor(k / width))
  const isFirst = (k) => k % width === 0
  return right.map((_, k) => k).filter((k) => !width || isFirst(k) || k <= end(k))
}

// A choice among words: { right, wrong: { word: what to say } }.
export function choose({ right, wrong }, word) {
  if (word === right) return say("right", "Right.")
  return word
    ? say("wrong", wrong[word] ?? "Not yet.", word)
    : { ...say("wrong", "Choose one of these."), read: false }
}

const say = (verdict, message, wrong = "") => ({ verdict, message, wrong, read: true })
const count = (n) => `${n} number${n === 1 ? "" : "s"}`
const swapped = (typed) => [...typed.slice(typed.length >> 1), ...typed.slice(0, typed.length >> 1)]

const isMeant = (typed, { paper, exact }, k, places) =>
  means(typed, paper[k], places) || means(typed, exact[k], places)
const areMeant = (typed, numbers, places) =>
  typed.length === numbers.paper.length && typed.every((one, k) => isMeant(one, numbers, k, places))
const areCut = (typed, { exact }) =>
  typed.length === exact.length && typed.every((one, k) => means(one, exact[k]) || cuts(one, exact[k]))

// What is known of an answer, the mistakes of its own step first
function explained({ right, wrong, upstream, places }, typed) {
  const known = knownIn(wrong, typed, places)
  if (known.some(([key]) => !key.startsWith(NEARBY_KEY) || key.startsWith(STEP_KEY))) return known
  if (isRough(typed, right)) return known
  const far = made(upstream, typed, places).filter(([, [numbers]]) => !isByRounding(typed, numbers))
  return [...known, ...eachOnce(far)]
}

// A whole number that a mistake comes to by rounding alone: 1 for 0.9996
const isByRounding = (typed, { exact }) =>
  typed.some((one, k) => one.places === 0 && !means(one, exact[k]))

// Is it the answer, rounded to whole numbers where it has none?
const isRough = (typed, { exact }) =>
  typed.length === exact.length &&
  typed.every((one, k) => rounds(one, exact[k])) &&
  typed.some((one, k) => one.places === 0 && !means(one, exact[k]))

// [key, [numbers, message]] of what the reader may have done. A value nearby agrees by chance where there is a mistake
// that explains the answer, unless it is a step of the answer's own sum.
function knownIn(wrong, typed, places) {
  const known = made(wrong, typed, places)
  if (known.every(([key]) => key.startsWith(NEARBY_KEY))) return known.slice(0, 1)
  const isOwn = known.some(([key]) => key.startsWith(OWN_KEY)) // what a box itself says is to the point
  return known.filter(([key]) => (!isOwn && key.startsWith(STEP_KEY)) || !key.startsWith(NEARBY_KEY))
}

const made = (wrong, typed, places) =>
  Object.entries(wrong).filter(([, [numbers]]) => areMeant(typed, numbers, places))

// A root that is forgotten in one line may be told in the next one too
function eachOnce(known) {
  const kinds = known.map(([key]) => key.split(".")[0])
  return known.filter((_, k) => kinds.indexOf(kinds[k]) === k)
}

// A box and the catalogue may begin alike: You took tanh.
function eachTold(messages) {
  const begin = messages.map((message) => message.split(". ")[0])
  return messages.filter((_, k) => begin.indexOf(begin[k]) === k)
}

// What to say of a mistake in a value before the one that is asked for, by the label of that value.
export const furtherUp = (label, message, times = 1) => {
  const where = times > 1 ? ", more than once" : label && `, at ${label}`
  return `The slip is further up${where}: ${message[0].toLowerCase()}${message.slice(1)}`
}

// "sat 0 1, cat: 2 3" -> the numbers of cat, then those of sat
function inOrder(answer, rows) {
  if (!rows.length) return answer
  const names = rows.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")
  const name = new RegExp(`(?<![\\p{L}\\p{N}_])(${names})(?![\\p{L}\\p{N}_])\\s*[:=]?`, "iu")
  const [before, ...parts] = String(answer).split(name)
  const named = new Map(rows.map((_, k) => [parts[2 * k]?.toLowerCase(), parts[2 * k + 1]]))
  if (before.replace(/[\s[({,;]/g, "") || named.size < rows.length || parts.length !== 2 * rows.length)
    return answer
  return rows.map((word) => named.get(word.toLowerCase())).join(" ")
}

// What is neither right nor a known mistake
function unknown({ right, wrong, rows, places, shares }, typed) {
  const wanted = right.paper.length
  if (typed.length !== wanted) return miscounted({ right, rows, places, shares }, typed)
  const off = typed.flatMap((one, k) => (isMeant(one, right, k, places) ? [] : [k]))
  const both = (k) => [right.paper[k], right.exact[k]]
  const uncut = off.filter((k) => !both(k).some((x) => cuts(typed[k], x)))
  if (!uncut.length) {
    const isClear =
      off.every((k) => typed[k].figures >= MIN_FIGURES && both(k).some((x) => rounds(typed[k], x))) &&
      !Object.values(wrong).some(([numbers]) => areCut(typed, numbers))
    const isPlain = off.every((k) => placesWritten(right.exact[k]) === PLACES)
    const enough = isPlain ? "three decimals" : "four figures"
    return say("short", `${isClear ? "So far, so good" : "Too short to tell"}. Write ${enough}.`)
  }
  if (off.every((k) => typed[k].value && means({ ...typed[k], value: -typed[k].value }, right.exact[k])))
    return say("wrong", `Look at the sign${ofNumbers(off, wanted)}.`)
  if (wanted > 1 && isReordered(typed, right)) return say("wrong", "The numbers stand in another order.")
  if (off.every((k) => isNear(typed[k].value, right.exact[k])))
    return say(
      "wrong",
      "Close. Was a number rounded on the way? Carry three decimals, and round a sum once, at its end.",
    )
  if (isRough(typed, right))
    return say("wrong", "Whole numbers are too rough here. Carry three decimals.")
  if (wanted === 1) return say("wrong", related(typed[0], right.exact[0]))
  const good = wanted - off.length
  const also = good ? ` ${good} of ${wanted} are right.` : ""
  return say("wrong", `Not yet: number ${uncut[0] + 1} is the first that differs.${also}`)
}

// Too many numbers, or too few
function miscounted({ right, rows, places, shares }, typed) {
  const wanted = right.paper.length
  const n = typed.length
  if (isInParts(typed, right, places))
    return say("wrong", `These are the parts. Add them up${wanted > 1 ? ", number by number" : ""}.`, PARTS_KEY)
  const width = Math.floor(wanted / Math.max(1, rows.length))
  if (n > 1 && n === width && n < wanted && areMeant(typed, rowsSummed(right, width), places))
    return say("wrong", "These are the rows, added up. Write the rows themselves.", PARTS_KEY)
  const told = `You typed ${count(n)}; ${wanted} ${wanted === 1 ? "is" : "are"} wanted.`
  const at = (kept) => ({ paper: right.paper.filter((_, k) => kept(k)), exact: right.exact.filter((_, k) => kept(k)) })
  const first = at((k) => k < n)
  if (n < wanted && areMeant(typed, first, places))
    return { ...say("short", `So far, so good. ${told}`), read: false }
  if (n === 1 && !shares && areMeant(typed, rowsSummed(right, 1), places))
    return say("wrong", `That is the sum of all. Write the ${wanted} numbers themselves.`, PARTS_KEY)
  const kept = at((k) => right.exact[k])
  if (n === kept.exact.length && n < wanted && areMeant(typed, kept, places))
    return say("wrong", `You left the zeros out. Write them in their places: ${wanted} numbers are wanted.`, PARTS_KEY)
  return { ...say("wrong", told), read: false }
}

// Two numbers that are not whole come to a whole one by chance
function isInParts(typed, right, places) {
  const wanted = right.exact.length
  const byChance = wanted === 1 && right.exact[0] % 1 === 0 && typed.some(({ value }) => value % 1)
  const isMultiple = typed.length > wanted && typed.length % wanted === 0
  return isMultiple && !byChance && areMeant(summed(typed, wanted), right, places)
}

// Rows below one another, added number by number
const column = (numbers, k, width) => numbers.filter((_, j) => j % width === k)
const sum = (numbers) => numbers.reduce((all, x) => all + x, 0)
const summed = (typed, width) =>
  typed.slice(0, width).map((_, k) => {
    const parts = column(typed, k, width)
    return {
      value: sum(parts.map(({ value }) => value)),
      places: Math.max(...parts.map(({ places }) => places ?? 0)),
      figures: 0,
    }
  })
const rowsSummed = ({ paper, exact }, width) => {
  const added = (track) => track.slice(0, width).map((_, k) => sum(column(track, k, width)))
  return { paper: added(paper), exact: added(exact) }
}

// One number that is neither right, nor near, nor a known mistake
function related(typed, number) {
  const share = { ...typed, value: typed.value / 100, places: typed.places && typed.places + 2 }
  if (number % 1 && means(share, number))
    return "Is this per cent? Then write the sign behind it, or divide by a hundred."
  if ((number % 1 || Math.abs(number) >= 100) && [-3, -2, -1, 1, 2, 3].some((k) => means(typed, number * 10 ** k)))
    return "The digits are right. Count the zeros, and look where the point stands."
  if (![0, 1, -1].includes(number) && means(typed, 1 / number))
    return "The fraction is upside down: this is one divided by the answer."
  return "Not yet."
}

// A whole number was not rounded: near it is no hint
const isNear = (value, number) =>
  number % 1 && value % 1 && Math.abs(value - number) <= NEAR * Math.abs(number) + NEARBY

// [0, 2] -> " of numbers 1 and 3"
function ofNumbers(off, wanted) {
  if (wanted === 1) return ""
  const called = off.map((k) => k + 1)
  const last = called.pop()
  return called.length ? ` of numbers ${called.join(", ")} and ${last}` : ` of number ${last}`
}

// Does each typed number mean one of the right ones, and no two of them the same one?
function isReordered(typed, right) {
  const left = right.exact.map((_, k) => k)
  return typed.every((one) => {
    const at = left.findIndex((k) => isMeant(one, right, k))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}
