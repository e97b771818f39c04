// The search page: each page once, with its best sentence. It takes the place of Sphinx's own search, which wants all
// words and shows no sentence. The texts are in a script, because fetch does not work from file://.

/* global DOCUMENTATION_OPTIONS, Search, Stemmer, pencilPlainTexts, pencilTexts, stopwords */

// { page: [[id, title, text, names, taught]] }; of equals, the first comes first. taught: what a chapter is asked by
const canUnpack = "DecompressionStream" in globalThis
const fetched = canUnpack ? unpack(pencilTexts) : plain(document.currentScript.src)

const ENDED = /([.?!:]["”’)]?)\s+(?=\P{Ll})/gu // a sentence, and what is before the next one
const WORD = /([\p{L}\p{N}_]+)/u
const SHORTEST = 40 // minimum length of a sentence, since table cells may be single words
const PARTS = 90 // maximum length of the excerpt: words, and what stands between them
const ASKING = "do does how i what who why work you".split(" ").concat(stopwords) // words of any question
const NAMED = 8 // the worth of a sentence that follows the asked name
const TAUGHT = 8.5 // the worth of the chapter that teaches it; any chapter is worth one

const TYPED = "&typed" // behind the address: the words as they were typed
const NOTHING = "Nothing was found."
const stemmer = new Stemmer()
const known = new Map(ASKING.map((word) => [word, ""])) // word: its stem, by which all its forms are found
const read = new Map() // text: its stems

Search.query = async (query) => {
  const texts = await fetched
  let { most, stems, items } = find(query, texts)
  const isShort = most < stems.length && !items[0]?.named && !location.search.endsWith(TYPED)
  const nearest = isShort && nearestTo(query.toLowerCase(), texts)
  if (nearest) ({ stems, items } = find(nearest, texts))
  Search.stopPulse()
  Search.title.textContent = "What was found"
  Search.status.textContent = items.length ? "" : NOTHING
  const typed = linkTo(`?q=${encodeURIComponent(query)}${TYPED}`, query)
  if (nearest) Search.status.append(`Found for ${nearest}. Typed: `, typed)
  Search.output.append(...items.map((item) => itemOf(item, stems)))
}

// The pages with most of the words, the best first
function find(query, texts) {
  const stems = stemsOf(query)
  begin(stems, stemsOf(Object.values(texts).join()))
  const phrase = squeezed(query)
  const pages = Object.entries(texts).map(([page, parts]) => ({ page, ...bestOf(parts, stems, phrase) }))
  const most = Math.max(...pages.map(({ has }) => has)) // all the words, if a page has them all
  return { stems, most, items: pages.filter(({ has }) => has && has === most).sort(byWorth) }
}

Search.setIndex({}) // Sphinx's index is not loaded: nothing waits for it

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0))
  const unpacking = new DecompressionStream("gzip") // eslint-disable-line no-restricted-globals -- asked before
  return new Response(new Response(bytes).body.pipeThrough(unpacking)).json()
}

// Safari before 16.4 unpacks nothing, so it asks for the same texts as they are
function plain(here) {
  return new Promise((done) => {
    const onload = () => done(pencilPlainTexts)
    document.head.append(make("script", { src: new URL("pencil-plain-texts.js", here), onload }))
  })
}

const byWorth = (a, b) => b.worth - a.worth
const squeezed = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "") // "warm-up" is "warmup"

function stemsOf(text) {
  if (!read.has(text)) read.set(text, text.split(WORD).map(stemOf).filter(Boolean))
  return read.get(text)
}

// "" for a word of any question, and for what stands between words. A stem may have a stem: "embedding"
// has "embed", and "embed" has "emb"
function stemOf(part) {
  const word = part.toLowerCase()
  if (!known.has(word)) known.set(word, WORD.test(word) ? stemmer.stemWord(stemmer.stemWord(word)) : "")
  return known.get(word)
}

