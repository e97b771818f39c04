// The formats in which a machine writes numbers, as pencil/formats.py has them: the same table, and of each format one
// function (numbers, out), which puts the nearest number of the format for each of an array.

import { wholeOf } from "./rounding.js"

const bytes = new DataView(new ArrayBuffer(8))

// Of 1.xxx · 2 ** exponent; what is smaller than any format needs gives −1023
function exponentOf(x) {
  bytes.setFloat64(0, x)
  return ((bytes.getUint16(0) >> 4) & 0x7ff) - 1023
}

const isBelow = (x) => x < 0 || Object.is(x, -0)

function float(exponentBits, mantissaBits, { hasInfinity = true } = {}) {
  const least = 2 - 2 ** (exponentBits - 1)
  // Without an infinity the highest exponent is a number's too, save with all bits set
  const [top, spared] = hasInfinity ? [1 - least, 1] : [2 - least, 2]
  const largest = (2 * 2 ** mantissaBits - spared) * 2 ** (top - mantissaBits)
  const beyond = hasInfinity ? Infinity : largest
  const round = (size) => {
    const unit = 2 ** (Math.max(exponentOf(size), least) - mantissaBits)
    const rounded = wholeOf(size / unit) * unit
    return rounded > largest ? beyond : rounded
  }
  return (numbers, out) => {
    for (let i = 0; i < out.length; i++) {
      const size = round(Math.abs(numbers[i]))
      out[i] = isBelow(numbers[i]) ? -size : size
    }
  }
}

const LEAST_NORMAL = 2 ** -126 // of float32: below it 1 / scale is an infinity

const { fround } = Math

// Numbers times one scale for the array, in float32: `nearest` is asked for a number of scales, and the largest number
// of the array is `largest` of them
function scaled(largest, nearest) {
  return (numbers, out) => {
    const most = numbers.reduce((size, x) => (Number.isFinite(x) ? Math.max(size, Math.abs(x)) : size), 0)
    const scale = Math.max(fround(most / largest || 1), LEAST_NORMAL)
    const inverse = fround(1 / scale)
    for (let i = 0; i < out.length; i++) out[i] = fround(nearest(fround(fround(numbers[i]) * inverse)) * scale)
  }
}

// As torch's fake quantization
function whole(bits) {
  const largest = 2 ** (bits - 1) - 1
  return scaled(largest, (count) => {
    const cut = Math.max(-largest - 1, Math.min(largest, count))
    return Math.sign(cut) * wholeOf(Math.abs(cut))
  })
}

// As bitsandbytes: the lower code half-way between two
function codebook(codes) {
  const near = codes.map(fround)
  const halves = near.slice(1).map((code, i) => fround(fround(code + near[i]) / 2))
  return scaled(1, (part) => (Number.isNaN(part) ? part : near[halves.filter((half) => half < part).length]))
}

export const FORMATS = {
  fp16: float(5, 10),
  bf16: float(8, 7),
  fp8_e4m3: float(4, 3, { hasInfinity: false }),
  fp8_e5m2: float(5, 2),
  int8: whole(8),
  int4: whole(4),
  nf4: codebook([
    -1, -0.6961928, -0.52507305, -0.3949175, -0.28444138, -0.18477343,
    -0.091050036, 0, 0.0795803, 0.1609302, 0.2461123, 0.33791524,
    0.44070983, 0.562617, 0.72295684, 1,
  ]),
}
