// An element with these properties
export const make = (name, properties) => Object.assign(document.createElement(name), properties)

// Replaces what is in an element by HTML, as insertAdjacentHTML adds some elsewhere. HTML comes from the templates of
// these scripts alone, which escape the words of a run; what a reader types is only ever the text of an element.
// -> the element
export function fill(element, html) {
  element.innerHTML = html
  return element
}

// What a line of HTML says
export const textOf = (html) => fill(make("template"), html).content.textContent
