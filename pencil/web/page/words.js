// A switch between the chapter's terms and the field's in worked lines, pictures and labs, stored in the browser. The
// prose is not changed. The pairs of terms are in the chapter's box of words.

import { keep, kept } from "./store.js"

const KEPT = "pencil.words"
const PLACES =
  ".pencil-worked, .pencil-drawing, .pencil-map, .pencil-picture, .pencil-lab, .pencil-card, .pencil-changed"
const POINTED = "[data-label]" // elements with a tooltip
const HEARD = { childList: true, characterData: true, subtree: true }
const SWITCH = '<button type="button" class="pencil-switch"></button>'
const OFFERS = { true: "Show the chapter’s words", false: "Show the field’s words" } // by whether the field's are shown

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
    if (on) bind()
    words.show(on)
  }
  button.onclick = () => {
    turn(!shown)
    keep(KEPT, shown ? "field" : null)
  }
  button.textContent = OFFERS[false]
  if (kept(KEPT)) turn(true)
}

class Words {
  #root
  #relabel
  #own = new WeakMap() // text node: [original text, replacement]
  #observer = new MutationObserver((changes) => this.#write(changes.flatMap(changed)))

  constructor(root, relabel) {
    this.#root = root
    this.#relabel = relabel
  }

  show(field) {
    for (const { dataset } of this.#root.querySelectorAll(POINTED)) {
      if (!field) dataset.label = dataset.own ?? dataset.label
      else [dataset.own, dataset.label] = [dataset.label, this.#relabel(dataset.label)]
    }
    if (field) {
      this.#write([this.#root])
      this.#observer.observe(this.#root, HEARD)
    } else {
      this.#observer.disconnect()
      for (const text of textsIn(this.#root)) {
        const [own, written] = this.#own.get(text) ?? []
        if (text.data === written) text.data = own
      }
    }
  }

  // The observer also reports our own changes, which are ignored
  #write(nodes) {
    for (const text of new Set(nodes.flatMap(textsIn))) {
      if (this.#own.get(text)?.[1] === text.data) continue
      const [own, written] = [text.data, this.#relabel(text.data)]
      this.#own.set(text, [own, written])
      if (written !== own) text.data = written
    }
  }
}

const changed = ({ type, target, addedNodes }) => (type === "characterData" ? [target] : [...addedNodes])

// The text nodes below a node that are in one of PLACES
function textsIn(node) {
  const found = []
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
  if (node.nodeType === Node.TEXT_NODE) found.push(node)
  while (walker.nextNode()) found.push(walker.currentNode)
  return found.filter(({ parentElement: place }) => place?.closest(PLACES) && !place.closest("button"))
}

// The rows of the box's table: "WANT, HAVE" and "query, key" -> { pairs: { WANT: "query", HAVE: "key" }, verbs }.
// Words in italics are also verbs.
function wordsIn(box) {
  const rows = [...box.querySelectorAll("tbody tr")].map(({ cells }) =>
    [...cells].map((cell) => cell.textContent.split(",").map((word) => word.trim())),
  )
  const pairs = Object.fromEntries(rows.flatMap(([here, there]) => here.map((word, k) => [word, there[k]])))
  return { pairs, verbs: [...box.querySelectorAll("td em")].map(({ textContent }) => textContent) }
}

// -> a function that replaces the chapter's terms in a text, adapting articles, capitals and plurals. Names in capitals
// such as WANT match in capitals only. A term that is also a verb, such as keep, matches only if no word follows.
export function relabel({ pairs, verbs = [] }) {
  const lower = new Map(Object.entries(pairs).map(([word, field]) => [key(word), field]))
  const longest = Object.keys(pairs).sort((a, b) => b.length - a.length)
  const form = (word) => (isName(word) ? word : anyCase(word)).replaceAll(" ", "\\s")
  const either = longest.map((word) => form(word) + (verbs.includes(word) ? "(?!\\s[\\p{L}“])" : ""))
  const words = new RegExp(`(^|\\P{L})(?:([Aa])n? )?(${either.join("|")})(e?s)?(?!\\p{L})`, "gu")
  return (text) =>
    text.replace(words, (all, before, article, word, s) => {
      if (s === "es" && !/(?:s|x|ch)$/.test(word)) return all
      const field = lower.get(key(word))
      const said = isCapital(word) ? capital(field) : field
      return before + withArticle(article, s ? plural(said) : said)
    })
}

const key = (word) => (isName(word) ? word : word.toLowerCase().replace(/\s/g, " "))
const isCapital = (word) => /^\p{Lu}(?!\p{Lu})/u.test(word)
const isName = (word) => /^\p{Lu}{2}/u.test(word)
const anyCase = (word) => `[${word[0].toUpperCase()}${word[0]}]${word.slice(1)}`
const capital = (word) => word[0].toUpperCase() + word.slice(1)
const plural = (word) =>
  /s$/.test(word) ? `${word}es` : word.replace(/([^aeiou])y$/, "$1ie").replace(/ix$/, "ice") + "s"
const withArticle = (a, word) => (a ? `${a}${/^[aeiou]/i.test(word) ? "n" : ""} ${word}` : word)
