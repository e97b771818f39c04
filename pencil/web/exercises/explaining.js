// Diagnoses a wrong answer: the known mistakes that give it, those of its own step first. The same as
// pencil/exercises/explaining.py.

import { means } from "./answers.js"
import { areMeant, inNumbers, isNearly, isRough, MIN_FIGURES, offIn, PARTS_KEY, say } from "./unrecognised.js"

// Prefixes of keys: nearby values, and steps of the answer's own sum (pencil/exercises/nearby.py)
export const NEARBY_KEY = "near-"
const STEP_KEY = "near-step-"
const OWN_KEY = "own-" // mistakes that a box defines itself
export const BENT_KEY = "bent_" // generic slips in a line
const HALFWAY_KEY = "bent_halfway_" // lines that were not finished
// A product left out of a sum, or a weight taken as 1
const isSlip = (key) => key.startsWith("bent_product_") || key.startsWith("bent_ones")
const LEFT_OUT_KEY = "bent_without_" // one omitted term of a line
export const FURTHER = "The slip is further up"
const CLEAR = 3 // significant digits that identify a number of a mistake in an earlier value

// All explanations of an answer, mistakes of its own step first
export function explained(exercise, typed) {
  const { right, wrong, places } = exercise
  const known = knownIn(wrong, typed, places)
  if (known.some(([key]) => !key.startsWith(NEARBY_KEY) || key.startsWith(STEP_KEY))) return known
  if (isRough(typed, right)) return known
  const far = made(travelled(exercise.upstream), typed, places).filter(([, [numbers]]) => !isByRounding(typed, numbers))
  return [...known, ...eachOnce(far)]
}

const travelled = (upstream, isBent = false) =>
  Object.fromEntries(Object.entries(upstream).filter(([key]) => key.startsWith(BENT_KEY) === isBent))

// Mistakes rounded to fewer decimals or in intermediate results; for a single number only the nearest ones
export function nearly({ wrong, upstream }, typed) {
  const areSeveral = new Set(typed.map(({ value }) => Math.abs(value)).filter((size) => size)).size > 1
  const bends = areSeveral ? [travelled(upstream, true)] : []
  for (const known of [wrong, ...(typed.length > 1 ? [travelled(upstream), ...bends] : [])])
    for (const [key, [numbers, message]] of Object.entries(known))
      if (key !== PARTS_KEY && !key.startsWith(HALFWAY_KEY) && isNearly(typed, numbers))
        return say("wrong", message, key)
  return null
}

// Mistakes in some of the numbers, or missing last steps, while the others are right
export function partly(exercise, typed) {
  const { right, wrong, places } = exercise
  if (typed.length !== right.exact.length) return null
  const off = offIn(right, typed, places)
  const isElsewhere = (k) => right.exact.some((number) => means(typed[k], number))
  // a number from elsewhere in the answer was misplaced instead
  if (off.length === typed.length || off.every(isElsewhere)) return null
  // integers agree by chance
  const isTold = off.every((k) => typed[k].value % 1 !== 0 && typed[k].figures >= MIN_FIGURES)
  const isStep = off.every((k) => Math.abs(typed[k].value) > 1)
  const isGiven = (key) => key.startsWith(`${NEARBY_KEY}given`) && off.length > 1
  const isClear = (key) =>
    key.startsWith(OWN_KEY) ||
    isGiven(key) ||
    (key.startsWith(STEP_KEY) ? isTold || isStep : isTold && !key.startsWith(NEARBY_KEY))
  const known = Object.entries(wrong).filter(
    ([key, [numbers]]) => isClear(key) && isMadeAt(off, numbers, typed, places),
  )
  const messages = eachTold(known.map(([, [, message]]) => message)).slice(0, 2)
  if (known.length) return sayInSome(off, [known[0][0], [null, messages.join(" Or: ")]])
  return isTold ? partlyFurtherUp(exercise, typed, off) : null
}

// In the answer's own line first, then before it
function partlyFurtherUp({ upstream, places }, typed, off) {
  const isFar = ([, [, message]]) => message.startsWith(FURTHER)
  const isClear = off.every((k) => typed[k].figures >= CLEAR)
  const all = [false, true].flatMap((isBent) => Object.entries(travelled(upstream, isBent)))
  const inOrder = [...all.filter((told) => !isFar(told)), ...(isClear ? all.filter(isFar) : [])]
  const known = inOrder.find(
    ([key, [numbers]]) => !key.startsWith(HALFWAY_KEY) && isMadeAt(off, numbers, typed, places),
  )
  return known ? sayInSome(off, known) : null
}

const isMadeAt = (off, numbers, typed, places) =>
  numbers.exact.length === typed.length && !offIn(numbers, typed, places).some((k) => off.includes(k))
