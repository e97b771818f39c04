// A queue of small tasks that run when the browser is idle.

const EACH = 8 // milliseconds per slice, where the browser has none or is never idle
const LATEST = { timeout: 300 } // milliseconds until the work runs even if the browser is busy
const NEXT = { timeout: 16 } // and once it was: Chromium is never idle while a number is focused by the keyboard
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
    const end = performance.now() + EACH
    const hasTime = () => idle.timeRemaining() > 1 || (idle.didTimeout && performance.now() < end)
    try {
      do {
        if (this.#parts.length) this.#act(this.#parts.pop())
      } while (this.#parts.length && hasTime())
    } finally {
      // An error is reported, and does not stop the queue
      if (this.#parts.length) soon((next) => this.#go(next), idle.didTimeout ? NEXT : LATEST)
      else {
        this.#isAsked = false
        for (const done of this.#waiting.splice(0)) done()
      }
    }
  }
}
