// A switch between the field's words and those of the chapter's source, stored in the browser. It changes what {w}
// marks in the prose, claims, worked lines, pictures, labs, cards and answers. The words are in the chapter's box of
// words.

import { keep, kept } from "./store.js"

const KEPT = "pencil.words"
const PLACES =
  ".pencil-w, .pencil-number, [data-when], .pencil-worked, .pencil-drawing, .pencil-map, .pencil-picture, " +
  ".pencil-lab, .pencil-card, .pencil-changed, .pencil-answer, .pencil-sheet"
const LABELS = ["aria-label", "data-label"] // what a screen reader says of an element, and the tooltip of a number
const HEARD = { childList: true, characterData: true, subtree: true, attributeFilter: LABELS }
const SWITCH = '<button type="button" class="pencil-switch"></button>'
const OFFERS = { true: "Show the field’s words", false: "Show the source’s words" } // by whether the source's are shown

// Called once by the page's script. bind(): binds the page's lines, which are recognized by their original text
export function startWords(bind, root = document.body) {
  const box = root.querySelector(".pencil-box.words")
  if (!box) return
  box.insertAdjacentHTML("beforeend", SWITCH)
  const [button, words] = [box.lastElementChild, new Words(root, relabel(wordsIn(box)))]
  let shown = false
  const turn = (on) => {
    shown = on
    button.textContent = OFFERS[on]
    button.value = on // for the style sheet
    if (on) bind()
    words.show(on)
  }
  button.onclick = () => {
    turn(!shown)
    keep(KEPT, shown ? "source" : null)
  }
  button.textContent = OFFERS[false]
  if (kept(KEPT) === "source") turn(true)
}

class Words {
  #root
  #relabel
  #own = new WeakMap() // text or label, which are nodes: [original text, replacement]
  #observer = new MutationObserver((changes) => this.#write(changes.flatMap(changed)))

  constructor(root, relabel) {
    this.#root = root
    this.#relabel = relabel
  }

  show(source) {
    if (source) {
      this.#write([this.#root])
      this.#observer.observe(this.#root, HEARD)
    } else {
      this.#observer.disconnect()
      for (const text of textsIn(this.#root)) {
        const [own, written] = this.#own.get(text) ?? []
        if (text.nodeValue === written) text.nodeValue = own
      }
    }
  }

  // The observer also reports our own changes, which are ignored
  #write(nodes) {
    for (const text of new Set(nodes.flatMap(textsIn))) {
      const own = text.nodeValue
      if (this.#own.get(text)?.[1] === own) continue
      const written = this.#relabel(own)
      this.#own.set(text, [own, written])
      if (written !== own) text.nodeValue = written
    }
  }
}

const changed = ({ type, target, addedNodes, attributeName }) =>
  type === "childList" ? [...addedNodes] : [target.getAttributeNode?.(attributeName) ?? target]

// The texts and labels of a node, and below it, that are in one of PLACES
function textsIn(node) {
  const found = []
  const add = (one, place) =>
    place?.closest(PLACES) && !place.closest("button, script") && found.push(one)
  const look = (one) => {
    if (one.nodeType === Node.TEXT_NODE) add(one, one.parentElement)
    else LABELS.map((name) => one.getAttributeNode?.(name)).forEach((label) => label && add(label, one))
  }
  if (node.nodeType === Node.ATTRIBUTE_NODE) add(node, node.ownerElement)
  else {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    do look(walker.currentNode)
    while (walker.nextNode())
  }
  return found
}

// The rows of the box's table -> { query: "WANT", key: "HAVE" }
const wordsIn = (box) =>
  Object.fromEntries([...box.querySelectorAll("tbody tr")].map(({ cells }) => [...cells].map(wordOf)))
const wordOf = (cell) => cell.textContent.trim()

// pairs: { query: "WANT" } -> a function that replaces the field's words in a text, adapting articles, capitals and
// plurals. A name with a capital of its own, such as W_Q, says nothing of the source's first letter.
export function relabel(pairs) {
  const said = new Map()
  for (const [field, source] of Object.entries(pairs))
    for (const form of [(word) => word, plural]) {
      said.set(form(field), form(source))
      if (capital(field) !== field) said.set(capital(form(field)), capital(form(source)))
    }
  const longest = [...said.keys()].sort((a, b) => b.length - a.length).map(anySpace)
  const words = new RegExp(`(^|\\P{L})(?:([Aa])n?(\\s))?(${longest.join("|")})(?!\\p{L})`, "gu")
  return (text) =>
    text.replace(words, (all, before, article, space, word) => {
      return before + withArticle(article, space, said.get(word.replace(/\s/g, " ")))
    })
}

const anySpace = (word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(" ", "\\s")
const capital = (word) => word[0].toUpperCase() + word.slice(1)
const ENDS = [[/ix$/, "ice"], [/([^aeiou])y$/, "$1ie"], [/(s|x|ch|sh)$/, "$1e"]]
const plural = (word) => `${ENDS.reduce((said, [end, made]) => said.replace(end, made), word)}s`
const withArticle = (a, space, word) => (a ? a + (/^[aeiou]/i.test(word) ? "n" : "") + space : "") + word
