// What is copied from a page can be pasted into Python: a plain minus, plain spaces and * for a product, in text/plain
// alone.

import { make } from "../render/element.js"

const PLAIN = [
  [/−/g, "-"],
  [/\u00a0/g, " "],
  [/([\d)\]])·(?=[\d([-])/g, "$1*"],
]

// Called once by the page's script.
export function startCopy() {
  document.addEventListener("copy", (event) => {
    const selection = getSelection()
    const said = String(selection)
    const plain = PLAIN.reduce((text, [sign, typed]) => text.replace(sign, typed), said)
    if (plain === said || event.target.matches?.("input, textarea")) return
    const box = make("div")
    box.append(selection.getRangeAt(0).cloneContents())
    event.clipboardData.setData("text/plain", plain)
    event.clipboardData.setData("text/html", box.innerHTML)
    event.preventDefault()
  })
}
