// The numbers of a page by keyboard: a button that is visible on focus only, from which arrow keys move between them.

const DOOR =
  '<button type="button" class="pencil-door">Open the numbers: arrows move, Enter opens, Escape leaves</button>'
const NUMBER = ".pencil-number[data-value]"

export class Keys {
  #page
  #on = false

  // page: { openAll(), open(number) -> whether it opened, called(number) -> its name }
  constructor(page) {
    this.#page = page
    const title = document.querySelector("article h1")
    title?.insertAdjacentHTML("afterend", DOOR)
    this.door = title?.nextElementSibling
    this.door?.addEventListener("click", (event) => {
      event.stopPropagation()
      page.openAll()
      this.#on = true
      stand(numbers()[0])
    })
    document.addEventListener("pointerdown", ({ target }) => touch(target.closest?.(".pencil-number")))
    document.addEventListener("focusin", ({ target }) => this.#describe(target))
  }

  // The focused number is described as one that can be opened, also when it is focused by a card that closes
  #describe(number) {
    if (!this.#on || !number.matches(`article ${NUMBER}`)) return
    const said = { role: "button", "aria-haspopup": "dialog", "aria-label": this.#page.called(number) }
    for (const [name, value] of Object.entries(said)) number.setAttribute(name, value)
    number.onblur = () => Object.keys(said).forEach((name) => number.removeAttribute(name))
  }

  pressed(event) {
    if (!this.#on || !event.target.matches?.(".pencil-number")) return
    const all = numbers()
    const at = all.indexOf(event.target)
    const to = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    }[event.key]
    if (to !== undefined) stand(all[Math.max(0, Math.min(all.length - 1, to))])
    else if (event.key === "Enter" || event.key === " ") this.#page.open(event.target)
    else if (event.key === "Escape") {
      this.#on = false
      this.door.focus()
    } else return
    event.preventDefault()
  }
}

const numbers = () =>
  [...document.querySelectorAll(`article ${NUMBER}`)].filter(
    (n) => !n.closest(".pencil-card") && n.getClientRects().length,
  )

function stand(number) {
  touch(number)
  number?.focus()
}

// Focusable, but not in the Tab order
function touch(number) {
  if (number) number.tabIndex = -1
}
