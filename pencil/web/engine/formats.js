// The formats in which a machine writes numbers, as pencil/formats.py has them: the same table, and of each format one
// function (numbers, out), which puts the nearest number of the format for each of an array.

const bytes = new DataView(new ArrayBuffer(8))

// Of 1.xxx · 2 ** exponent; what is smaller than any format needs gives −1023
function exponentOf(x) {
  bytes.setFloat64(0, x)
  return ((bytes.getUint16(0) >> 4) & 0x7ff) - 1023
}

const ROOM = 1.5 * 2 ** 52 // beside it a float has no decimals: what is added is rounded to a whole one, half to even
const wholeOf = (size) => size + ROOM - ROOM
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

// Whole numbers times one scale for the array, in float32 as torch's fake quantization
function whole(bits) {
  const largest = 2 ** (bits - 1) - 1
  const { fround } = Math
  return (numbers, out) => {
    const most = numbers.reduce((size, x) => (Number.isFinite(x) ? Math.max(size, Math.abs(x)) : size), 0)
    const scale = Math.max(fround(most / largest || 1), LEAST_NORMAL)
    const inverse = fround(1 / scale)
    for (let i = 0; i < out.length; i++) {
      const count = fround(fround(numbers[i]) * inverse)
      const cut = Math.max(-largest - 1, Math.min(largest, count))
      out[i] = fround(Math.sign(cut) * wholeOf(Math.abs(cut)) * scale)
    }
  }
}

export const FORMATS = {
  fp16: float(5, 10),
  bf16: float(8, 7),
  fp8_e4m3: float(4, 3, { hasInfinity: false }),
  fp8_e5m2: float(5, 2),
  int8: whole(8),
  int4: whole(4),
}
