// Byte-pair encoding, as pencil/reference/bpe.py does it, with the words of pencil/reference/text.py.

const TO_BLANKS = /[!"#$%&()*+,\-./:;<=>?@[\\\]^_`{|}~\t\n]/g

// The words of a text: lower case, punctuation replaced by spaces, split at spaces.
export const tokenize = (text) => text.toLowerCase().replace(TO_BLANKS, " ").split(" ").filter(Boolean)

// words -> [{ pair, count, splits }]: first the words as letters, then for each merge its pair, the pair's count before
// the merge, and the pieces of the words after it. Ties are broken by the smaller ids.
export function trainBpe(words) {
  const letters = [...new Set(words.flatMap((word) => [...word]))].sort(
    (a, b) => a.codePointAt(0) - b.codePointAt(0),
  )
  const ids = new Map(letters.map((letter, id) => [letter, id]))
  const ranks = new Map()
  const steps = [{ splits: words.map((word) => [...word]) }]
  for (;;) {
    const { splits } = steps.at(-1)
    const next = mostFrequent(splits, ids)
    if (!next) return steps
    const { pair } = next
    const piece = pair.join("")
    ranks.set(key(pair), ranks.size)
    if (!ids.has(piece)) ids.set(piece, ids.size)
    steps.push({ ...next, splits: splits.map((pieces) => mergeAll(pieces, ranks)) })
  }
}

const key = ([a, b]) => `${a} ${b}` // pieces contain no spaces
const pairsOf = (pieces) => pieces.slice(1).map((piece, i) => [pieces[i], piece])

function mostFrequent(splits, ids) {
  const counts = new Map()
  for (const pair of splits.flatMap(pairsOf)) {
    const found = counts.get(key(pair)) ?? { pair, count: 0 }
    found.count++
    counts.set(key(pair), found)
  }
  const before = (one, other) =>
    other.count - one.count ||
    ids.get(one.pair[0]) - ids.get(other.pair[0]) ||
    ids.get(one.pair[1]) - ids.get(other.pair[1])
  return [...counts.values()].sort(before)[0]
}

// Apply the merges in the order in which they were learned, each from left to right
function mergeAll(pieces, ranks) {
  const learned = pairsOf(pieces).filter((pair) => ranks.has(key(pair)))
  if (!learned.length) return pieces
  const first = learned.reduce((a, b) => (ranks.get(key(b)) < ranks.get(key(a)) ? b : a))
  return mergeAll(merge(pieces, first), ranks)
}

function merge(pieces, [a, b]) {
  const out = []
  for (let i = 0; i < pieces.length; i++) {
    if (pieces[i] === a && pieces[i + 1] === b) out.push(a + pieces[++i])
    else out.push(pieces[i])
  }
  return out
}
