// In a drawing that has room for it, what a number was stands below what it is.

const UP = -6
const DOWN = 7

// number: a tspan with a place of its own; was: "" or false where it is as it was
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
