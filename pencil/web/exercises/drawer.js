// A panel that shows the progress, and clears, exports or imports it.

import { fill, html, make } from "../render/element.js"
import { LONGEST } from "./progress.js"

const INSIDE = html`<p class="count" role="status"></p>
<p><button type="button" data-do="save">Save as a file</button>
<label class="bring">Bring back a file <input type="file" accept="application/json,.json"></label>
<button type="button" data-do="clear">Clear</button></p>
<p><label><input type="checkbox" data-do="back">
A question in which I slipped comes back after one day, three and nine</label></p>
<p class="says" role="status"></p>`

const KEPT_NOWHERE = " This browser keeps nothing for a page opened so; save a file before you leave."

export class Drawer {
  #place
  #progress
  #sure = false

  constructor(place, progress) {
    this.#place = place
    this.#progress = progress
    fill(place, INSIDE)
    place.querySelector("[data-do=save]").onclick = () => this.#saveFile()
    place.querySelector("[data-do=clear]").onclick = () => this.#clear()
    place.querySelector("[type=file]").onchange = (event) => this.#bring(event.target)
    const back = place.querySelector("[data-do=back]")
    back.checked = progress.comesBack
    back.onchange = () => (progress.comesBack = back.checked)
    progress.onChange(() => this.#show())
    this.#show()
  }

  #find(part) {
    return this.#place.querySelector(part)
  }

  #say(words) {
    this.#find(".says").textContent = words
  }

  #show() {
    const { entries, times } = this.#progress
    const solved = entries.filter(([, { solved }]) => solved).length
    const sheets = times.length ? ` Sheets finished: ${times.length}.` : ""
    const kept = this.#progress.isKept ? "" : KEPT_NOWHERE
    this.#find(".count").textContent = `Questions solved: ${solved}.${sheets}${kept}`
  }

  #saveFile() {
    const href = URL.createObjectURL(new Blob([this.#progress.text], { type: "application/json" }))
    make("a", { href, download: "pencil-kata.json" }).click()
    URL.revokeObjectURL(href)
    this.#say("Saved as pencil-kata.json.")
  }

  async #bring(field) {
    const [file] = field.files
    if (!file) return
    this.#say(this.#progress.take(file.size > LONGEST ? "" : await file.text()) || "Brought back.")
    field.value = ""
  }

  // Asks for confirmation
  #clear() {
    this.#sure = !this.#sure
    this.#find("[data-do=clear]").textContent = this.#sure ? "Clear it all: press once more" : "Clear"
    if (this.#sure) return this.#say("This forgets every solved question in this browser.")
    this.#progress.clear()
    this.#say("Cleared.")
  }
}
