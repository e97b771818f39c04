// The script of the labs with a trained model, on a page that has one.

import { ChatLab } from "./widgets/chat.js"
import { DigitsLab } from "./widgets/digits.js"
import { OpenWriterLab } from "./widgets/open_writer.js"
import { WriterLab } from "./widgets/writer.js"

const LABS = {
  ".pencil-chat": ChatLab,
  ".pencil-digits": DigitsLab,
  ".pencil-writer": WriterLab,
  ".pencil-open": OpenWriterLab,
}

// For browser tests
window.pencil.exported = Object.entries(LABS).flatMap(([selector, Lab]) =>
  [...document.querySelectorAll(selector)].map((box) => new Lab(box)),
)
