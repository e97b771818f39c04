// Marking: right, cut short, or wrong, and then what the reader seems to have done.
// The same as pencil/exercises/marking.py.

import { PLACES } from "../engine/rounding.js"
import { means, readings } from "./answers.js"
import {
  areMeant,
  inNumbers,
  isNearly,
  isRough,
  MIN_FIGURES,
  notYet,
  offIn,
  PARTS_KEY,
  related,
  say,
  turned,
  unknown,
} from "./unknown.js"

// The keys of values nearby begin so, and those of a step of the answer's own sum so (pencil/exercises/nearby.py)
const [NEARBY_KEY, STEP_KEY] = ["near-", "near-step-"]
const OWN_KEY = "own-" // and those of the mistakes that a box names itself
const BENT_KEY = "bent_" // of steps that no catalogue knows
const HALFWAY_KEY = "bent_halfway_" // those of a line that was broken off
const isSlip = (key) => key.startsWith("bent_product_") || key.startsWith("bent_ones") // a product, a dial forgotten
const FURTHER = "The slip is further up"
const PERCENT = /%|(?<![\p{L}\d_])per ?cent(?![\p{L}\d_])/giu

// exercise: { right: { paper, exact }, wrong: { key: [numbers, message] }, rows, places, percent }; answer: text
// -> { verdict: "right", "short" or "wrong", message, wrong: the key of the mistake that was made,
//      read: whether the answer could be read, as so many numbers }
export function mark(asked, answer) {
  const { right, wrong, rows = [], places = PLACES, percent, shares = 0 } = asked
  // 0.57 % of what is asked in per cent is 0.57
  const plain = percent ? String(answer).replace(PERCENT, " ") : answer
  const { ways, problem } = waysOf(right.exact, shares, inOrder(plain, rows))
  if (problem) return { ...say("wrong", problem), read: false }
  for (const typed of ways) {
    if (areMeant(typed, right, places)) return say("right", "Right.")
    if (rows.length === 2 && typed.length > 2 && areMeant(swapped(typed), right, places))
      return say("right", `Right, in the other order: ${rows[0]} comes first.`)
  }
  let far // worked out where nothing else explains an answer
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
    const messages = eachTold([...(signs ? [signs] : []), ...known.map(([, [, message]]) => message)])
    if (known.length) return say("wrong", messages.slice(0, 2).join(" Or: "), known[0][0])
  }
  for (const told of [unknown, nearly, partly, bent, slipped, opposed, related, stopped])
    for (const typed of ways) {
      const said = told(exercise, typed)
      if (said) return said
    }
  return notYet(exercise, ways[0])
}

