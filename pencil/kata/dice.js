// One 32-bit generator, the same in Python (pencil/kata/dice.py) and in the page: a seed deals the same sheet everywhere.
export class Dice {
  constructor(seed) { this.state = seed >>> 0 }

  throw() { // the next of the numbers, 0 to 2^32 − 1 (mulberry32, by Tommy Ettinger)
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  whole(low, high) { // from low to high, both among them, each as likely as the others
    const count = high - low + 1, end = Math.floor(2 ** 32 / count) * count
    let thrown = this.throw()
    while (thrown >= end) thrown = this.throw()
    return low + (thrown % count)
  }
}
