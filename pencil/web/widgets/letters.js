// How letters are displayed, and Marked: a text field with highlighted parts, by an invisible copy of the text under
// the field whose parts have a background.

import { escape } from "../render/fragments.js"

export const seen = (letter) => ({ " ": "␣", "\n": "↵" })[letter] ?? letter

// A letter and its position in words; k counts from 0
export const called = (letters, k) => `${seen(letters[k])}, letter ${k + 1}`

export class Marked {
  #under

  // label: the element with the field and the copy (pencil/widgets/writer_lab.py); marks: a function that returns the
  // text as pieces [text, whether it is highlighted]
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
