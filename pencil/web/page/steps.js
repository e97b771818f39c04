// Plays the steps of a drawing: buttons Back, Next and Play, and the arrow keys. The whole drawing is shown initially,
// without scripts, and in print.

const BUTTONS =
  '<p class="pencil-controls pencil-steps"><button type="button" data-go="-1">Back</button>' +
  '<button type="button" data-go="1">Next</button><button type="button" data-go="play">Play</button>' +
  '<button type="button" data-go="all" hidden>Show it all</button><span role="status"></span></p>'
const [PAUSE, EACH] = [1200, 45] // milliseconds per step, and per letter of its text
const CHANGES = { childList: true, subtree: true }
const KEYS = { ArrowLeft: -1, ArrowRight: 1 }

// Called once by the script of a page. draw(group): lets a step that is shown now move
export function startDrawings(draw = () => {}, root = document) {
  for (const figure of root.querySelectorAll(".pencil-drawing"))
    if (figure.querySelectorAll("ol li").length > 1) new Steps(figure, draw)
}

class Steps {
  #figure
  #lines
  #at = 0 // the current step, from 1; 0 shows the whole drawing
  #timer
  #draw

  constructor(figure, draw) {
    this.#figure = figure
    this.#draw = draw
    this.#lines = [...figure.querySelectorAll("ol li")]
    figure.querySelector("svg").insertAdjacentHTML("afterend", BUTTONS)
    figure.onclick = ({ target }) => {
      const { go } = target.closest("[data-go]")?.dataset ?? {}
      if (go) this.#go(go)
    }
    figure.onkeydown = (event) => {
      if (!event.target.closest(".pencil-steps") || !KEYS[event.key]) return
      this.#go(KEYS[event.key])
      event.preventDefault()
    }
    new MutationObserver(() => this.#tell()).observe(figure.querySelector("ol"), CHANGES)
    this.#find("play").hidden = matchMedia("(prefers-reduced-motion: reduce)").matches
  }

  #find(go) {
    return this.#figure.querySelector(`[data-go="${go}"]`)
  }

  #go(where) {
    const playing = Boolean(this.#timer)
    this.#stop()
    if (where === "all") {
      this.#show(0)
      this.#find(1).focus() // the focused button has been removed
    } else if (where !== "play") this.#show(this.#beside(Number(where)))
    else if (!playing) this.#play()
  }

  // The previous or next step; from the whole drawing, the last or first
  #beside(way) {
    const { length } = this.#lines
    const from = this.#at || (way > 0 ? 0 : length + 1)
    return Math.min(length, Math.max(1, from + way))
  }

  #play() {
    this.#find("play").textContent = "Pause"
    const go = () => {
      this.#timer = -1 // prevents scrolling while it plays
      this.#show((this.#at % this.#lines.length) + 1)
      if (this.#at === this.#lines.length) return this.#stop()
      this.#timer = setTimeout(go, PAUSE + EACH * this.#lines[this.#at - 1].textContent.length)
    }
    go()
  }

  #stop() {
    clearTimeout(this.#timer)
    this.#timer = null
    this.#find("play").textContent = "Play"
  }

  #show(at) {
    this.#at = at
    this.#figure.classList.toggle("stepping", at > 0)
    for (const group of this.#figure.querySelectorAll("[data-step]")) mark(group, Number(group.dataset.step) - at, at)
    this.#lines.forEach((line, k) => mark(line, k + 1 - at, at))
    this.#find("all").hidden = at === 0
    this.#find(-1).ariaDisabled = at === 1
    this.#find(1).ariaDisabled = at === this.#lines.length
    const now = this.#figure.querySelector("g.now")
    this.#figure.querySelectorAll("g.now").forEach((group) => this.#draw(group))
    const isShort = now?.getBoundingClientRect().height < innerHeight / 2
    if (!this.#timer && isShort) now.scrollIntoView({ block: "nearest" }) // for tall drawings
    this.#tell()
  }

  // The text of the step, with the numbers of now
  #tell() {
    this.#figure.querySelector(".pencil-steps [role]").textContent = this.#lines[this.#at - 1]?.textContent ?? ""
  }
}

// ahead: distance in steps of a part of the drawing
function mark(part, ahead, at) {
  part.classList.toggle("now", at > 0 && ahead === 0)
  part.classList.toggle("later", at > 0 && ahead > 0)
}
