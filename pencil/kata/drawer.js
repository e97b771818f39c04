// Where a reader sees what is solved, clears it, saves it as a file and brings it back.

const INSIDE = `<p class="count" role="status"></p>
<p><button type="button" data-do="save">Save as a file</button>
<label class="bring">Bring back a file <input type="file" accept="application/json,.json"></label>
<button type="button" data-do="clear">Clear</button></p>
<p class="says" role="status"></p>`

export class Drawer {
  #place; #progress; #sure = false

  constructor(place, progress) {
    this.#place = place
    this.#progress = progress
    place.innerHTML = INSIDE
    place.querySelector("[data-do=save]").addEventListener("click", () => this.#saveFile())
    place.querySelector("[data-do=clear]").addEventListener("click", () => this.#clear())
    place.querySelector("input").addEventListener("change", (event) => this.#bring(event.target))
    progress.onChange(() => this.#show())
    this.#show()
  }

  #find(part) { return this.#place.querySelector(part) }
  #say(words) { this.#find(".says").textContent = words }

  #show() {
    const { entries, times } = this.#progress, solved = entries.filter(([, { solved }]) => solved).length
    const sheets = times.length ? ` Sheets finished: ${times.length}.` : ""
    this.#find(".count").textContent = `Questions solved: ${solved}.${sheets}${this.#progress.isKept ? "" : " This browser keeps nothing for a page opened so; save a file before you leave."}`
  }

  #saveFile() {
    const doc = this.#place.ownerDocument, link = doc.createElement("a")
    link.href = URL.createObjectURL(new Blob([this.#progress.text], { type: "application/json" }))
    link.download = "pencil-kata.json"
    link.click()
    URL.revokeObjectURL(link.href)
    this.#say("Saved as pencil-kata.json.")
  }

  async #bring(field) {
    const [file] = field.files
    if (!file) return
    this.#say(this.#progress.take(file.size > 200_000 ? "" : await file.text()) || "Brought back.")
    field.value = ""
  }

  #clear() { // asks once: what is cleared is gone
    this.#sure = !this.#sure
    this.#find("[data-do=clear]").textContent = this.#sure ? "Clear it all: press once more" : "Clear"
    if (this.#sure) return this.#say("This forgets every solved question in this browser.")
    this.#progress.clear()
    this.#say("Cleared.")
  }
}
