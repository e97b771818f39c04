// A 32-bit generator that gives the same numbers as pencil/random.py for the same seed.
export class Mulberry32 {
  constructor(seed) {
    this.state = seed >>> 0
  }

  // The next number, 0 to 2^32 − 1 (mulberry32, by Tommy Ettinger)
  nextUint32() {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  // Uniform from low to high, both included, like Python's random.randint
  randint(low, high) {
    const count = high - low + 1
    if (!(count >= 1 && count <= 2 ** 32))
      throw new RangeError(`randint(${low}, ${high}) has ${count} integers to choose from; it takes 1 to ${2 ** 32}`)
    const end = Math.floor(2 ** 32 / count) * count
    let drawn = this.nextUint32()
    while (drawn >= end) drawn = this.nextUint32()
    return low + (drawn % count)
  }
}
