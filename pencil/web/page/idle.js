// A queue of small tasks that run when the browser is idle.

const EACH = 8 // milliseconds per slice, without requestIdleCallback
const LATEST = { timeout: 300 } // milliseconds until the work runs even if the browser is busy
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

  // act(part) runs a task
  constructor(act) {
    this.#act = act
  }

  // Replaces the remaining tasks.
  put(parts) {
    this.#parts = [...parts].reverse()
    if (!this.#isAsked) soon((idle) => this.#go(idle), LATEST)
    this.#isAsked = true
  }

  // Resolves when the queue is empty.
  settled() {
    return new Promise((done) => (this.#isAsked ? this.#waiting.push(done) : done()))
  }

  #go(idle) {
    try {
      do {
        if (this.#parts.length) this.#act(this.#parts.pop())
      } while (this.#parts.length && idle.timeRemaining() > 1)
    } finally {
      // An error is reported, and does not stop the queue
      if (this.#parts.length) soon((next) => this.#go(next), LATEST)
      else {
        this.#isAsked = false
        for (const done of this.#waiting.splice(0)) done()
      }
    }
  }
}
