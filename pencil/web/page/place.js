// Remembers the last section that was read, in this browser only; the home page shows a link to it.

import { keep, kept, orNull } from "./store.js"

const KEPT = "pencil.place"
const PAGE = /^\w{1,80}$/
const LONGEST = 500
const PAUSE = 300 // milliseconds without a scroll

// Called once by the page's script.
export function startPlace(doc = document) {
  const page = /\/notebooks\/(\w+)\.html$/.exec(doc.location.pathname)?.[1]
  const title = doc.querySelector("article h1")
  if (page && title) watch(doc, page, title)
  const showAll = () => doc.querySelectorAll(".pencil-place").forEach((place) => show(doc, place))
  showAll()
  // What another tab or the page just left has stored may arrive a moment later
  doc.defaultView.addEventListener("storage", showAll)
}

function watch(doc, page, title) {
  const heads = [...doc.querySelectorAll("article section > h2")]
  const save = () => {
    const head = heads.filter((h) => h.getBoundingClientRect().top < doc.defaultView.innerHeight / 2).at(-1)
    const at = { page, title: said(title), section: head?.parentElement.id ?? "", head: head ? said(head) : "" }
    keep(KEPT, JSON.stringify(at))
  }
  let soon
  doc.addEventListener("scroll", () => {
    clearTimeout(soon)
    soon = setTimeout(save, PAUSE)
  })
}

// "You stopped in 6 · The look-across machine, at “Why are the scores divided?”."
function show(doc, place) {
  const at = readPlace(kept(KEPT))
  const chapter = at && doc.querySelector(`a.internal[href*="notebooks/${at.page}.html"]`)?.href.split("#")[0]
  if (!chapter) return place.replaceChildren()
  const link = doc.createElement("a")
  link.href = at.section ? `${chapter}#${encodeURIComponent(at.section)}` : chapter
  link.textContent = at.head ? `${at.title}, at “${at.head}”` : at.title
  const button = Object.assign(doc.createElement("button"), { type: "button", textContent: "Forget it" })
  button.addEventListener("click", () => {
    keep(KEPT, null)
    place.replaceChildren()
  })
  place.replaceChildren("You stopped in ", link, ". ", button)
}

// Parses the stored text -> { page, title, section, head }, or null if it is invalid
function readPlace(text) {
  const at = orNull(() => JSON.parse(text))
  const words = [at?.page, at?.title, at?.section, at?.head]
  const isRight = words.every((one) => typeof one === "string" && one.length <= LONGEST && isInAddress(one))
  return isRight && PAGE.test(at.page) ? at : null
}

// Half a character, as a foreign hand may store it, throws
const isInAddress = (text) => orNull(() => encodeURIComponent(text)) !== null
const said = (head) => head.textContent.replace(/\s*#\s*$/, "").trim() // without the anchor link
