// A lab in Jupyter: anywidget calls render; what a reader changes goes to Python, and what Python changes comes here.

import { Card } from "./card.js"
import { Lab } from "./lab.js"

const nested = (flat, [size, ...shape]) => {
  if (size === undefined) return flat[0]
  return Array.from({ length: size }, (_, k) => nested(flat.slice((k * flat.length) / size, ((k + 1) * flat.length) / size), shape))
}

export function render({ model, el }) {
  const state = model.get("state"), box = document.createElement("section"), card = new Card(box)
  let taking = true
  box.className = "pencil-lab"
  el.append(box)
  const lab = new Lab(box, state, card, () => {
    if (taking) return
    const shapes = new Map(state.variants[lab.variant].data.program.steps.map(({ name, shape }) => [name, shape]))
    model.set("variant", lab.variant)
    model.set("step", lab.step)
    model.set("givens", Object.fromEntries([...lab.givens].map(([name, numbers]) => [name, nested([...numbers], shapes.get(name))])))
    model.save_changes()
  })
  const take = () => {
    taking = true
    const numbers = Object.entries(model.get("givens")).flatMap(([name, rows]) => [rows].flat(Infinity).map((value, place) => ({ name, place, value })))
    lab.take([...["variant", "step"].map((name) => ({ name, place: 0, value: model.get(name) })), ...numbers])
    taking = false
  }
  for (const name of ["variant", "step", "givens"]) model.on(`change:${name}`, take)
  box.addEventListener("click", (event) => event.target.closest(".pencil-card") ?? card.close())
  take()
}
