// How letters are displayed, and Marked: a text field with highlighted parts, by an invisible copy of the text under
// the field whose parts have a background.

import { make } from "../render/element.js"
import { thousands } from "../render/fragments.js"

const LONGEST = 2_000 // letters of a text: marking a longer one would take seconds a key

export const seen = (letter) => ({ " ": "␣", "\n": "↵" })[letter] ?? letter

// A letter and its position in words; k counts from 0
export const called = (letters, k) => `${seen(letters[k])}, letter ${k + 1}`

// What is said of a text that is too long; "" for any other
export function tooLong({ length }) {
  const [most, are] = [LONGEST, length].map((n) => thousands(`${n}`))
  return length > LONGEST ? `${most} letters fit here, and this is ${are}: take some away.` : ""
}

export class Marked {
  #under

  // label: the element with the field and the copy (pencil/widgets/writer_lab.py); marks: a function that returns the
  // text as pieces [text, whether it is highlighted]
  constructor(label, marks) {
    this.text = label.querySelector("textarea")
    this.#under = label.querySelector(".pencil-marked > span")
    this.mark = () => {
      const piece = ([text, isMarked]) => (isMarked ? make("mark", { textContent: text }) : text)
      this.#under.replaceChildren(...(tooLong(this.text.value) ? [] : marks().map(piece)))
      this.#under.scrollTop = this.text.scrollTop
    }
    this.text.onscroll = this.mark
  }
}
