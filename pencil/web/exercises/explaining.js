// Diagnoses a wrong answer by the known mistakes that give it, those of its own step first. Each finds
// { kind: "mistakes", mistakes, off, ... } or null.

import { areMeant, CLEAR, isMadeAt, isNearly, isRough, means, MIN_FIGURES, negated, offIn } from "./comparing.js"
import { turned, unknown } from "./unrecognised.js"

const SLIPS = ["slip", "product", "left_out", "unfinished"] // generic ones, which no catalogue names
// A value of the run, rather than a mistake; the step before the answer is nearly one
const isBeside = ({ kind }) => ["value", "given", "beside"].includes(kind)
const isElsewhere = ({ kind }) => ["given", "beside"].includes(kind)
const isSlip = ({ kind }) => SLIPS.includes(kind)
const isFinished = ({ kind }) => kind !== "unfinished"
const isNear = ({ distance }) => !distance

const travelled = ({ far }) => far.filter((mistake) => !isSlip(mistake))
const slips = ({ far }) => far.filter(isSlip)
const madeIn = (mistakes, typed, places) => mistakes.filter((mistake) => areMeant(typed, mistake, places))
const found = (mistakes, more = {}) => ({ kind: "mistakes", mistakes, ...more })

// Known mistakes that give these very numbers, and what else the numbers may be
export function explained(exercise, typed) {
  const made = explanations(exercise, typed)
  if (!made.length) return null
  const mistakes = [...made, ...alsoForgotten(exercise, typed, made)]
  const sign = mistakes.every(isBeside) && turned(exercise, typed)
  const near = mistakes.every((mistake) => !exercise.mistakes.includes(mistake)) && unknown(exercise, typed, true)
  return found(mistakes, { also: [sign, near].filter(Boolean) })
}

function explanations(exercise, typed) {
  const known = knownIn(exercise, typed)
  if (known.some((mistake) => !isElsewhere(mistake)) || isRough(typed, exercise.right)) return known
  const far = madeIn(travelled(exercise), typed, exercise.places).filter((mistake) => !isByRounding(typed, mistake))
  return [...known, ...far.filter(({ key }, k) => far.findIndex((other) => other.key === key) === k)]
}

// Nearby values are dropped if a mistake explains the answer, unless they are steps of the answer's own sum
function knownIn({ mistakes, places }, typed) {
  const known = madeIn(mistakes, typed, places)
  if (known.every(isBeside)) return known.slice(0, 1)
  const isOwn = known.some(({ kind }) => kind === "own") // mistakes defined by the box are specific
  return known.filter((mistake) => (!isOwn && mistake.kind === "value") || !isBeside(mistake))
}

// Omitted products that give the same as a known mistake
function alsoForgotten(exercise, typed, known) {
  if (known.some((mistake) => mistake.kind === "own" || isBeside(mistake))) return []
  const near = slips(exercise).filter((mistake) => mistake.kind === "product" && isNear(mistake))
  return madeIn(near, typed, exercise.places).slice(0, 1)
}

// Mistakes rounded to fewer decimals or in intermediate results; for a single number only the nearest ones
export function nearly(exercise, typed) {
  const areSeveral = new Set(typed.map(({ value }) => Math.abs(value)).filter((size) => size)).size > 1
  const far = typed.length > 1 ? [...travelled(exercise), ...(areSeveral ? slips(exercise) : [])] : []
  const mistake = [...exercise.mistakes, ...far].find((one) => isFinished(one) && isNearly(typed, one))
  return mistake ? found([mistake]) : null
}