// What an answer may mean, all of it written out
function waysOf(right, shares, answer) {
  const wanted = right.length
  const { ways, problem } = readings(answer, wanted)
  if (problem || ways[0].length === wanted) return { ways, problem }
  const alone = digitsOf(answer, right)
  if (alone) return { ways: [...readings(alone, wanted).ways, ...ways] }
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

// What is known of an answer, the mistakes of its own step first
function explained(exercise, typed) {
  const { right, wrong, places } = exercise
  const known = knownIn(wrong, typed, places)
  if (known.some(([key]) => !key.startsWith(NEARBY_KEY) || key.startsWith(STEP_KEY))) return known
  if (isRough(typed, right)) return known
  const far = made(travelled(exercise.upstream), typed, places).filter(([, [numbers]]) => !isByRounding(typed, numbers))
  return [...known, ...eachOnce(far)]
}

const swapped = (typed) => [...typed.slice(typed.length >> 1), ...typed.slice(0, typed.length >> 1)]

const travelled = (upstream, isBent = false) =>
  Object.fromEntries(Object.entries(upstream).filter(([key]) => key.startsWith(BENT_KEY) === isBent))

// A mistake that was cut to fewer decimals, or rounded on the way; by one number alone only the nearest are told
function nearly({ wrong, upstream }, typed) {
  for (const known of [wrong, ...(typed.length > 1 ? [travelled(upstream)] : [])])
    for (const [key, [numbers, message]] of Object.entries(known))
      if (key !== PARTS_KEY && isNearly(typed, numbers)) return say("wrong", message, key)
  return null
}

// A mistake that was made in some of the numbers, or a step that they still lack, the others being right
function partly({ right, wrong, places }, typed) {
  if (typed.length !== right.exact.length) return null
  const off = offIn(right, typed, places)
  // what stands elsewhere in the answer was put there, too
  if (off.length === typed.length || off.some((k) => right.exact.some((number) => means(typed[k], number)))) return null
  // a whole number agrees by chance
  const isTold = off.every((k) => typed[k].value % 1 !== 0 && typed[k].figures >= MIN_FIGURES)
  const isStep = off.every((k) => Math.abs(typed[k].value) > 1)
  const isClear = (key) =>
    key.startsWith(STEP_KEY) ? isTold || isStep : isTold && !key.startsWith(NEARBY_KEY)
  const isMade = ([key, [numbers]]) =>
    isClear(key) &&
    numbers.exact.length === typed.length &&
    !offIn(numbers, typed, places).some((k) => off.includes(k))
  const known = Object.entries(wrong).find(isMade)
  if (!known) return null
  const [key, [, message]] = known
  return say("wrong", `${inNumbers(off)}: ${message[0].toLowerCase()}${message.slice(1)}`, key)
}

// One step of a line was forgotten in some of the numbers, which may be whole ones
function slipped({ right, upstream, places }, typed) {
  if (typed.length !== right.exact.length) return null
  const off = offIn(right, typed, places)
  const isMade = ([key, [numbers, message]]) =>
    isSlip(key) && !message.startsWith(FURTHER) && !offIn(numbers, typed, places).some((k) => off.includes(k))
  const known = off.length < typed.length && Object.entries(travelled(upstream, true)).find(isMade)
  if (!known) return null
  const [key, [, message]] = known
  return say("wrong", `${inNumbers(off)}: ${message[0].toLowerCase()}${message.slice(1)}`, key)
}

// A product left out may come to the same as what the catalogue knows
function alsoSlipped(exercise, typed, known) {
  if (known.some(([key]) => key.startsWith(OWN_KEY) || key.startsWith(NEARBY_KEY))) return []
  const isMade = ([key, [, message]]) => isSlip(key) && !message.startsWith(FURTHER)
  return made(travelled(exercise.upstream, true), typed, exercise.places).filter(isMade).slice(0, 1)
}

// A step that no catalogue knows; by one number alone with two figures in its own line, and three further up
function bent({ right, upstream, places }, typed) {
  const [{ value, figures }] = typed
  const isGuess = typed.length > 1 && typed.every((one) => !one.value) // a row of zeros
  const isBare = typed.length === 1 && [0, 1, -1].includes(value)
  const isTold = ([key]) => !isGuess && !key.startsWith(HALFWAY_KEY) && (!isBare || (value && isSlip(key)))
  const isEnough = typed.length > 1 || right.exact[0] % 1 === 0 || figures > MIN_FIGURES
  const isNear = ([, [, message]]) => figures === MIN_FIGURES && !message.startsWith(FURTHER)
  const isMade = (told) => isTold(told) && (isEnough || isNear(told))
  const known = made(travelled(upstream, true), typed, places).find(isMade)
  return known ? say("wrong", known[1][1], known[0]) : null
}

// Inside a line, where no value has a name
function stopped({ upstream, places }, typed) {
  if (typed.length === 1 && typed[0].figures < MIN_FIGURES) return null
  const known = made(travelled(upstream, true), typed, places).find(([key]) => key.startsWith(HALFWAY_KEY))
  return known ? say("wrong", known[1][1], known[0]) : null
}

// A mistake, and the sign on top of it
function opposed({ wrong, places }, typed) {
  const turnedRound = typed.map((one) => ({ ...one, value: -one.value }))
  const known = knownIn(wrong, turnedRound, places)
  const stepped = known.find(([key]) => !key.startsWith(NEARBY_KEY) || key.startsWith(STEP_KEY))
  const isClear = typed.length > 1 || typed[0].figures >= MIN_FIGURES
  return stepped && isClear ? say("wrong", `${stepped[1][1]} Look at the sign, too.`, stepped[0]) : null
}

// A whole number that a mistake comes to by rounding alone: 1 for 0.9996
const isByRounding = (typed, { exact }) =>
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

// A box and the catalogue may begin alike, You took tanh., or advise alike
function eachTold(messages) {
  const told = []
  for (const message of messages) if (!told.some((other) => sayTheSame(message, other))) told.push(message)
  return told
}

function sayTheSame(one, other) {
  const parts = [one, other].map((message) => message.replace(/\.$/, "").split(". "))
  const [mine, others] = parts.map(([, ...then]) => then.flatMap((part) => part.split(": ")))
  return parts[0][0] === parts[1][0] || mine.some((a) => others.some((b) => a.startsWith(b) || b.startsWith(a)))
}

// What to say of a mistake in a value before the one that is asked for, by the label of that value.
// Of one in its own line, whose label is null, nothing but what it is.
export const furtherUp = (label, message, times = 1) => {
  if (label === null) return message
  const where = times > 1 ? ", more than once" : label && `, at ${label}`
  return `${FURTHER}${where}: ${message[0].toLowerCase()}${message.slice(1)}`
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
