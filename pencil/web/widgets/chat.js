// A question to a tiny GPT, before it learned to answer and after: each writes its likeliest letters.

import { show } from "../engine/rounding.js"
import { upTo } from "../render/graph.js"
import { setInvalid } from "../page/reading.js"
import { ExportedModel } from "./exported.js"
import { seen } from "./letters.js"

export class ChatLab extends ExportedModel {
  #field
  #asking
  #text // what the reader asked, as the writers read it

  // box: the HTML of pencil/widgets/chat_lab.py
  constructor(box) {
    super(box)
    this.#field = this.find("input")
    this.find("select").onchange = ({ target }) => {
      this.#field.value = target.value
      this.run()
    }
    this.find("form").onsubmit = (event) => {
      event.preventDefault()
      this.run()
    }
  }

  ask() {
    const { vocabulary, answer, end, maxNewTokens, positions } = this.data
    const known = vocabulary.filter((letter) => letter !== answer && letter !== end)
    const text = [...this.#field.value.trim().toLowerCase()]
    const strange = text.find((letter) => !known.includes(letter))
    const most = positions - maxNewTokens - answer.length
    const wrong =
      (text.length ? "" : "Type a question.") ||
      (strange ? `${strange} is none of its letters: ${known.map(seen).join(" ")}` : "") ||
      (text.length > most ? `${most} letters fit here, and this is ${text.length}: take some away.` : "")
    setInvalid(this.#field, wrong)
    if (!wrong) this.#text = text
    return wrong
  }

  // The two answers, letter by letter; another question stops them
  async draw() {
    const mine = (this.#asking = {})
    const said = this.find("[role=status]")
    const cells = [...this.box.querySelectorAll("dd")]
    for (const cell of [said, ...cells]) cell.textContent = ""
    for (const cell of cells) {
      const before = cell === cells[0]
      const written = await this.#write(before, cell, () => this.#asking === mine)
      if (this.#asking !== mine) return
      said.textContent += `${before ? "Before" : "After"}: ${written} `
    }
  }

  async #write(before, cell, goesOn) {
    const { vocabulary, answer, end, maxNewTokens } = this.data
    const text = [...this.#text, ...(before ? [] : answer)]
    const start = text.length
    let prob = 1
    for (let letter; text.length < start + maxNewTokens && letter !== end && goesOn(); ) {
      const probs = this.#next(text, before)
      const best = probs.indexOf(Math.max(...probs))
      letter = vocabulary[best]
      prob *= probs[best]
      text.push(letter)
      if (letter !== end) cell.textContent += letter
      await new Promise((done) => setTimeout(done))
    }
    if (!before && goesOn()) cell.append(` (probability ${show(prob)})`)
    return cell.textContent
  }

  // The probabilities of the letter after a text; the sheet's own parameters are those after tuning
  #next(text, before) {
    const { vocabulary, positions, others } = this.data
    const ids = upTo(positions).map((k) => Math.max(0, vocabulary.indexOf(text[k])))
    this.sheet.run({ ...(before && others), ids, last: [text.length - 1] })
    return this.value("probs")
  }
}
