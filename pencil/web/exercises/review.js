// Spaced repetition: a line at the top of a page lists questions to repeat.

const MOST = 5 // questions at a time
const HEAD = "You slipped in these not long ago. Try again today: "

// Called once by the page's script, for a page with questions. own: its chapter, "06"
export function showDue(doc, progress, own) {
  const title = doc.querySelector("article h1")
  if (!title) return
  const line = doc.createElement("aside")
  line.className = "pencil-review"
  const show = () => {
    const links = progress
      .due()
      .map((name) => linkTo(doc, name, own, progress.asks(name)))
      .filter(Boolean)
    if (!links.length) return line.remove()
    const list = doc.createElement("ul")
    list.append(...links.slice(0, MOST).map((link) => itemOf(doc, link)))
    line.replaceChildren(HEAD, list, stopButton(doc, progress, () => stopped(doc, line)))
    if (!line.isConnected) title.after(line)
  }
  show()
  progress.onChange(() => {
    if (line.isConnected && progress.comesBack) show() // update the list
  })
}

function stopButton(doc, progress, then) {
  const button = doc.createElement("button")
  Object.assign(button, { type: "button", textContent: "Do not bring them back" })
  button.addEventListener("click", () => {
    progress.comesBack = false
    then()
  })
  return button
}

// Says where repetition can be switched on again
function stopped(doc, line) {
  const link = doc.createElement("a")
  const page = doc.querySelector('a.internal[href*="how_to_use"]')?.href.split("#")[0]
  if (page) link.href = `${page}#what-you-have-solved`
  link.textContent = "How to use this book"
  line.replaceChildren("They do not come back any more. The switch that brings them back is in ", link, ".")
  line.tabIndex = -1
  line.focus() // the focused button has been removed
}

function itemOf(doc, link) {
  const item = doc.createElement("li")
  item.append(link)
  return item
}

// "06:match" -> a link to its box, on this page, or on another by the table of contents
function linkTo(doc, name, own, asks) {
  const [chapter, key] = name.split(":")
  const page = chapter === own ? "" : doc.querySelector(`a.internal[href*="${chapter}_"]`)?.href.split("#")[0]
  const id = `your-turn-${key}`
  if (page === undefined || (!page && !doc.getElementById(id))) return null
  const link = doc.createElement("a")
  link.href = `${page}#${id}`
  link.textContent = (asks || key.replaceAll("-", " ")) + (page ? ` (chapter ${chapter})` : "")
  return link
}
