// On paper the reader's numbers say that they are the reader's, and where the page with them is; or the book's are
// printed, as the bar has it.

import { make } from "../render/element.js"

// page: as live.js makes it
export function startPaper(page) {
  addEventListener("beforeprint", () => {
    const yours = page.changes
    const isBooks = page.bar.bar.querySelector("select").selectedIndex
    if (yours.length && isBooks) page.restore([])
    page.binding.followAll()
    if (!yours.length) return
    const after = isBooks ? () => page.restore(yours) : sign(page)
    addEventListener("afterprint", after, { once: true })
  })
}

// -> what takes the note away again
function sign(page) {
  const href = page.address()
  const note = make("p", { className: "pencil-printed" })
  const said = page.bar.bar.firstChild.textContent || "Numbers of a lab are yours."
  note.append(`${said} The page with them: `, make("a", { href, textContent: href }))
  page.door.after(note)
  return () => note.remove()
}
