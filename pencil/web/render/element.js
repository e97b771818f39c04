// An element with these properties
export const make = (name, properties) => Object.assign(document.createElement(name), properties)

// HTML that these scripts have written, as the tag `html` makes it
class Html extends String {}

const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" }

export const escape = (text, signs = /[&<>"']/g) => `${text}`.replace(signs, (sign) => ESCAPED[sign])

// For HTML of these scripts, or of Python, that has been joined or cut as a text
export const asHtml = (text) => new Html(text)

// A template: what is put into it is escaped, unless it is such HTML itself; a list is joined
export const html = (parts, ...values) => asHtml(String.raw(parts, ...values.map(inside)))
const inside = (value) =>
  value instanceof Html ? value : Array.isArray(value) ? value.map(inside).join("") : escape(value)

// Replaces what is in an element by such HTML, and by no other text. -> the element
export function fill(element, written) {
  if (!(written instanceof Html)) throw TypeError("not html")
  element.innerHTML = written
  return element
}

// What a line of HTML says
export const textOf = (line) => fill(make("template"), line).content.textContent
