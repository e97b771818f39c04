// Reading what a reader wrote: lenient about form, strict about value. The same as pencil/kata/answers.py.

const PLACES = 3 // a number that was rounded needs at least so many decimals
const FACTOR = "(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[-+]?\\d{1,3})?"
const ROOTED = `(?:${FACTOR}|(?:${FACTOR})?√${FACTOR})`
const NUMBER = new RegExp(`^[-+−]?(${ROOTED})(?:/(${ROOTED}))?(%?)$`, "i")

// "2, 1/3" -> { typed: [{ value, places }] }; places is null for what was not cut. What cannot be read -> { problem }, a sentence.
// `count` is how many are wanted: it decides what the comma of 0,269 is.
export function read(answer, count) {
  const bare = String(answer).trim().slice(0, 2000).replace(/[[\](){}|]/g, " ").trim()
  if (!bare.replace(/[\s,;]+/g, "")) return { problem: "There is nothing here yet. Type a number, such as 0.5 or −2." }
  if (count === 1 && /^[-+−]?\d+,\d+$/.test(bare)) {
    const thousands = /^[-+−]?[1-9]\d{0,2},\d{3}$/.test(bare) ? ` For thousands leave it out: ${bare.replace(",", "")}.` : ""
    return { problem: `A comma separates two numbers; the decimal mark is a point: ${bare.replace(",", ".")}.${thousands}` }
  }
  const closed = bare.replace(/\s*([/√%])\s*/g, (_, sign) => (sign === "%" ? "% " : sign)).replace(/([-+−])\s+(?=[\d.√])/g, "$1")
  const ways = [closed, closed.replace(/(\d),(?=\d)/g, "$1.")].map((text) => text.split(/[\s,;]+/).filter(Boolean).map(readOne))
  const typed = ways.find((way) => way.length === count && !way.some(isUnreadable)) ?? ways[0]
  return typed.find(isUnreadable) ?? { typed }
}

const isUnreadable = ({ problem }) => problem

function readOne(part) {
  const match = NUMBER.exec(part)
  if (!match) return { problem: `“${part.slice(0, 20)}” is no number; type one, such as 0.5, −2, 1/3 or √2.` }
  const [, above, below, percent] = match, under = below === undefined ? 1 : factor(below)
  if (under === 0) return { problem: "Nothing can be divided by 0; type another number below the line." }
  const value = ((/^[-−]/.test(part) ? -1 : 1) * factor(above)) / under, plain = below === undefined && !part.includes("√")
  return { value: percent ? value / 100 : value, places: plain ? placesOf(above) + (percent ? 2 : 0) : null }
}

function factor(text) { // "3√2" -> 3 · √2
  const [before, after] = text.split("√")
  return after === undefined ? Number(before) : Number(before || 1) * Math.sqrt(Number(after))
}

function placesOf(text) {
  const [mantissa, power] = text.toLowerCase().split("e")
  return Math.max(0, (mantissa.split(".")[1] ?? "").length - Number(power ?? 0))
}

// Is this the number? To its own last decimal, of which there are three at least unless the number needs no more.
// Where the number was cut to three decimals, 1/3.718 or 0.26896 means 0.269 too.
export function means({ value, places }, number) {
  const off = Math.abs(value - number), scale = Math.max(1, Math.abs(number))
  const wasCut = number % 1 !== 0 && number === Number(number.toFixed(PLACES))
  if (off <= 1e-9 * scale || (wasCut && (places === null || places > PLACES) && off <= half(PLACES))) return true
  return places === null ? off <= 1e-6 * scale : places >= PLACES && goesThatFar({ value, places }, number)
}

// Is it the number, as far as it was written?
export function goesThatFar({ value, places }, number) { return places !== null && Math.abs(value - number) <= half(places) }

function half(places) { return 0.5 * 10 ** -places * (1 + 1e-9) } // of the last decimal's unit, and a hair for what a float leaves
