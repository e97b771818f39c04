// Parses answers: lenient about form, strict about value. The same as pencil/exercises/answers.py.

import { PLACES, placesWritten } from "../engine/rounding.js"

const FACTOR = "(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[-+]?\\d{1,3})?"
const ROOTED = `(?:${FACTOR}|(?:${FACTOR})?√${FACTOR})`
const NUMBER = new RegExp(`^[-+−]?(${ROOTED})(?:/(${ROOTED}))?(%?)$`, "i")
const LONGEST = 2000 // maximum length of an answer
const DIGITS = "zero one two three four five six seven eight nine"
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
const WORDS = `${DIGITS} ${TEENS}`.split(" ")
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
const word = (spelt) => new RegExp(`(?<![\\p{L}\\d_])(?:${spelt})(?![\\p{L}\\d_])`, "giu")
const FRACTIONS = [
  ["1/2", "(?:(?:a|one) )?half"],
  ["1/3", "(?:a|one) third"],
  ["2/3", "two thirds"],
  ["1/4", "(?:a|one) quarter"],
  ["3/4", "three quarters"],
]
// Spellings that are normalized
const CUSTOMS = [
  [/^(\s*[-+−]?0),(?=\d{3,}\s*$)/, "$1."], // 0,953 alone
  ...FRACTIONS.map(([plain, written]) => [word(written), plain]),
  [word("nought"), "0"],
  [word(`(${TENS.join("|")})(?:[- ](${WORDS.slice(1, 10).join("|")}))?|(${WORDS.join("|")})`), worded],
  [/(?<![\d./])(\d+)½/g, (_, whole) => `${2 * Number(whole) + 1}/2`],
  ...["½ 1/2", "⅓ 1/3", "⅔ 2/3", "¼ 1/4", "¾ 3/4"]
    .map((pair) => pair.split(" "))
    .map(([sign, plain]) => [new RegExp(`(?<!\\d)${sign}`, "g"), plain]),
  [/sqrt\s*\(?\s*([\d.]+)\s*\)?/gi, "√$1"],
  [word("e(?!\\s*[:^=√\\d.−-])"), Math.E],
  [/(?<![\p{L}\d_])per ?cent(?![\p{L}\d_])/giu, "%"],
  [/(?<=\d)\s*million(?![\p{L}\d_])/giu, "e6"],
  [/(?<![\p{L}\d_])minus(?![\p{L}\d_])/giu, "−"],
  [/[\s,;]*(?<![\p{L}\d_])because(?![\p{L}\d_]).*/isu, ""],
  [/(?<![\p{L}\d_])and(?![\p{L}\d_])|&/giu, " "],
  [/\s+each(?: one| of them)?(?=\s*\.?$)/i, ""],
  [/(?<=\d)\s*x\s*(?=[\d.(])/gi, "·"],
  [/(?<=[\da-z])\s*\.\s*$/i, ""],
]
const RESULT = /^\s*([^\s;,]+(?:,\d+)?(?:\s*%)?)/
const UNIT = /(?<=[\d%])(?:\s+(?:an?\s+)?[a-zA-Z]{2}[a-zA-Z\s]*|\s*[x×])$/ // 24 dials
const FUNCTION = "ln|log|exp|tanh|sin|cos"
// Single letters without x and e, which have a meaning in numbers
const LETTER = "[a-wyzA-WYZ](?=\\s*:)|[a-df-wyzA-DF-WYZ](?=\\s)"
const WORD = `(?!(?:${FUNCTION}|inf)(?![a-zA-Z]))(?:[a-zA-Z]{2,}(?![a-zA-Z])|${LETTER})`
const NAME = new RegExp(
  `(?<![\\p{L}\\d_.])(?:${WORD}\\s*)+:?\\s*(?=[-+−√\\d.])`,
  "gu",
) // cat 1
const SUM_SIGN = `[\\d\\s.,+\\-−*·×^()√%/]|e(?![a-z])|${FUNCTION}`
const SUM = new RegExp(
  `^(?:${SUM_SIGN})*(?:[\\d)]\\s*[*·×^+]|${FUNCTION}|e\\s*\\^)(?:${SUM_SIGN})*$`,
  "i",
)
const DIFFERENCE = /^[\d.]+\s*[-−]\s*[\d.]+$/ // if a single number is expected
const STILL_A_SUM = "This is still a sum. Work it out, and type what comes out."
const ORDER = /^\d+(?:[-–]\d+){2,}$/ // 1-3-2
const MIXED = /([-+−]?)(?<![\d./])(\d+)\s+(\d+)\/(\d+)(?![\d.])/g // mixed fractions such as 1 1/2
const THOUSANDS = /(?<![\d.])[1-9]\d{0,2}(?:(?:,\d{3})+|(?:[ \u00a0\u202f'’]\d{3})+|(?:\.\d{3})+)(?!\d)/g

// The possible readings of an answer: { ways: [[{ value, places, figures }]] }; places is null for exact values such as
// fractions. A comma may separate numbers, decimals or thousands. Only readings with the expected number of numbers are
// returned, or the simplest if there is none. Unreadable answers -> { problem }, an error message.
export function readings(answer, wanted) {
  const result = resultsOf(String(answer).slice(0, LONGEST).split(/[=≈~]/), wanted)
  const written = CUSTOMS.reduce((text, [custom, plain]) => text.replace(custom, plain), result).trim()
  const numbers = written.replace(/[[\](){}|]/g, " ").trim()
  if (!numbers.replace(/[\s,;]+/g, ""))
    return { problem: "There is nothing here yet. Type a number, such as 0.5 or −2." }
  const named = numbers.replace(UNIT, "").replace(NAME, "")
  const inOrder = wanted > 2 && ORDER.test(named.trim()) ? named.replace(/[-–]/g, " ") : named
  const isMixed = wanted === 1 && named.trim().match(MIXED)?.[0] === named.trim()
  const bare = isMixed ? named.trim().replace(MIXED, improper) : inOrder
  const whole = bare.replace(THOUSANDS, (grouped) => grouped.replace(/\D/g, ""))
  const isGrid = written.split("[").length > 2 // in [[5,5],[5,5]], commas separate numbers
  const tight = isGrid ? closed(bare) : closed(bare).replace(/(\d),(?=\d)/g, "$1.")
  const texts = [closed(bare), tight, closed(whole), closed(bare.replace(MIXED, improper))]
  const ways = [...new Set(texts)].map((text) =>
    text
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(readOne),
  )
  const fit = ways.filter((way) => way.length === wanted && !way.some(isUnreadable))
  if (fit.length) return { ways: fit }
  if (wanted === 1 && DIFFERENCE.test(bare)) return { problem: STILL_A_SUM }
  const problem = ways[0].find(isUnreadable)
  if (!problem) return { ways: [ways[0]] }
  if (SUM.test(written)) return { problem: STILL_A_SUM }
  const parts = texts[0].split(/[\s,;]+/)
  const letters = /\d/.test(texts[0]) && parts.find((part) => /^\p{L}+$/u.test(part))
  if (!letters) return problem
  return { problem: `Type the number${wanted === 1 ? "" : "s"} alone, without “${letters.slice(0, 20)}”.` }
}

// The result of a whole worked line, or each of several: w1 = 0.269, w2 = 0.731
function resultsOf(sides, wanted) {
  const single = sides.slice(1).map((side) => side.match(RESULT))
  const isEach = wanted > 1 && single.length === wanted && single.every((found) => found)
  if (!isEach || !/^[\s\])}.]*$/.test(sides.at(-1).slice(single.at(-1)[0].length))) return sides.at(-1)
  return single.map(([, one]) => one).join(" ")
}

// "twenty", "four" -> "24"
function worded(_, ten, one, alone) {
  const at = (words, one) => words.indexOf(one.toLowerCase())
  return String(alone ? at(WORDS, alone) : 10 * (at(TENS, ten) + 2) + (one ? at(WORDS, one) : 0))
}

// "−1 1/2" -> "−3/2", if the fraction is proper
const improper = (mixed, sign, whole, above, below) =>
  Number(above) < Number(below) ? `${sign}${Number(whole) * Number(below) + Number(above)}/${below}` : mixed

// Remove spaces in 1 / 3 and - 1
const closed = (text) =>
  text
    .replace(/\s*([/√%])\s*/g, (_, sign) => (sign === "%" ? "% " : sign))
    .replace(/([-+−])\s+(?=[\d.√])/g, "$1")
const isUnreadable = ({ problem }) => problem

function readOne(part) {
  const match = NUMBER.exec(part)
  if (!match) return { problem: `“${part.slice(0, 20)}” is no number; type one, such as 0.5, −2, 1/3 or √2.` }
  const [, above, below, percent] = match
  const under = below === undefined ? 1 : factor(below)
  if (under === 0) return { problem: "Nothing can be divided by 0; type another number below the line." }
  const value = ((/^[-−]/.test(part) ? -1 : 1) * factor(above)) / under
  const plain = below === undefined && !part.includes("√")
  return {
    value: percent ? value / 100 : value,
    places: plain ? placesOf(above) + (percent ? 2 : 0) : null,
    figures: figuresOf(above),
  }
}

// "3√2" -> 3 · √2
function factor(text) {
  const [before, after] = text.split("√")
  return after === undefined ? Number(before) : Number(before || 1) * Math.sqrt(Number(after))
}

// "0.050" -> 2
const figuresOf = (text) => text.toLowerCase().split("e")[0].replace(/\D/g, "").replace(/^0+/, "").length

function placesOf(text) {
  const [mantissa, power] = text.toLowerCase().split("e")
  return Math.max(0, (mantissa.split(".")[1] ?? "").length - Number(power ?? 0))
}

// Whether a typed number is right: to its last decimal, with at least `enough` decimals unless fewer are exact. If the
// number was rounded to three decimals or four digits, 1/3.718 or 0.26896 is right for 0.269 too. Infinity is never
// right.
export function means({ value, places, figures }, number, enough = PLACES) {
  if (!Number.isFinite(number)) return false
  const off = Math.abs(value - number)
  const scale = Math.max(1, Math.abs(number))
  const written = placesWritten(number)
  const wasCut = number % 1 !== 0 && number === Number(number.toFixed(PLACES))
  if (off <= 1e-9 * scale || (wasCut && (places === null || places > written) && off <= half(written)))
    return true
  // 2.75 for 2.750: trailing zeros may be left out
  if (figures > 1 && places > 0 && places < written && off <= half(written)) return true
  if (places === null) return off <= 1e-6 * scale
  return places >= Math.min(enough, written) && rounds({ value, places }, number)
}

// Whether it is the number rounded or truncated to fewer decimals, but not to a bare whole number
export const cuts = (typed, number) =>
  Boolean(typed.places && (typed.value % 1 || (typed.figures > 2 && Math.abs(typed.value) > 1))) &&
  (rounds(typed, number) || cutsOff(typed, number))

// Whether it is the number, rounded to as many decimals as were typed
export const rounds = ({ value, places }, number) =>
  places !== null && Math.abs(value - number) <= half(places)

// Whether it is truncated: 0.90 for 0.905
function cutsOff({ value, places, figures }, number) {
  const left = Math.abs(number) - Math.abs(value)
  const isShorter = number % 1 && figures > 1 && places < placesWritten(number)
  return Boolean(isShorter) && value * number > 0 && left >= 0 && left < 10 ** -places * (1 - 1e-6) // 0.29 is no 0.3
}

// Half a unit of the last decimal, plus a tolerance for float noise
function half(places) {
  return 0.5 * 10 ** -places * (1 + 1e-9)
}
