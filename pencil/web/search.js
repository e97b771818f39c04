// The search page: Sphinx's index finds the pages; this script shows each once, with the sentence that matches best.
// The texts are in a script, because fetch does not work from file://.

/* global DOCUMENTATION_OPTIONS, Search, pencilTexts */

const unpacked = unpack(pencilTexts) // { page: [[id, title, text]] }

const CUT = /\n|(?<=[.?!:]["”’)]?)\s+(?=\P{Ll})/u // paragraph and sentence boundaries
const SHORTEST = 40 // minimum length of a sentence, since table cells may be single words
const LONGEST = 300 // maximum length of the excerpt

const NOTHING = "Nothing was found. Try fewer or other words."

Search.query = async (query) => {
  const [asked, terms, excluded, marked, objects] = Search._parseQuery(query)
  const found = Search._performSearch(asked, terms, excluded, marked, objects).reverse() // best first
  const pages = new Map()
  for (const [page, , anchor] of found) if (!pages.has(page)) pages.set(page, anchor.slice(1))
  const stems = [...terms, ...marked]
  const phrase = asked.toLowerCase().trim()
  const wanted = { stems, words: wordsIn(stems), phrase }
  const texts = await unpacked
  const items = [...pages]
    .map(([page, anchor]) => ({ page, ...bestOf(texts[page] ?? [], anchor, wanted) }))
    .sort((a, b) => b.worth - a.worth) // ties keep Sphinx's order
  Search.stopPulse()
  Search.title.textContent = "What was found"
  Search.status.textContent = items.length ? "" : NOTHING
  const isFound = items.some(({ sentence }) => sentence?.toLowerCase().includes(phrase)) // as it is spelt
  const nearest = isFound ? null : nearestTo(phrase, texts)
  if (nearest) Search.status.append(" Did you mean ", linkTo(`?q=${encodeURIComponent(nearest)}`, nearest), "?")
  Search.output.append(...items.map((item) => itemOf(item, wanted.words)))
}

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json()
}

// Matches all forms of a word by Sphinx's stem, which has letters and digits only
const wordsIn = (terms) =>
  terms.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join("|")})[\\p{L}\\p{N}]*`, "giu") : /(?!)/g

// The sentence of a page with most of the words, in the section that was found by its title, if any
function bestOf(texts, anchor, wanted) {
  const named = texts.filter(([id]) => anchor && id === anchor)
  const best = (named.length ? named : texts)
    .flatMap(([id, title, text]) => text.split(CUT).map((sentence) => ({ id, title, sentence })))
    .map((said) => ({ ...said, worth: worthOf(said, wanted) }))
    .reduce((a, b) => (b.worth > a.worth ? b : a), { worth: 0 })
  return { ...best, id: named.length ? best.id : anchor || best.id, head: texts[0]?.[1] }
}

// The score: the number of matching words in any form, and exact matches. A glossary entry of that name comes first,
// with its first sentence
function worthOf({ id, title, sentence }, { stems, words, phrase }) {
  const found = (sentence.match(words) ?? []).map((word) => word.toLowerCase())
  const said = new Set(found.map((word) => stems.find((stem) => word.startsWith(stem.toLowerCase()))))
  const isEntry = id.startsWith("term") && title.toLowerCase().split(", ").includes(phrase)
  const named = isEntry ? 8 : title.match(words) ? 0.5 : 0
  if (!said.size || sentence.startsWith("See ")) return named
  const whole = sentence.toLowerCase().includes(phrase) ? 1 : 0
  return said.size + whole + named + (sentence.length > SHORTEST ? 0.5 : 0)
}

// The title of the page as a link to the sentence's section, and the sentence
function itemOf({ page, head, id, title, sentence }, words) {
  const item = document.createElement("li")
  const place = `${page}${DOCUMENTATION_OPTIONS.LINK_SUFFIX}${id ? `#${encodeURIComponent(id)}` : ""}`
  const link = item.appendChild(linkTo(place, head ?? page))
  if (title && title !== head) link.append(`: ${title}`)
  if (sentence) item.append(contextOf(sentence, words))
  return item
}

const linkTo = (href, textContent) => Object.assign(document.createElement("a"), { href, textContent })

// The name of an entry, or the word of a title, that a misspelt one may stand for: a third of its letters may be others
function nearestTo(asked, texts) {
  const titles = Object.values(texts).flatMap((page) => page.map(([, title]) => title.toLowerCase()))
  const words = new Set(titles.flatMap((title) => [...title.split(", "), ...title.match(/\p{L}{4,}/gu) ?? []]))
  words.delete(asked) // a word that the index leaves out
  const [slips, word] = [...words].map((word) => [slipsBetween(asked, word), word]).sort(([a], [b]) => a - b)[0]
  return slips <= asked.length / 3 ? word : null
}

// How many letters are to be put in, left out or replaced to make one word of the other
function slipsBetween(one, other) {
  let row = [...other, ""].map((_, k) => k)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (const [k, there] of [...other].entries())
      next.push(Math.min(next[k] + 1, row[k + 1] + 1, row[k] + (letter === there ? 0 : 1)))
    row = next
  }
  return row.at(-1)
}

function contextOf(sentence, words) {
  const context = document.createElement("p")
  context.className = "context"
  const first = sentence.search(words)
  const start = sentence.length > LONGEST && first > LONGEST / 2 ? sentence.lastIndexOf(" ", first - LONGEST / 3) : 0
  const shown = sentence.slice(start, start + LONGEST)
  let at = 0
  for (const { 0: word, index } of shown.matchAll(words)) {
    const mark = Object.assign(document.createElement("mark"), { textContent: word })
    context.append(shown.slice(at, index), mark)
    at = index + word.length
  }
  context.append(shown.slice(at) + (start + LONGEST < sentence.length ? " …" : ""))
  if (start) context.prepend("… ")
  return context
}
