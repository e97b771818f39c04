// The kinds of elements of a page that follow a run's numbers: those of drawn.js, claims, worked lines and pictures.

import { asHtml, fill, textOf } from "../render/element.js"
import { paragraphs } from "../render/fragments.js"
import { level } from "../render/pictures.js"
import { claim } from "./claims.js"
import { drawn, squeezed } from "./drawn.js"

// As `drawn`
export function boundTo(element, find) {
  if (element.dataset.when) return claim(element, find)
  if (element.matches(".pencil-worked")) return element.dataset.show ? [lines(element)] : still(element, find)
  return (element.matches(".pencil-picture") ? picture : drawn)(element, find)
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
    return squeezed(textOf(asHtml(closed(written)))) === stood // otherwise it is not bound
  }
  const put = (written) => {
    const now = form(written)
    if (stand.length !== now.length) fill(element, paragraphs(now.map(asHtml)))
    else now.forEach((line, k) => line === stand[k] || renew(element.children[k], stand[k], line))
    stand = now
  }
  const open = (written) => {
    if (isOpen) return
    isOpen = true
    stand = form(written)
    fill(element, paragraphs(stand.map(asHtml)))
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
const closed = (line) => line.replace(SPAN, (_, differs, digits) => (differs ? `<u>${digits}</u>` : digits))

// Update a line; if it has the same numbers as before, only changed digits are replaced. What is no number may stand in
// elements of others, such as a browser's translator.
function renew(paragraph, was, now) {
  const [old, parts] = [was.split("</span>"), now.split("</span>")]
  const numbers = paragraph.getElementsByClassName("pencil-number")
  const counts = [old.length, numbers.length + 1]
  const same = counts.every((n) => n === parts.length) && parts.every((part, k) => frame(part) === frame(old[k]))
  if (!same || parts.length === 1) fill(paragraph, asHtml(now))
  else
    parts.forEach((part, k) => {
      if (part !== old[k]) numbers[k].textContent = part.slice(frame(part).length)
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
