// What a reader wrote into the boxes of a page or a sheet. An accepted number may be carried on, although the book
// wrote another, and what follows well from a wrong one is told so.

export const numbersAt = ({ paper, exact }, at) => ({ paper: at.map((k) => paper[k]), exact: at.map((k) => exact[k]) })

export class Written {
  #rows = new Map() // key of a question -> { place, label, values, isRight }

  // place: { run, name, at } of the answer; label: what the page calls it
  put(key, place, label, { verdict, typed = [] }) {
    const values = typed.map(({ value }) => value)
    const isWhole = place.name && values.length === place.at.length
    if (isWhole && verdict !== "short") this.#rows.set(key, { place, label, values, isRight: verdict === "right" })
    else this.#rows.delete(key)
  }

  clear() {
    this.#rows.clear()
  }

  // What the answers to other questions make of this one: { also: tracks that are right as well, follows: { numbers,
  // step } from answers that are not right, or null }
  before(key, place, page) {
    const others = [...this.#rows].filter(([other, row]) => other !== key && row.place.run === place.run)
    const rows = others.map(([, row]) => row)
    const made = (rows) => numbersAt(page.sheet(place.run).written(place.name, entriesOf(rows)), place.at)
    const right = rows.filter(({ isRight }) => isRight)
    const carried = right.length ? made(right) : null
    const plain = carried ?? (rows.length ? made([]) : null)
    const slip = rows.find((row) => !row.isRight && differ(made([...right, row]), plain))
    return {
      also: carried ? [carried.paper, carried.exact] : [],
      follows: slip ? { numbers: made(rows), step: slip.label } : null,
    }
  }
}

const differ = ({ paper }, other) => paper.some((x, k) => x !== other.paper[k])

// [{ place, values }] -> { name: [[index, number]] }
function entriesOf(rows) {
  const entries = {}
  for (const { place, values } of rows)
    (entries[place.name] ??= []).push(...place.at.map((at, k) => [at, values[k]]))
  return entries
}
