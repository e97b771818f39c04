// The address of the page carries the reader's numbers, and behind them the place that a link of the page leads to.

import { orNull } from "../engine/data.js"
import { readFragment, writeFragment } from "./reading.js"

const REST = 150 // milliseconds: dragging causes many changes, and browsers limit the rate of updates
const OURS = "pencil" // the state of an entry of the history that this page wrote

export class Address {
  #changes
  #take
  #soon
  #known // the fragment that was read or written last

  // changes() -> all that the reader changed; take({ asked, changes, at }) is called for an address that brings numbers
  constructor(changes, take) {
    this.#changes = changes
    this.#take = take
    // A link within the page, and Back to where one was followed, leave the numbers as they are
    addEventListener("hashchange", () => (history.state === OURS ? this.#keep() : this.read()))
    // What has just been changed is saved before a click leads away from it, and before the page is put aside
    document.addEventListener("click", () => this.#soon && this.save(), { capture: true })
    document.addEventListener("visibilitychange", () => this.#soon && this.save())
  }

  read() {
    const link = linkIn(location.hash)
    if (!link) return this.#keep()
    this.#known = location.hash
    history.replaceState(OURS, "")
    this.#take(link)
  }

  #keep() {
    this.#known = location.hash
    this.save()
  }

  saveSoon() {
    clearTimeout(this.#soon)
    this.#soon = setTimeout(() => this.save(), REST)
  }

  save() {
    clearTimeout(this.#soon)
    this.#soon = null
    const { hash, pathname, search } = location
    if (hash !== this.#known) return // a newer address, whose `hashchange` is still to come
    const link = linkIn(hash)
    const now = writeFragment(this.#changes(), link ? link.at : hash.slice(1))
    if (now !== hash) history.replaceState(OURS, "", now || pathname + search)
    this.#known = location.hash
  }
}

const linkIn = (hash) => readFragment(orNull(() => decodeURIComponent(hash)) ?? hash)
