// Remembers the last section that was read, in this browser only; the home page shows a link to it.

import { orNull, parsed } from "../engine/data.js"
import { make } from "../render/element.js"
import { keep, kept } from "./store.js"

const KEPT = "pencil.place"
const PAGE = /^\w{1,80}$/
const LONGEST = 500
const PAUSE = 300 // milliseconds without a scroll

// Called once by the page's script.
export function startPlace() {
  const page = /\/notebooks\/(\w+)\.html$/.exec(location.pathname)?.[1]
  const title = document.querySelector("article h1")
  if (page && title) watch(page, title)
  const showAll = () => document.querySelectorAll(".pencil-place").forEach((place) => show(place))
  showAll()
  // What another tab or the page just left has stored may arrive a moment later, or while this page was put aside
  addEventListener("storage", showAll)
  addEventListener("pageshow", ({ persisted }) => persisted && showAll())
}

function watch(page, title) {
  const heads = [...document.querySelectorAll("article section > h2")]
  const save = () => {
    const head = heads.filter((h) => h.getBoundingClientRect().top < innerHeight / 2).at(-1)
    const at = { page, title: said(title), section: head?.parentElement.id ?? "", head: head ? said(head) : "" }
    keep(KEPT, JSON.stringify(at))
  }
  let soon
  document.addEventListener("scroll", () => {
    clearTimeout(soon)
    soon = setTimeout(save, PAUSE)
  })
}

// "You stopped in 6 · The look-across machine, at “Why are the scores divided?”."
function show(place) {
  const at = readPlace(kept(KEPT))
  const chapter = at && document.querySelector(`a.internal[href*="notebooks/${at.page}.html"]`)?.href.split("#")[0]
  if (!chapter) return place.replaceChildren()
  const href = at.section ? `${chapter}#${encodeURIComponent(at.section)}` : chapter
  const link = make("a", { href, textContent: at.head ? `${at.title}, at “${at.head}”` : at.title })
  const onclick = () => {
    keep(KEPT, null)
    place.replaceChildren()
  }
  const button = make("button", { type: "button", textContent: "Forget it", onclick })
  place.replaceChildren("You stopped in ", link, ". ", button)
}

// Parses the stored text -> { page, title, section, head }, or null if it is invalid
function readPlace(text) {
  const at = parsed(text)
  const words = [at?.page, at?.title, at?.section, at?.head]
  const isRight = words.every((one) => typeof one === "string" && one.length <= LONGEST && isInAddress(one))
  return isRight && PAGE.test(at.page) ? at : null
}

// Half a character, as a foreign hand may store it, throws
const isInAddress = (text) => orNull(() => encodeURIComponent(text)) !== null
const said = (head) => head.textContent.replace(/\s*#\s*$/, "").trim() // without the anchor link