// Mistakes in some of the numbers, or missing last steps, while the others are right
export function partly(exercise, typed) {
  const { right, mistakes, places } = exercise
  if (typed.length !== right.exact.length) return null
  const off = offIn(right, typed, places)
  const isMisplaced = (k) => right.exact.some((number) => means(typed[k], number))
  // a number from elsewhere in the answer was misplaced instead
  if (off.length === typed.length || off.every(isMisplaced)) return null
  // integers agree by chance
  const isTold = off.every((k) => typed[k].value % 1 !== 0 && typed[k].figures >= MIN_FIGURES)
  const isStep = off.every((k) => Math.abs(typed[k].value) > 1)
  const isClear = ({ kind }) =>
    ({ own: true, given: off.length > 1, value: isTold || isStep, beside: false })[kind] ?? isTold
  const known = mistakes.filter((mistake) => isClear(mistake) && isMadeAt(off, mistake, typed, places))
  if (known.length) return found(known, { off })
  return isTold ? partlyFurtherUp(exercise, typed, off) : null
}

// In the answer's own line first, then before it
function partlyFurtherUp(exercise, typed, off) {
  const all = [...travelled(exercise), ...slips(exercise)]
  const isClear = off.every((k) => typed[k].figures >= CLEAR)
  const inOrder = [...all.filter(isNear), ...(isClear ? all.filter((mistake) => !isNear(mistake)) : [])]
  const mistake = inOrder.find((one) => isFinished(one) && isMadeAt(off, one, typed, exercise.places))
  return mistake ? found([mistake], { off }) : null
}

// A forgotten step in some of the numbers, which may be integers
export function slipped(exercise, typed) {
  const { right, places } = exercise
  if (typed.length !== right.exact.length) return null
  const off = offIn(right, typed, places)
  const isForgotten = (mistake) => ["product", "left_out"].includes(mistake.kind) && isNear(mistake)
  const isMade = (mistake) => isForgotten(mistake) && isMadeAt(off, mistake, typed, places)
  const mistake = off.length < typed.length && slips(exercise).find(isMade)
  return mistake ? found([mistake], { off }) : null
}

// Generic slips; a single number needs two digits in its own line or if it is an integer, else three
export function bent(exercise, typed) {
  const [{ value, figures }] = typed
  const isGuess = typed.length > 1 && typed.every((one) => !one.value) // a row of zeros
  const isBare = typed.length === 1 && [0, 1, -1].includes(value)
  const isTold = (mistake) => !isGuess && isFinished(mistake) && (!isBare || (value && mistake.kind === "product"))
  const least = exercise.right.exact[0] % 1 === 0 ? MIN_FIGURES : MIN_FIGURES + 1
  const isEnough = typed.length > 1 || figures >= least
  const isShort = (mistake) => figures === MIN_FIGURES && isNear(mistake)
  const isMade = (mistake) => isTold(mistake) && (isEnough || isShort(mistake))
  const mistake = madeIn(slips(exercise), typed, exercise.places).find(isMade)
  return mistake ? found([mistake]) : null
}

// Intermediate results of a line, which have no names
export function stopped(exercise, typed) {
  if (typed.length === 1 && typed[0].figures < MIN_FIGURES) return null
  const mistake = madeIn(slips(exercise), typed, exercise.places).find((one) => !isFinished(one))
  return mistake ? found([mistake]) : null
}

// A mistake combined with a wrong sign
export function opposed(exercise, typed) {
  const mistake = knownIn(exercise, negated(typed)).find((one) => !isElsewhere(one))
  const isClear = typed.length > 1 || typed[0].figures >= MIN_FIGURES
  return mistake && isClear ? found([mistake], { isNegated: true }) : null
}

// Whether a mistake gives an integer by rounding only: 1 for 0.9996
const isByRounding = (typed, { exact }) => typed.some((one, k) => one.places === 0 && !means(one, exact[k]))

// The keys of all mistakes of an answer's own step that give these numbers, and "right" if they are the right ones
export function meanings({ right, mistakes, places }, typed) {
  const known = mistakes.filter((mistake) => !isBeside(mistake) && areMeant(typed, mistake, places))
  return [...(areMeant(typed, right, places) ? ["right"] : []), ...known.map(({ key }) => key)]
}
