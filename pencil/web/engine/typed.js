// The tokens of numbers as people write them: 2.5, −2.5, 1/3, ½, 1½, √2, sqrt(2), 3√2/4, 95 %, 2.85e-1, in the digits
// of any script. What separates numbers is for exercises/answers.js, which takes what it can, and for page/reading.js,
// which refuses what is doubtful.

const FACTOR = "(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[-+]?\\d{1,3})?"
const ROOTED = `(?:${FACTOR}|(?:${FACTOR})?√${FACTOR})`
const NUMBER = new RegExp(`^[-+−]?(${ROOTED})(?:/(${ROOTED}))?(%?)$`, "i")

const MINUSES = /[−–‐‑‒－﹣⁻]/g
// Digits of any script follow a zero, which is the first or the seventh of sixteen characters; bold and wide ones
// are normalized
const DIGIT = /\p{Nd}/gu
const digit = (typed) => {
  const sign = typed.normalize("NFKC")
  const code = sign.codePointAt(0)
  const row = code & ~15
  return code < 128 ? sign : String(code - row - (/\p{Nd}/u.test(String.fromCodePoint(row)) ? 0 : 6))
}

// Plain digits, minus signs, marks and brackets: "（−２٫５）" -> " -2,5 "
export const plainSigns = (text) =>
  text
    .replace(MINUSES, "-")
    .replace(DIGIT, digit)
    .replace(/[٫،，٬、]/g, ",")
    .replace(/．/g, ".")
    .replace(/[٪％]/g, "%")
    .replace(/(?:\w+\.)?(?:(?:float|int)\d+|array|tensor)(?=\()/g, "") // as NumPy and PyTorch show their numbers
    .replace(/,\s*(?:dtype|grad_fn|device|requires_grad)=[^,)]*/g, "")

export const unbracketed = (text) => text.replace(/[[\](){}|（）]/g, " ")

// Spellings that are normalized
export const SPELLINGS = [
  [/(^|[^\d./])(\d+)½/g, (_, before, whole) => `${before}${2 * Number(whole) + 1}/2`],
  ...["½ 1/2", "⅓ 1/3", "⅔ 2/3", "¼ 1/4", "¾ 3/4"]
    .map((pair) => pair.split(" "))
    .map(([sign, plain]) => [new RegExp(`(\\d?)${sign}`, "g"), (all, digit) => (digit ? all : plain)]),
  [/sqrt\s*\(?\s*([\d.]+)\s*\)?/gi, "√$1"],
  [/(^|[^\p{L}\d_])per ?cent(?![\p{L}\d_])/giu, "$1%"],
]

export const respelled = (text, spellings = SPELLINGS) =>
  spellings.reduce((now, [spelling, plain]) => now.replace(spelling, plain), text)

// Mixed fractions such as 1 1/2
const MIXED = "(\\d+)\\s+(\\d+)/(\\d+)"
const ALONE = new RegExp(`^[-+−]?${MIXED}$`)
const ANYWHERE = new RegExp(`(^|[^\\d./])${MIXED}(?![\\d.])`, "g")

export const isMixed = (text) => ALONE.test(text)

// "−1 1/2" -> "−3/2", if the fraction is proper
export const improper = (text) =>
  text.replace(ANYWHERE, (mixed, before, whole, above, below) =>
    Number(above) < Number(below) ? `${before}${Number(whole) * Number(below) + Number(above)}/${below}` : mixed,
  )

// Remove the space in 3 √2, where one number is expected
export const joined = (text) => text.replace(/\s+√/g, "√")

// Remove spaces in 1 / 3, √ 2 and - 1
export const closed = (text) =>
  text
    .replace(/\s*([/%])\s*|(√)\s+/g, (_, sign, root) => root ?? (sign === "%" ? "% " : sign))
    .replace(/([-+−])\s+(?=[\d.√])/g, "$1")

export const PROBLEMS = {
  no_number: ({ part }) => `“${part.slice(0, 20)}” is no number; type one, such as 0.5, −2, 1/3 or √2.`,
  divided_by_zero: () => "Nothing can be divided by 0; type another number below the line.",
}

// -> { value, above, percent, isExact }, with the digits above the line; isExact: a fraction or a root. Anything else
// -> { problem }, a kind of PROBLEMS with what its sentence needs.
export function readOne(part) {
  const match = NUMBER.exec(part)
  if (!match) return { problem: { kind: "no_number", part } }
  const [, above, below, percent] = match
  const under = below === undefined ? 1 : factor(below)
  if (under === 0) return { problem: { kind: "divided_by_zero" } }
  const value = ((/^[-−]/.test(part) ? -1 : 1) * factor(above)) / under
  return { value: percent ? value / 100 : value, above, percent, isExact: /[/√]/.test(part) }
}

// "3√2" -> 3 · √2
function factor(text) {
  const [before, after] = text.split("√")
  return after === undefined ? Number(before) : Number(before || 1) * Math.sqrt(Number(after))
}
