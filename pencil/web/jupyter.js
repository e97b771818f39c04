// A lab in Jupyter: anywidget calls render, and the state is synchronized with Python in both directions.

import { Card } from "./page/card.js"
import { Lab } from "./widgets/lab.js"

const nested = (flat, [size, ...shape]) => {
  if (size === undefined) return flat[0]
  return Array.from({ length: size }, (_, k) =>
    nested(flat.slice((k * flat.length) / size, ((k + 1) * flat.length) / size), shape),
  )
}

function render({ model, el }) {
  const state = model.get("state")
  const box = document.createElement("section")
  const card = new Card(box)
  let taking = true
  box.className = "pencil-lab"
  box.innerHTML = `<div class="pencil-lab-still">${model.get("drawn")}</div>`
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
