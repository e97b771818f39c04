// Grades an answer as right, short (too few digits) or wrong, with a diagnosis. What it decides on are numbers and the
// fields of known mistakes; what is said to a reader is in sentences.js alone.
//
// A mistake is { key, kind, step, distance, certainty, message, paper, exact }:
//   kind        own (the box's), catalogue, value (the step before the answer), given, beside (any other value of the
//               run), product (one that was forgotten), left_out (a part), unfinished (a line), slip (any other)
//   step        what the page calls the place in which it is made; "" where it has no word for it
//   distance    how many named steps before the answer: 0 in its own line
//   certainty   guess (the message tells what the reader did) or fact (what the number is)
// An exercise is { right: { paper, exact, also }, mistakes, far, rows, places, percent, shares }: `mistakes` of its own
// step, `far` those further up and the slips, worked out when they are needed.

import { PLACES } from "../engine/rounding.js"
import { readings } from "./answers.js"
import { areMeant, isMeant } from "./comparing.js"
import { isThin } from "./certainty.js"
import { closedForm } from "./closed_form.js"
import { bent, explained, nearly, opposed, partly, slipped, stopped } from "./explaining.js"
import { miscounted } from "./miscounted.js"
import { oneMoveOff } from "./one_move.js"
import { sentence } from "./sentences.js"
import { inPart, ofShares } from "./some_right.js"
import { notYet, related, unknown } from "./unrecognised.js"

// Diagnoses, in the order in which they are tried
const DIAGNOSES = [
  explained,
  unknown,
  miscounted,
  nearly,
  partly,
  bent,
  slipped,
  opposed,
  inPart,
  ofShares,
  related,
  oneMoveOff,
  stopped,
]
const PER_CENT = /(^|[^\p{L}\d_])per ?cent(?![\p{L}\d_])/giu

// exercise; answer: text, or a list of numbers
// -> { verdict: "right", "short" or "wrong", message, kind: of the diagnosis, wrong: the key of the mistake or "",
//      read: whether the answer could be parsed with the expected number of numbers, typed: its numbers }
export function grade(asked, answer) {
  const exercise = completed(asked)
  const { ways, problem } = waysOf(exercise, answer)
  const found = problem ? unreadable(exercise, answer, problem) : diagnosed(exercise, ways)
  const { verdict = "wrong", read = true, mistakes: [first] = [], typed } = found
  const wrong = first?.key ?? found.wrong ?? ""
  return { verdict, message: sentence(found), kind: found.kind, wrong, read, typed: typed ?? ways?.[0] ?? [] }
}

// With all options; without mistakes that come out right, which a reader's own numbers may do
function completed(asked) {
  const { right, mistakes, rows = [], places = PLACES, percent, shares = 0, follows } = asked
  let far
  const isWrong = ({ paper, exact }) =>
    exact.length !== right.exact.length || exact.some((x, k) => x !== right.exact[k] || paper[k] !== right.paper[k])
  return {
    ...{ right, rows, places, percent, shares, follows },
    mistakes: mistakes.filter(isWrong),
    get far() {
      return (far ??= asked.far.filter(isWrong)) // worked out once, where it is needed
    },
  }
}

function diagnosed(exercise, ways) {
  const { right, rows, places } = exercise
  for (const typed of ways) {
    if (areMeant(typed, right, places)) return { verdict: "right", kind: "right", typed }
    if (rows.length === 2 && typed.length > 2 && areMeant(swapped(typed), right, places))
      return { verdict: "right", kind: "other_order", first: rows[0], typed: swapped(typed) }
  }
  const found = followed(exercise, ways)
  if (found) return found
  for (const diagnose of DIAGNOSES)
    for (const typed of ways) {
      const found = diagnose(exercise, typed)
      if (found) return { ...found, perhaps: isThin(found, exercise, typed), typed }
    }
  return notYet(exercise, ways[0])
}

// What follows from an earlier answer of the reader's own that was wrong: { numbers, step } in `follows`
function followed({ follows, places }, ways) {
  const typed = follows && ways.find((way) => areMeant(way, follows.numbers, places))
  return typed && { kind: "follows", wrong: "follows", step: follows.step, typed }
}

// A closed form such as ln 2 or 1/(1+0.018) may be right; any other sum is still to be worked out
function unreadable({ right, places }, answer, problem) {
  const value = problem.kind === "still_a_sum" && right.exact.length === 1 ? closedForm(answer) : NaN
  const one = { value, places: null, figures: PLACES }
  const isRight = Number.isFinite(value) && isMeant(one, right, 0, places)
  return isRight ? { verdict: "right", kind: "right", typed: [one] } : { ...problem, read: false }
}

// The readings of an answer, with abbreviations expanded
function waysOf({ right: { exact: right }, rows, percent, shares = 0 }, answer) {
  const wanted = right.length
  if (Array.isArray(answer)) return readings(answer, wanted)
  // If percent are asked for, 0.57 % may mean 0.57
  const plain = percent ? String(answer).replace(PER_CENT, "$1 ").replace(/[%٪％]/g, " ") : answer
  const text = inOrder(plain, rows)
  const { ways, problem } = readings(text, wanted)
  if (problem || ways[0].length === wanted) return { ways, problem }
  const alone = digitsOf(text, right)
  if (alone) return { ways: [...readings(alone, wanted).ways, ...ways] }
  if (shares && ways[0].length === 1 && right.every((x) => x === right[0]))
    return { ways: [right.map(() => ways[0][0]), ...ways] } // a single number for all
  const kept = keptOf(right, shares)
  if (kept.length === wanted) return { ways }
  const fuller = (readings(text, kept.length).ways ?? []).filter((way) => way.length === kept.length)
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
  const isKept = (k) => right.some((x, j) => x && j >= k && Math.floor(j / width) === Math.floor(k / width))
  return right.map((_, k) => k).filter((k) => !width || k % width === 0 || isKept(k))
}

// Grades a choice among words: { choices, right, wrong: { word: message } }. A part of a word is enough, if no other
// choice has it.
export function choose({ choices, right, wrong }, answer) {
  const word = chosen(choices, String(answer ?? ""))
  const isRight = word === right
  const isChosen = word !== undefined
  const kind = isRight ? "right" : isChosen ? "not_yet" : "choose"
  const message = wrong[word] ?? sentence({ kind, wanted: 1, choices: answer ? choices : [] })
  const verdict = isRight ? "right" : "wrong"
  return { verdict, message, kind, wrong: isRight || !isChosen ? "" : word, read: isChosen }
}

// A verdict that holds for the book's own numbers alone, on a page where the reader has changed some
export const ofTheBook = ({ message, ...verdict }) => ({
  ...verdict,
  message: sentence({ kind: "of_the_book", message }),
})

// "lo+w" -> "lo + w", "bag" -> "a bag"
function chosen(choices, answer) {
  if (choices.includes(answer)) return answer
  const bare = (text) => (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(" ")
  const typed = bare(answer)
  const same = choices.filter((word) => bare(word) === typed)
  const having = choices.filter((word) => typed && ` ${bare(word)} `.includes(` ${typed} `))
  const [found, other] = same.length ? same : having
  return other === undefined ? found : undefined
}

const swapped = (typed) => [...typed.slice(typed.length >> 1), ...typed.slice(0, typed.length >> 1)]

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
