// The address of the page carries the reader's numbers.

import { orNull } from "../engine/data.js"
import { readFragment, writeFragment } from "./reading.js"

const REST = 150 // milliseconds: dragging causes many changes, and browsers limit the rate of updates

export class Address {
  #changes
  #take
  #soon
  #known // the fragment that was read or written last

  // changes() -> all that the reader changed; take({ asked, changes }) is called for an address that brings numbers
  constructor(changes, take) {
    this.#changes = changes
    this.#take = take
    addEventListener("hashchange", () => this.read())
    // What has just been changed is saved before a click leads away from it, and before the page is put aside
    document.addEventListener("click", () => this.#soon && this.save(), { capture: true })
    document.addEventListener("visibilitychange", () => this.#soon && this.save())
  }

  read() {
    this.#known = location.hash
    const link = readFragment(orNull(() => decodeURIComponent(location.hash)) ?? location.hash)
    if (link) this.#take(link)
  }

  saveSoon() {
    clearTimeout(this.#soon)
    this.#soon = setTimeout(() => this.save(), REST)
  }

  save() {
    clearTimeout(this.#soon)
    this.#soon = null
    if (location.hash !== this.#known) return // a newer address, whose `hashchange` is still to come
    history.replaceState(null, "", writeFragment(this.#changes()) || location.pathname + location.search)
    this.#known = location.hash
  }
}
