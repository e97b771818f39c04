// The drawings that a lab shows, as pencil/widgets/lab.py wrote them, bound to the run of the lab's variant.

import { Binding } from "../page/binding.js"

export class Drawings {
  #box
  #bound = []

  constructor(box) {
    this.#box = box
  }

  // What a part shows, as HTML
  html({ show }) {
    return this.#box.querySelector(`.pencil-lab-still [data-drawing="${CSS.escape(show)}"]`).outerHTML
  }

  // Those that stand in the view now; they may have been drawn from another variant of the same names
  bind(view, runs) {
    this.#bound = [...view.querySelectorAll(".pencil-drawing")].map((drawing) => new Binding(runs, drawing))
    for (const binding of this.#bound) binding.begin()
    this.follow()
  }

  follow() {
    for (const binding of this.#bound) binding.followAll()
  }
}
