// Marks an answer as right, short (too few digits) or wrong, with a diagnosis. The same as pencil/exercises/marking.py.

import { PLACES } from "../engine/rounding.js"
import { readings } from "./answers.js"
import { hedged } from "./evidence.js"
import {
  alsoSlipped,
  bent,
  eachTold,
  explained,
  FURTHER,
  nearly,
  NEARBY_KEY,
  opposed,
  partly,
  slipped,
  stopped,
} from "./explaining.js"
import { miscounted } from "./miscounted.js"
import { oneMoveOff } from "./one_move.js"
import { inPart, ofShares } from "./some_right.js"
import { areMeant, notYet, related, say, turned, unknown } from "./unrecognised.js"

// Diagnoses, in the order in which they are tried
const TOLD = [unknown, miscounted, nearly, partly, bent, slipped, opposed, inPart, ofShares, related, oneMoveOff]
const PERCENT = /(^|[^\p{L}\d_])per ?cent(?![\p{L}\d_])/giu

// exercise: { right: { paper, exact }, wrong: { key: [numbers, message] }, rows, places, percent }; answer: text
// -> { verdict: "right", "short" or "wrong", message, wrong: the key of the mistake,
//      read: whether the answer could be parsed with the expected number of numbers }
export function mark(asked, answer) {
  const { right, wrong, rows = [], places = PLACES, percent, shares = 0 } = asked
  // If percent are asked for, 0.57 % may mean 0.57
  const plain = percent ? String(answer).replace(PERCENT, "$1 ").replace(/%/g, " ") : answer
  const { ways, problem } = waysOf(right.exact, shares, inOrder(plain, rows))
  if (problem) return { ...say("wrong", problem), read: false }
  for (const typed of ways) {
    if (areMeant(typed, right, places)) return say("right", "Right.")
    if (rows.length === 2 && typed.length > 2 && areMeant(swapped(typed), right, places))
      return say("right", `Right, in the other order: ${rows[0]} comes first.`)
  }
  let far // the lazily computed mistakes in earlier values
  const exercise = {
    right,
    wrong,
    rows,
    places,
    shares,
    get upstream() {
      return (far ??= asked.upstream ?? {})
    },
  }
  for (const typed of ways) {
    const made = explained(exercise, typed)
    const known = made.length ? [...made, ...alsoSlipped(exercise, typed, made)] : made
    const signs = known.every(([key]) => key.startsWith(NEARBY_KEY)) && turned(exercise, typed)
    const isFar = known.length && known.every(([key]) => !(key in wrong))
    const near = isFar ? unknown(exercise, typed, true) : null // it may be both
    const also = [signs, near?.message].filter((said) => said)
    const messages = eachTold([...also, ...known.map(([, [, message]]) => message)])
    if (known.length)
      return hedged(say("wrong", messages.slice(0, 2).join(" Or: "), known[0][0]), exercise, typed)
  }
  for (const told of [...TOLD, stopped])
    for (const typed of ways) {
      const said = told(exercise, typed)
      if (said) return hedged(said, exercise, typed)
    }
  return notYet(exercise, ways[0])
}

// The readings of an answer, with abbreviations expanded
function waysOf(right, shares, answer) {
  const wanted = right.length
  const { ways, problem } = readings(answer, wanted)
  if (problem || ways[0].length === wanted) return { ways, problem }
  const alone = digitsOf(answer, right)
  if (alone) return { ways: [...readings(alone, wanted).ways, ...ways] }
  if (shares && ways[0].length === 1 && right.every((x) => x === right[0]))
    return { ways: [right.map(() => ways[0][0]), ...ways] } // a single number for all
  const kept = keptOf(right, shares)
  if (kept.length === wanted) return { ways }
  const fuller = (readings(answer, kept.length).ways ?? []).filter((way) => way.length === kept.length)
  const filled = fuller.map((way) =>
    right.map((_, k) => (kept.includes(k) ? way[kept.indexOf(k)] : { value: 0, places: 0, figures: 0 })),
  )
  return { ways: filled.length ? filled : ways }
}

// "0011" -> "0 0 1 1" if four single digits are expected; else ""
function digitsOf(answer, right) {
  const parts = /[^\d\s,;[\](){}|]/.test(answer) ? [] : (String(answer).match(/\d+/g) ?? [])
  const digits = parts.join("")
  const areAlike = parts.every((part) => part.length === parts[0].length)
  const isMeant = areAlike && digits.length === right.length && right.length > parts.length
  return isMeant && right.every((x) => x >= 0 && x < 10 && x % 1 === 0) ? [...digits].join(" ") : ""
}

// The indices of a masked matrix without the zeros at the ends of its rows
function keptOf(right, width) {
  const end = (k) => right.findLastIndex((x, j) => x && Math.floor(j / width) === Math.floor(k / width))
  const isFirst = (k) => k % width === 0
  return right.map((_, k) => k).filter((k) => !width || isFirst(k) || k <= end(k))
}

// Marks a choice among words: { right, wrong: { word: message } }.
export function choose({ right, wrong }, word) {
  if (word === right) return say("right", "Right.")
  return word
    ? say("wrong", wrong[word] ?? "Not yet.", word)
    : { ...say("wrong", "Choose one of these."), read: false }
}

const swapped = (typed) => [...typed.slice(typed.length >> 1), ...typed.slice(0, typed.length >> 1)]

// The message for a mistake in an earlier value with this label; null for a mistake in the answer's own line.
export const furtherUp = (label, message, times = 1) => {
  if (label === null) return message
  const where = times > 1 ? ", more than once" : label && `, at ${label}`
  return `${FURTHER}${where}: ${message[0].toLowerCase()}${message.slice(1)}`
}

// Sorts labelled rows: "sat 0 1, cat: 2 3" -> the numbers of cat, then those of sat
function inOrder(answer, rows) {
  if (!rows.length) return answer
  const names = rows.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")
  const name = new RegExp(`(^|[^\\p{L}\\p{N}_])(${names})(?![\\p{L}\\p{N}_])(?:\\s*[:=])?`, "giu")
  const [before, ...parts] = String(answer).replace(name, "$1\0$2\0").split("\0")
  const named = new Map(rows.map((_, k) => [parts[2 * k]?.toLowerCase(), parts[2 * k + 1]]))
  if (before.replace(/[\s[({,;]/g, "") || named.size < rows.length || parts.length !== 2 * rows.length)
    return answer
  return rows.map((word) => named.get(word.toLowerCase())).join(" ")
}
