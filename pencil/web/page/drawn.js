// What follows a run's numbers in a drawing, and in the prose: marks and written numbers. Each has the run of its
// Worked, write(worked), which returns its new contents, and functions to show them and to restore the original. If it
// has stands(written), it is bound only if that returns true for the original numbers.

import { show } from "../engine/rounding.js"
import { thousands } from "../render/fragments.js"
import { glide } from "./motion.js"

const FRACTIONS = { "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4 }
const NUMBER = /−?(?:[½⅓⅔¼¾]|(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)/g
const ROOM = 7 // characters of a number in a drawing; of a typed 1/3 it shows 0.333
export const squeezed = (text) => text.replace(/\s+/g, " ").trim()

// The candidates for an element of a drawing; of those with stands(), the first match is used. `find` resolves a
// reference.
export const drawn = (element, find) => (element.dataset.paint ? painted : number)(element, find)

// The attributes of a drawing's mark that follow numbers, such as thickness, length or direction
function painted(element, find) {
  return readPaint(element.dataset.paint).map(({ attribute, references, paint }) => {
    const found = references.map(find) // a drawing has one run
    const original = element.getAttribute(attribute)
    const put = (value) => glide(element, attribute, value)
    const write = (worked) => paint(...found.map(({ reference }) => worked.find(reference).exact))
    return { run: found[0].run, write, put, restore: () => put(original) }
  })
}

// A value in the prose, in the first of the possible ways of writing it that gives the present text
function number(element, find) {
  const whose = find(element.dataset.value)
  if (!whose) return []
  const { run, reference } = whose
  const sample = squeezed(element.textContent)
  const original = [...element.childNodes]
  const tracks = element.dataset.track ? [element.dataset.track] : ["paper", "exact"]
  const isDrawn = element.closest("svg")
  const fill = (...parts) => {
    element.replaceChildren(...parts)
    fit(element.closest("[data-room]"))
  }
  const way = {
    element,
    run,
    put: (text) => fill(text.replaceAll("NaN", "no number")), // 0 / 0, in a format
    restore: () => fill(...original),
    stands: (text) => text === sample,
  }
  return tracks.flatMap((track) => forms(reference, sample, track, isDrawn).map((write) => ({ ...way, track, write })))
}

// Smaller type for what is longer than its box, see book/_ext/pencil_book/rooms.py
function fit(held) {
  if (!held) return
  const [room, size] = held.dataset.room.split(" ")
  held.setAttribute("font-size", size * Math.min(1, room / held.textContent.length))
}

function forms(reference, sample, track, isDrawn) {
  // after a change there may be no second sum, or none: then the number itself
  const sums = [0, 1].map((k) => (worked) => worked.sums(reference)[k] ?? worked.row(reference))
  const numbers = (worked) => worked.find(reference).on(track)
  let before // the first numbers are those of the page as it was written
  return [
    (worked) => {
      const text = worked.row(reference)
      return isDrawn && text.length > ROOM ? show(numbers(worked)) : text
    },
    ...(sample.includes("=") ? sums : []),
    (worked) => {
      const now = numbers(worked)
      const values = now.length ? now : [now]
      return like(sample, values, (before ??= [...values]))
    },
  ]
}

// "x2 200 60 -3 3 king.stick[0];y2 180 -60 -2 2 king.stick[1]", as pencil/drawings/canvas.py writes it; a mate follows
// after "&": "x 200 60 -3 3 king.stick[0] & -2 2 king.stick[1]"
function readPaint(text) {
  return text.split(";").map((one) => {
    const [own, other] = one.split(" & ")
    const [attribute, offset, factor, ...rest] = own.split(" ")
    const [held, mate] = [readHeld(rest.join(" ")), other && readHeld(other)]
    const paint = (x, y = 0) => {
      const kept = mate
        ? x * Math.min(share(x, held), share(y, mate))
        : Math.min(Math.max(x, held.low), held.high)
      return String(Math.round(100 * (Number(offset) + Number(factor) * kept)) / 100)
    }
    return { attribute, references: [held, mate].filter(Boolean).map(({ reference }) => reference), paint }
  })
}

function readHeld(text) {
  const [low, high, ...words] = text.split(" ")
  return { low: Number(low), high: Number(high), reference: words.join(" ") }
}

// The factor that scales a number into [low, high]
const share = (x, { low, high }) => (x > high ? high / x : x < low ? low / x : 1)

// Whether so many decimals write x without rounding
const fits = (x, places) => !((x * 10 ** places).toFixed(2) % 1)

// A value written like a sample: as many decimals, and in percent if the sample is. What these decimals wrote without
// rounding, and write no longer, has the usual ones.
function like(sample, values, before) {
  const found = sample.match(NUMBER) ?? []
  if (found.length !== values.length) return null
  const scale = sample.endsWith("%") ? 100 : 1
  let i = 0
  return sample.replace(NUMBER, (digits) => {
    if (digits in FRACTIONS)
      return Math.abs(values[i] - FRACTIONS[digits]) < 1e-3 ? (i++, digits) : show(values[i++])
    const places = digits.split(".")[1]?.length ?? 0
    const keeps = scale > 1 || !fits(before[i], places) || fits(values[i], places)
    const written = show(values[i++] * scale, keeps ? { places, figures: null, whole: !places } : {})
    return digits.includes(",") ? thousands(written) : written
  })
}
