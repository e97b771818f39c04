// Byte pair encoding of the reader's own text, merge by merge.

import { tokenize, trainBpe } from "../engine/bpe.js"
import { make } from "../render/element.js"

// Called once by the script of the lab.
export function startPieces(root = document) {
  for (const box of root.querySelectorAll(".pencil-pieces")) new Pieces(box)
}

class Pieces {
  #steps
  #at
  #find

  // box: the HTML of pencil/widgets/bpe_lab.py
  constructor(box) {
    const live = box.querySelector(".pencil-lab-live")
    this.#find = (selector) => live.querySelector(selector)
    box.classList.add("live")
    live.hidden = false
    box.onclick = ({ target }) => {
      const { join } = target.closest("[data-join]")?.dataset ?? {}
      if (join) this.#go(this.#to(join))
    }
    this.#find("textarea").oninput = () => this.#begin()
    this.#begin()
  }

  // Train on the text
  #begin() {
    this.#steps = trainBpe(tokenize(this.#find("textarea").value))
    this.#go(0)
  }

  #to(join) {
    return join === "all" ? this.#steps.length - 1 : this.#at + Number(join)
  }

  #go(at) {
    const next = this.#steps[at + 1]
    const { pair, count, splits } = this.#steps[at]
    const joined = pair?.join("")
    const chip = (piece) => make("span", { textContent: piece, className: piece === joined ? "new" : "" })
    const word = (pieces) => {
      const item = make("li")
      item.append(...pieces.map(chip))
      return item
    }
    const said = ({ pair: [a, b], count: times }) =>
      `${a} + ${b}, ${times === 1 ? "once" : `${times} times`} side by side`
    this.#at = at
    this.#find("ol").replaceChildren(...splits.map(word))
    this.#find("[role=status]").textContent = [
      pair ? `Join ${at}: ${said({ pair, count })}.` : "Every letter is a piece.",
      next ? `Commonest now: ${said(next)}.` : "No two pieces are left side by side.",
      `${new Set(splits.flat()).size} different pieces, ${splits.flat().length} in all.`,
    ].join(" ")
    const buttons = [...this.#find(".pencil-controls").children]
    const focused = buttons.indexOf(document.activeElement)
    for (const button of buttons) {
      const to = this.#to(button.dataset.join)
      button.disabled = to === at || !this.#steps[to]
    }
    // If the focused button is disabled, focus the other one
    if (buttons[focused]?.disabled) buttons.find(({ disabled }) => !disabled)?.focus()
  }
}
