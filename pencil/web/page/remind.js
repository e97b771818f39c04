// Shows the original number below a changed one, in drawings with enough space.

const UP = -6
const DOWN = 7

// number: a positioned tspan; was: the original digits, "" or false if unchanged
export function remind(number, was) {
  const next = number.nextElementSibling
  if (next?.matches(".was")) next.remove()
  if (!was) return number.removeAttribute("dy")
  number.setAttribute("dy", UP)
  const old = number.cloneNode()
  for (const name of ["data-value", "data-track", "tabindex", "role"]) old.removeAttribute(name)
  old.setAttribute("class", "was")
  old.setAttribute("dy", DOWN)
  old.textContent = was
  number.after(old)
}
