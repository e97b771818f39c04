// Spaced repetition: a line at the top of a page lists questions to repeat.

import { make } from "../render/element.js"

const MOST = 5 // questions at a time
const HEAD = "You slipped in these not long ago. Try again today: "

// Called once by the page's script, for a page with questions. own: its chapter, "06"
export function showDue(progress, own) {
  const title = document.querySelector("article h1")
  if (!title) return
  const line = make("aside", { className: "pencil-review" })
  const show = () => {
    const links = progress
      .due()
      .map((name) => linkTo(name, own, progress.asks(name)))
      .filter(Boolean)
    if (!links.length) return line.remove()
    const list = make("ul")
    list.append(...links.slice(0, MOST).map(itemOf))
    line.replaceChildren(HEAD, list, stopButton(progress, () => stopped(line)))
    if (!line.isConnected) title.after(line)
  }
  show()
  progress.onChange(() => {
    if (line.isConnected && progress.comesBack) show() // update the list
  })
}

function stopButton(progress, then) {
  const onclick = () => {
    progress.comesBack = false
    then()
  }
  return make("button", { type: "button", textContent: "Do not bring them back", onclick })
}

// Says where repetition can be switched on again
function stopped(line) {
  const link = make("a", { textContent: "How to use this book" })
  const page = document.querySelector('a.internal[href*="how_to_use"]')?.href.split("#")[0]
  if (page) link.href = `${page}#what-you-have-solved`
  line.replaceChildren("They do not come back any more. The switch that brings them back is in ", link, ".")
  line.tabIndex = -1
  line.focus() // the focused button has been removed
}

function itemOf(link) {
  const item = make("li")
  item.append(link)
  return item
}

// "06:score" -> a link to its box, on this page, or on another by the table of contents
function linkTo(name, own, asks) {
  const [chapter, key] = name.split(":")
  const page = chapter === own ? "" : document.querySelector(`a.internal[href*="${chapter}_"]`)?.href.split("#")[0]
  const id = `your-turn-${key}`
  if (page === undefined || (!page && !document.getElementById(id))) return null
  const textContent = (asks || key.replaceAll("-", " ")) + (page ? ` (chapter ${chapter})` : "")
  return make("a", { href: `${page}#${id}`, textContent })
}
