// The kinds of elements that follow a run's numbers. Each has the run and track of its Worked, write(worked), which
// returns its new contents, and functions to show them and to restore the original. If it has stands(written), it is
// bound only if that returns true for the original numbers.

import { show } from "../engine/rounding.js"
import { paragraphs, thousands } from "../render/fragments.js"
import { level } from "../render/pictures.js"

const FRACTIONS = { "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4 }
const NUMBER = /−?(?:[½⅓⅔¼¾]|(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)/g
const ROOM = 7 // characters of a number in a drawing; of a typed 1/3 it shows 0.333
const squeezed = (text) => text.replace(/\s+/g, " ").trim()

// The candidates for an element; of those with stands(), the first match is used. `find` resolves a reference; claim:
// the function of claims.js, on a page with prose
export function boundTo(element, find, claim) {
  if (element.dataset.paint) return painted(element, find)
  if (element.dataset.when) return claim(element, find)
  if (element.matches(".pencil-worked")) return element.dataset.show ? [lines(element)] : still(element, find)
  return element.matches(".pencil-picture") ? picture(element) : number(element, find)
}

// Lines are plain text at first; their numbers become elements on demand.
function lines(element) {
  const { show: references, run = "", track, whole, by } = element.dataset
  const stood = squeezed(element.textContent)
  let stand = []
  let isOpen = false
  const write = (worked) => {
    const all = references.split(" ").flatMap((reference) => worked.html(reference, by))
    return all.join("\n")
  }
  const form = (written) => (isOpen ? written : closed(written)).split("\n")
  const stands = (written) => {
    stand = form(written)
    return squeezed(textOf(closed(written))) === stood // otherwise it is not bound
  }
  const put = (written) => {
    const now = form(written)
    if (stand.length !== now.length) element.innerHTML = paragraphs(now)
    else now.forEach((line, k) => line === stand[k] || renew(element.children[k], stand[k], line))
    stand = now
  }
  const open = (written) => {
    if (isOpen) return
    isOpen = true
    stand = form(written)
    element.innerHTML = paragraphs(stand)
  }
  return { element, run, track, whole: whole !== "no", write, put, stands, open }
}

// Lines that the page cannot write, such as those in fractions. They are marked if one of their numbers changes.
function still(element, find) {
  const found = [...element.querySelectorAll("[data-value]")].map(({ dataset }) => find(dataset.value)).filter(Boolean)
  if (!found.length) return []
  const mark = (isChanged) => element.toggleAttribute("data-still", isChanged)
  const write = (worked) => found.map(({ reference }) => worked.find(reference).exact).join()
  const { run } = found[0] // all of one run
  return [{ run, write, put: () => mark(true), restore: () => mark(false) }]
}

const SPAN = /<span class="pencil-number"( data-track="\w+")?[^>]*>([^<]*)<\/span>/g

// Without the spans of numbers, as `closed` in book/_ext/pencil_book/numbers.py
const closed = (html) => html.replace(SPAN, (_, differs, digits) => (differs ? `<u>${digits}</u>` : digits))
const SIGNS = { "&nbsp;": " ", "&lt;": "<", "&gt;": ">", "&amp;": "&" }
const textOf = (html) => html.replace(/<\/?u>/g, "").replace(/&\w+;/g, (sign) => SIGNS[sign])

// Update a line; if it has the same numbers as before, only changed digits are replaced.
function renew(paragraph, was, now) {
  const [old, parts] = [was.split("</span>"), now.split("</span>")]
  const same = old.length === parts.length && parts.every((part, k) => frame(part) === frame(old[k]))
  if (!same || parts.length === 1) paragraph.innerHTML = now
  else
    parts.forEach((part, k) => {
      if (part !== old[k]) paragraph.children[k].firstChild.data = part.slice(frame(part).length)
    })
}

const frame = (part) => part.slice(0, part.lastIndexOf(">") + 1) || part // everything but the digits

// The shades and lengths of a picture; its digits are ordinary numbers
function picture(element) {
  const { show: reference, run = "" } = element.dataset
  const table = element.querySelector("table")
  const isShare = table.className === "pencil-bars"
  return [...table.querySelectorAll("[style*='--v']")].map((cell, place) => {
    const original = cell.getAttribute("style")
    const put = (style) => cell.setAttribute("style", style)
    const write = (worked) => {
      const numbers = worked.find(reference).exact
      return `--v:${level(numbers[place], numbers, isShare)}`
    }
    return { run, write, put, restore: () => put(original) }
  })
}

// The attributes of a drawing's mark that follow numbers, such as thickness, length or direction
function painted(element, find) {
  return readPaint(element.dataset.paint).map(({ attribute, references, paint }) => {
    const found = references.map(find) // a drawing has one run
    const original = element.getAttribute(attribute)
    const put = (value) => element.setAttribute(attribute, value)
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
  const original = element.innerHTML
  const tracks = element.dataset.track ? [element.dataset.track] : ["paper", "exact"]
  const put = (text) => {
    element.textContent = text
  }
  const restore = () => {
    element.innerHTML = original
  }
  const stands = (text) => text === sample
  const isDrawn = element.closest("svg")
  return tracks.flatMap((track) =>
    forms(reference, sample, track, isDrawn).map((write) => ({ element, run, track, write, put, restore, stands })),
  )
}

function forms(reference, sample, track, isDrawn) {
  const sums = [0, 1].map((k) => (worked) => worked.sums(reference)[k])
  const numbers = (worked) => worked.find(reference).on(track)
  let wereWhole // the first numbers are those of the page as it was written
  return [
    (worked) => {
      const text = worked.row(reference)
      return isDrawn && text.length > ROOM ? show(numbers(worked)) : text
    },
    ...(sample.includes("=") ? sums : []),
    (worked) => {
      const now = numbers(worked)
      const values = now.length ? now : [now]
      return like(sample, values, (wereWhole ??= values.map(isWhole)))
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

const isWhole = (x) => !(x.toFixed(2) % 1)

// A value written like a sample: as many decimals, and in percent if the sample is. What was whole and no longer is
// has the usual decimals.
function like(sample, values, wereWhole) {
  const found = sample.match(NUMBER) ?? []
  if (found.length !== values.length) return null
  const scale = sample.endsWith("%") ? 100 : 1
  let i = 0
  return sample.replace(NUMBER, (digits) => {
    if (digits in FRACTIONS)
      return Math.abs(values[i] - FRACTIONS[digits]) < 1e-3 ? (i++, digits) : show(values[i++])
    const places = digits.split(".")[1]?.length ?? 0
    const keeps = places || !wereWhole[i] || isWhole(values[i])
    const written = show(values[i++] * scale, keeps ? { places, figures: null, whole: !places } : {})
    return digits.includes(",") ? thousands(written) : written
  })
}
