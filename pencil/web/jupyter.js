// A lab in Jupyter: anywidget calls render, and the state is synchronized with Python in both directions.

import { Card } from "./page/card.js"
import { boxOf } from "./widgets/drawings.js"
import { Lab } from "./widgets/lab.js"

// Takes the numbers from the front of `flat`
const nested = (flat, [size, ...shape]) =>
  size === undefined ? flat.shift() : Array.from({ length: size }, () => nested(flat, shape))

function render({ model, el }) {
  const state = model.get("state")
  const box = boxOf(model.get("drawn"))
  const card = new Card(box)
  let taking = true
  el.append(box)
  const lab = new Lab(box, state, card, () => {
    if (taking) return
    const shapes = new Map(
      state.variants[lab.variant].data.program.steps.map(({ name, shape }) => [name, shape]),
    )
    model.set("variant", lab.variant)
    model.set("step", lab.step)
    const givens = [...lab.givens].map(([name, numbers]) => [name, nested([...numbers], shapes.get(name))])
    model.set("givens", Object.fromEntries(givens))
    model.save_changes()
  })
  const take = () => {
    taking = true
    const where = ["variant", "step"].map((name) => ({ name, place: 0, value: model.get(name) }))
    const numbers = Object.entries(model.get("givens")).flatMap(([name, rows]) =>
      [rows].flat(Infinity).map((value, place) => ({ name, place, value })),
    )
    lab.take([...where, ...numbers])
    taking = false
  }
  for (const name of ["variant", "step", "givens"]) model.on(`change:${name}`, take)
  const close = () => card.close() // what is clicked in the card or on a number stays there
  document.addEventListener("click", close)
  take()
  return () => document.removeEventListener("click", close)
}

export default { render }
