// The letters of a text as a page shows them, and a field to type a text in, under which the same text lies unseen:
// what is marked in it has a ground.

import { escape } from "../render/fragments.js"

export const seen = (letter) => ({ " ": "␣", "\n": "↵" })[letter] ?? letter

// A letter and where it stands, counted from 0, in words
export const called = (letters, k) => `${seen(letters[k])}, letter ${k + 1}`

export class Marked {
  #under

  // label: with the two of them, as pencil/widgets/writer_lab.py wrote them; marks: -> the pieces of the text, from the
  // first to the last: [what stands there, whether it is marked]
  constructor(label, marks) {
    this.text = label.querySelector("textarea")
    this.#under = label.querySelector(".pencil-marked > span")
    this.mark = () => {
      const piece = ([text, isMarked]) => (isMarked ? `<mark>${escape(text)}</mark>` : escape(text))
      this.#under.innerHTML = marks().map(piece).join("")
      this.#under.scrollTop = this.text.scrollTop
    }
    this.text.onscroll = this.mark
  }
}
