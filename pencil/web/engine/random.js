// One 32-bit generator, the same in the page as in Python (pencil/random.py).
// A seed gives the same numbers everywhere: the same exercises, and the same letters.
export class Mulberry32 {
  constructor(seed) {
    this.state = seed >>> 0
  }

  // The next of the numbers, 0 to 2^32 − 1 (mulberry32, by Tommy Ettinger)
  nextUint32() {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  // From low to high, both included as in Python's random.randint, each as likely as the others
  randint(low, high) {
    const count = high - low + 1
    const end = Math.floor(2 ** 32 / count) * count
    let drawn = this.nextUint32()
    while (drawn >= end) drawn = this.nextUint32()
    return low + (drawn % count)
  }
}
