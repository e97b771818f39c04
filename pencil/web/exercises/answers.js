// Parses answers: lenient about form, strict about value.

import {
  SPELLINGS,
  closed,
  improper,
  isMixed,
  joined,
  plainSigns,
  readOne,
  respelled,
  unbracketed,
} from "../engine/typed.js"

const LONGEST = 2000 // maximum length of an answer
const SINGLE = 6 // decimals that single precision vouches for
const DIGITS = "zero one two three four five six seven eight nine"
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
const WORDS = `${DIGITS} ${TEENS}`.split(" ")
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
const word = (spelt, plain) => [
  new RegExp(`(^|[^\\p{L}\\d_])(?:${spelt})(?![\\p{L}\\d_])`, "giu"),
  (_, before, ...found) => before + plain(...found),
]
const FRACTIONS = [
  ["1/2", "(?:(?:a|one) )?half"],
  ["1/3", "(?:a|one) third"],
  ["2/3", "two thirds"],
  ["1/4", "(?:a|one) quarter"],
  ["3/4", "three quarters"],
]
// Spellings that are normalized
export const CUSTOMS = [
  [/^(\s*[-+−]?0),(?=\d{3,}\s*$)/, "$1."], // 0,953 alone
  ...FRACTIONS.map(([plain, written]) => word(written, () => plain)),
  word("nought", () => "0"),
  word(`(${TENS.join("|")})(?:[- ](${WORDS.slice(1, 10).join("|")}))?|(${WORDS.join("|")})`, worded),
  ...SPELLINGS,
  word("e(?!\\s*[:^=√\\d.−-])", () => Math.E),
  [/(\d)\s*million(?![\p{L}\d_])/giu, "$1e6"],
  word("minus", () => "−"),
  [/(?:^|[\s,;]+|([^\p{L}\d_]))because(?![\p{L}\d_]).*/isu, "$1"],
  word("and", () => " "),
  [/&/g, " "],
  [/\s+each(?: one| of them)?(?=\s*\.?$)/i, ""],
  [/([1-9]|\d0)\s*x\s*(?=[\d.(])/gi, "$1·"], // 0x62 is no product
  [/([\da-z])\s*\.\s*$/i, "$1"],
]
const RESULT = /^\s*([^\s;,]+(?:,\d+)?(?:\s*%)?)/
const FUNCTION = "ln|log|exp|tanh|sin|cos|pi" // and π: what makes a number a sum
const NO_WORD = `(?!(?:${FUNCTION}|inf|ee+)(?![a-zA-Z]))`
// Not those that say another number: 800 kB, 7 kbit, 8 kilobytes. A question asks for GiB, so 8 GiB is 8; the book asks
// for no other. Most words are units, as in 24 dials.
const BYTES = "(?!gib)[kmgtp](?:i|ilo|ega|iga|era|ibi|ebi)?b(?:its?|ytes?|ps)?(?![a-z])"
const UNIT = new RegExp(`([\\d%])\\s*(?:(?:an?\\s+)?${NO_WORD}(?!${BYTES})[a-z]{2}[a-z\\s]*|[x×])$`, "i")
// Single letters without x and e, which have a meaning in numbers
const LETTER = "[a-wyzA-WYZ](?=\\s*:)|[a-df-wyzA-DF-WYZ](?=\\s)"
const WORD = `${NO_WORD}(?:[a-zA-Z]{2,}(?![a-zA-Z])|${LETTER})`
const NAME = new RegExp(
  `(^|[^\\p{L}\\d_.])(?:${WORD}\\s*)+:?\\s*(?=[-+−√\\d.])`,
  "gu",
) // cat 1
const SUM_SIGN = `[\\d\\s.,+\\-−*·×^()√%/]|e(?![a-z])|${FUNCTION}`
const SUM = new RegExp(
  `^(?:${SUM_SIGN})*(?:[\\d)]\\s*[*·×^+]|${FUNCTION}|e\\s*\\^)(?:${SUM_SIGN})*$`,
  "i",
)
const DIFFERENCE = /^[\d.]+\s*[-−]\s*[\d.]+$/ // if a single number is expected
const STILL_A_SUM = { kind: "still_a_sum" }
const ORDER = /^\d+(?:[-–]\d+){2,}$/ // 1-3-2
const THOUSANDS = /(^|[^\d.])([1-9]\d{0,2}(?:(?:,\d{3})+|(?:[ _\u00a0\u202f'’]\d{3})+|(?:\.\d{3})+))(?!\d)/g

// The possible readings of an answer: { ways: [[{ value, places, figures }]] }; places is null for exact values such as
// fractions. A comma may separate numbers, decimals or thousands. Only readings with the expected number of numbers are
// returned, or the simplest if there is none. Unreadable answers -> { problem }, a diagnosis. A list of numbers, as
// Python has it, has one reading.
export function readings(answer, wanted) {
  if (Array.isArray(answer)) return { ways: [answer.map(computed)] }
  const result = resultsOf(plainSigns(String(answer).slice(0, LONGEST)).split(/[=≈~]/), wanted)
  const written = respelled(result, CUSTOMS).trim()
  const numbers = unbracketed(written).trim()
  if (!numbers.replace(/[\s,;]+/g, "")) return { problem: { kind: "nothing" } }
  const named = numbers.replace(UNIT, "$1").replace(NAME, "$1")
  const inOrder = wanted > 2 && ORDER.test(named.trim()) ? named.replace(/[-–]/g, " ") : named
  const isOne = wanted === 1 && isMixed(named.trim())
  const together = isOne ? improper(named.trim()) : inOrder
  const bare = wanted === 1 ? joined(together) : together
  const whole = bare.replace(THOUSANDS, (_, before, grouped) => before + grouped.replace(/\D/g, ""))
  const isGrid = written.split("[").length > 2 // in [[5,5],[5,5]], commas separate numbers
  const tight = isGrid ? closed(bare) : closed(bare).replace(/(\d),(?=\d)/g, "$1.")
  // 1, 0 / 3, 2 may be two rows, and 1 / 3 2 / 3 no four numbers
  const texts = [closed(bare), tight, closed(whole), closed(improper(bare)), bare.replace(/ \/ (?=[^/]*\d,? \S)/g, " ")]
  const ways = [...new Set(texts)].map((text) =>
    text
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(typed),
  )
  // 7.254/7.524 is still to be divided; 1/3, √2/2 and the 1/1.018 of a sigmoid are numbers
  if (/\.\d+\/\d*\./.test(texts[+(wanted === 1)])) return { problem: STILL_A_SUM }
  const fit = ways.filter((way) => way.length === wanted && !way.some(isUnreadable))
  if (fit.length) return { ways: fit }
  if (wanted === 1 && DIFFERENCE.test(bare)) return { problem: STILL_A_SUM }
  const { problem } = ways[0].find(isUnreadable) ?? {}
  if (!problem) return { ways: [ways[0]] }
  if (SUM.test(written)) return { problem: STILL_A_SUM }
  const [letters] = (/\d/.test(texts[0]) && /(?:(?:^|[\s,;])\p{L}|\p{L}{2})\p{L}*(?![^\s,;])/u.exec(texts[0])) || []
  if (!letters) return { problem: asTyped(problem, ways[0], answer) }
  return { problem: { kind: "letters", letters: letters.replace(/^[\s,;]/, "").slice(0, 20), wanted } }
}

// The result of a whole worked line, or each of several: w1 = 0.269, w2 = 0.731
function resultsOf(sides, wanted) {
  const single = sides.slice(1).map((side) => side.match(RESULT))
  const isEach = wanted > 1 && single.length === wanted && single.every((found) => found)
  if (!isEach || !/^[\s\])}.]*$/.test(sides.at(-1).slice(single.at(-1)[0].length))) return sides.at(-1)
  return single.map(([, one]) => one).join(" ")
}

// "twenty", "four" -> "24"
function worded(ten, one, alone) {
  const at = (words, one) => words.indexOf(one.toLowerCase())
  return String(alone ? at(WORDS, alone) : 10 * (at(TENS, ten) + 2) + (one ? at(WORDS, one) : 0))
}

const isUnreadable = ({ problem }) => problem

// What is said of "½½" shows it as it was typed
const asTyped = (problem, { length }, answer) =>
  length === 1 && problem.part ? { ...problem, part: answer.trim() } : problem

// A number that came as one: a short one was cut, others are what a float had, perhaps in single precision
function computed(value) {
  const text = String(value)
  const places = placesOf(text)
  return { value, places: value % 1 === 0 || places > SINGLE ? null : places, figures: figuresOf(text) }
}

function typed(part) {
  const { value, above, percent, isExact, problem } = readOne(part)
  if (problem) return { problem }
  return { value, places: isExact ? null : placesOf(above) + (percent ? 2 : 0), figures: figuresOf(above) }
}

// "0.050" -> 2
const figuresOf = (text) => text.toLowerCase().split("e")[0].replace(/\D/g, "").replace(/^0+/, "").length

function placesOf(text) {
  const [mantissa, power] = text.toLowerCase().split("e")
  return Math.max(0, (mantissa.split(".")[1] ?? "").length - Number(power ?? 0))
}
