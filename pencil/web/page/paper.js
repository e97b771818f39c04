// On paper the reader's numbers say that they are the reader's, and where the page with them is.

import { make } from "../render/element.js"

// page: as live.js makes it
export function startPaper(page) {
  addEventListener("beforeprint", () => {
    page.binding.followAll()
    if (!page.changes.length) return
    const href = page.address()
    const note = make("p", { className: "pencil-printed" })
    const said = page.bar.bar.firstChild.textContent || "Numbers of a lab are yours."
    note.append(`${said} The page with them: `, make("a", { href, textContent: href }))
    page.door.after(note)
    addEventListener("afterprint", () => note.remove(), { once: true })
  })
}
