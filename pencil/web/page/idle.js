// Work in small parts: each is done when the browser has nothing else to do.

const EACH = 8 // milliseconds at a time, where the browser does not say how long it is idle
const LATEST = { timeout: 300 } // milliseconds: a browser that is never idle gets on with it all the same
const soon =
  globalThis.requestIdleCallback ??
  ((act) =>
    setTimeout(() => {
      const end = performance.now() + EACH
      act({ timeRemaining: () => end - performance.now() })
    }))

export class Queue {
  #act
  #parts = []
  #isAsked = false
  #waiting = []

  // act(part) does one of them
  constructor(act) {
    this.#act = act
  }

  // Does these, in the place of what is left.
  put(parts) {
    this.#parts = [...parts].reverse()
    if (!this.#isAsked) soon((idle) => this.#go(idle), LATEST)
    this.#isAsked = true
  }

  // Resolves when nothing is left.
  settled() {
    return new Promise((done) => (this.#isAsked ? this.#waiting.push(done) : done()))
  }

  #go(idle) {
    try {
      do {
        if (this.#parts.length) this.#act(this.#parts.pop())
      } while (this.#parts.length && idle.timeRemaining() > 1)
    } finally {
      // A part that fails is said, and keeps nobody behind it waiting
      if (this.#parts.length) soon((next) => this.#go(next), LATEST)
      else {
        this.#isAsked = false
        for (const done of this.#waiting.splice(0)) done()
      }
    }
  }
}
