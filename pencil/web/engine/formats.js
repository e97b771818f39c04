// Number formats, as in pencil/formats.py: for each a function (numbers, out) that rounds an array to the format.

import { wholeOf } from "./rounding.js"

const bytes = new DataView(new ArrayBuffer(8))

// The exponent of 1.xxx · 2 ** exponent; −1023 for subnormal doubles, which no format needs
function exponentOf(x) {
  bytes.setFloat64(0, x)
  return ((bytes.getUint16(0) >> 4) & 0x7ff) - 1023
}

const isBelow = (x) => x < 0 || Object.is(x, -0)

function float(exponentBits, mantissaBits, { hasInfinity = true } = {}) {
  const least = 2 - 2 ** (exponentBits - 1)
  // Formats without infinity use the highest exponent for numbers, except for the pattern with all bits set
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

const LEAST_NORMAL = 2 ** -126 // of float32: below it 1 / scale overflows

const { fround } = Math

// Quantization with one float32 scale per array, which maps the largest magnitude to `largest`; `nearest` rounds a
// number in units of the scale
function scaled(largest, nearest) {
  return (numbers, out) => {
    const most = numbers.reduce((size, x) => (Number.isFinite(x) ? Math.max(size, Math.abs(x)) : size), 0)
    const scale = Math.max(fround(most / largest || 1), LEAST_NORMAL)
    const inverse = fround(1 / scale)
    for (let i = 0; i < out.length; i++) out[i] = fround(nearest(fround(fround(numbers[i]) * inverse)) * scale)
  }
}

// Like torch's fake quantization
function whole(bits) {
  const largest = 2 ** (bits - 1) - 1
  return scaled(largest, (count) => {
    const cut = Math.max(-largest - 1, Math.min(largest, count))
    return Math.sign(cut) * wholeOf(Math.abs(cut))
  })
}

// Like bitsandbytes: ties go to the lower code
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
