// The questions in which a reader slipped come back some days later: a line at the head of a page says which.

const MOST = 5 // at a time; the others come when these are done
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
    if (line.isConnected && progress.comesBack) show() // one that was solved goes at once
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

// Says where they can be had again
function stopped(doc, line) {
  const link = doc.createElement("a")
  const page = doc.querySelector('a.internal[href*="how_to_use"]')?.href.split("#")[0]
  if (page) link.href = `${page}#what-you-have-solved`
  link.textContent = "How to use this book"
  line.replaceChildren("They do not come back any more. The switch that brings them back is in ", link, ".")
  line.tabIndex = -1
  line.focus() // the button that had the keyboard is gone
}

function itemOf(doc, link) {
  const item = doc.createElement("li")
  item.append(link)
  return item
}

// "06:match" -> a link to its box: on this page, or by the table of contents on another
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