const sayInSome = (off, [key, [, message]]) =>
  say("wrong", `${inNumbers(off)}: ${message[0].toLowerCase()}${message.slice(1)}`, key)

// A forgotten step in some of the numbers, which may be integers
export function slipped({ right, upstream, places }, typed) {
  if (typed.length !== right.exact.length) return null
  const off = offIn(right, typed, places)
  const isForgotten = (key) => isSlip(key) || key.startsWith(LEFT_OUT_KEY)
  const isMade = ([key, [numbers, message]]) =>
    isForgotten(key) && !message.startsWith(FURTHER) && isMadeAt(off, numbers, typed, places)
  const known = off.length < typed.length && Object.entries(travelled(upstream, true)).find(isMade)
  return known ? sayInSome(off, known) : null
}

// Omitted products that give the same as a known mistake
export function alsoSlipped(exercise, typed, known) {
  if (known.some(([key]) => key.startsWith(OWN_KEY) || key.startsWith(NEARBY_KEY))) return []
  const isMade = ([key, [, message]]) => isSlip(key) && !message.startsWith(FURTHER)
  return made(travelled(exercise.upstream, true), typed, exercise.places).filter(isMade).slice(0, 1)
}

// Generic slips; a single number needs two digits in its own line or if it is an integer, else three
export function bent({ right, upstream, places }, typed) {
  const [{ value, figures }] = typed
  const isGuess = typed.length > 1 && typed.every((one) => !one.value) // a row of zeros
  const isBare = typed.length === 1 && [0, 1, -1].includes(value)
  const isTold = ([key]) => !isGuess && !key.startsWith(HALFWAY_KEY) && (!isBare || (value && isSlip(key)))
  const least = right.exact[0] % 1 === 0 ? MIN_FIGURES : MIN_FIGURES + 1
  const isEnough = typed.length > 1 || figures >= least
  const isNear = ([, [, message]]) => figures === MIN_FIGURES && !message.startsWith(FURTHER)
  const isMade = (told) => isTold(told) && (isEnough || isNear(told))
  const known = made(travelled(upstream, true), typed, places).find(isMade)
  return known ? say("wrong", known[1][1], known[0]) : null
}

// Intermediate results of a line, which have no names
export function stopped({ upstream, places }, typed) {
  if (typed.length === 1 && typed[0].figures < MIN_FIGURES) return null
  const known = made(travelled(upstream, true), typed, places).find(([key]) => key.startsWith(HALFWAY_KEY))
  return known ? say("wrong", known[1][1], known[0]) : null
}

// A mistake combined with a wrong sign
export function opposed({ wrong, places }, typed) {
  const turnedRound = typed.map((one) => ({ ...one, value: -one.value }))
  const known = knownIn(wrong, turnedRound, places)
  const stepped = known.find(([key]) => !key.startsWith(NEARBY_KEY) || key.startsWith(STEP_KEY))
  const isClear = typed.length > 1 || typed[0].figures >= MIN_FIGURES
  return stepped && isClear ? say("wrong", `${stepped[1][1]} Look at the sign, too.`, stepped[0]) : null
}

// Whether a mistake gives an integer by rounding only: 1 for 0.9996
const isByRounding = (typed, { exact }) =>
  typed.some((one, k) => one.places === 0 && !means(one, exact[k]))

// [key, [numbers, message]] of the explanations to show. Nearby values are dropped if a mistake explains the answer,
// unless they are steps of the answer's own sum.
function knownIn(wrong, typed, places) {
  const known = made(wrong, typed, places)
  if (known.every(([key]) => key.startsWith(NEARBY_KEY))) return known.slice(0, 1)
  const isOwn = known.some(([key]) => key.startsWith(OWN_KEY)) // mistakes defined by the box are specific
  return known.filter(([key]) => (!isOwn && key.startsWith(STEP_KEY)) || !key.startsWith(NEARBY_KEY))
}

const made = (wrong, typed, places) =>
  Object.entries(wrong).filter(([, [numbers]]) => areMeant(typed, numbers, places))

// Drop messages that repeat an earlier one
function eachOnce(known) {
  const kinds = known.map(([key]) => key.split(".")[0])
  return known.filter((_, k) => kinds.indexOf(kinds[k]) === k)
}

// Remove duplicate messages of a box and of the catalogue, also if they share the first or last sentence
export function eachTold(messages) {
  const told = []
  for (const message of messages) if (!told.some((other) => sayTheSame(message, other))) told.push(message)
  return told
}

function sayTheSame(one, other) {
  const parts = [one, other].map((message) => message.replace(/\.$/, "").split(". "))
  const [mine, others] = parts.map(([, ...then]) => then.flatMap((part) => part.split(": ")))
  return parts[0][0] === parts[1][0] || mine.some((a) => others.some((b) => a.startsWith(b) || b.startsWith(a)))
}