// A stem that is on no page becomes the stem of all words that begin with it. "-ise" may be "-ize" there
function begin(stems, there) {
  for (const stem of stems.filter((one) => !there.includes(one))) {
    for (const word of known.keys()) if (word.startsWith(stem.replace(/is$/, "iz"))) known.set(word, stem)
    read.clear()
  }
}

// The best sentence of a page, and how many of the words are on the page
function bestOf(parts, stems, phrase) {
  const has = count(stems, String(parts))
  const [best] = has ? parts.flatMap((part) => sentencesOf(part, stems, phrase)).sort(byWorth) : []
  const [, head, , , taught] = parts[0]
  if (has && taught && !best.named) best.worth += taught.some((key) => isSame(stemsOf(key), stems)) ? TAUGHT : 1
  return { ...best, head, has }
}

const isSame = (one, other) => one.join("") === other.join("")

function count(stems, text) {
  const there = stemsOf(`${text} ${text.replaceAll("-", "")}`) // "multihead" is "multi-head"
  return stems.filter((stem) => there.includes(stem)).length
}

// A sentence is worth the number of words in it, in any form. The first one of an entry or a section with the asked
// name comes before all others: "What is a token?" and "tokens" are the same. names: of an entry or a page
function sentencesOf([id, title, text, names], stems, phrase) {
  const keys = (names ?? [title]).map(stemsOf)
  const isNamed = keys.some((key) => isSame(key, stems))
  const isPart = names && keys.some((key) => key.every((stem) => stems.includes(stem)))
  const titled = count(stems, title) * (names ? 2 : 0.25)
  return text.replace(ENDED, "$1\n").split("\n").map((sentence, k) => {
    const said = k || !names ? sentence : `${title} ${sentence}`
    const named = k ? 0 : isNamed ? NAMED + 2 * !!names : isPart
    const asked = count(stems, said) + squeezed(said).includes(phrase)
    const worth = asked + titled + named + (sentence.length > SHORTEST) / 2
    return { id, title, sentence, named, worth }
  })
}

// The title of the page as a link to the sentence's section, and the sentence
function itemOf({ page, head, id, title, sentence }, stems) {
  const item = make("li")
  const place = `${page}${DOCUMENTATION_OPTIONS.LINK_SUFFIX}#${encodeURIComponent(id)}`
  item.append(linkTo(place, title === head ? head : `${head}: ${title}`), contextOf(sentence, stems))
  return item
}

// Alone: this script imports nothing
function make(name, fields) {
  return Object.assign(document.createElement(name), fields)
}
const linkTo = (href, textContent) => make("a", { href, textContent })

// The name of an entry, or the word of a title, that a misspelt one may stand for: a third of its letters may be others
function nearestTo(asked, texts) {
  const titles = Object.values(texts).flat().map(([, title]) => title.toLowerCase())
  const words = titles.flatMap((title) => [...title.split(/, |\?/), ...title.match(/\p{L}{4,}/gu) ?? []])
  const [slips, word] = words.map((word) => [slipsBetween(asked, word), word]).sort(([a], [b]) => a - b)[0]
  return slips <= asked.length / 3 && word
}

// How many letters are to be put in, left out or replaced to make one word of the other
function slipsBetween(one, other) {
  let row = [...other, ""].map((_, k) => k)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (const [k, there] of [...other].entries())
      next.push(Math.min(next[k] + 1, row[k + 1] + 1, row[k] + (letter !== there)))
    row = next
  }
  return row.at(-1)
}

function contextOf(sentence, stems) {
  const context = make("p", { className: "context" })
  const isMarked = (part) => stems.includes(stemOf(part))
  const parts = sentence.split(WORD)
  const start = Math.max(0, Math.min(parts.findIndex(isMarked) - PARTS / 2, parts.length - PARTS))
  const end = start + PARTS
  const marked = parts.map((part) => (isMarked(part) ? make("mark", { textContent: part }) : part))
  context.append(start ? "… " : "", ...marked.slice(start, end), end < parts.length ? " …" : "")
  return context
}
