// Where a card opens: under its number, or above it, in the window, and not over the field that was edited last.

const GAP = 8 // pixels between the card and what it leaves free
const BARS = 64 // pixels of the bars at the edges of a page
const LOW = 400 // pixels of a window in which nothing stays at an edge, as the styles have it

// box: the card, positioned by its `left` and `top`; number and field: elements, the field may be missing.
// Where `left: 0; top: 0` is depends on the host (margins, scrolling, frames), so that is measured.
export function placeBeside(box, number, field) {
  const room = box.parentElement.getBoundingClientRect()
  box.style.setProperty("--room", `${room.width}px`)
  const { left, top, width, height } = box.getBoundingClientRect()
  const isUp = box.classList.contains("above")
  const zero = {
    left: left - Number.parseFloat(box.style.left || 0),
    top: top + (isUp ? height : 0) - Number.parseFloat(box.style.top || 0),
  }
  const at = number.getBoundingClientRect()
  const edited = field?.getBoundingClientRect()
  const within = (x) => Math.max(room.left, Math.min(x, room.right - width))
  const beside = edited ? [within(edited.right + GAP), within(edited.left - GAP - width)] : []
  const places = [within(at.left), ...beside].flatMap((x) => [
    { left: x, right: x + width, top: at.bottom + GAP, bottom: at.bottom + GAP + height },
    { left: x, right: x + width, top: at.top - GAP - height, bottom: at.top - GAP, isAbove: true },
  ])
  const isFree = (place) => place.top + scrollY >= 0 && !(edited && meet(place, edited))
  const isSeen = (place) => isFree(place) && place.top >= 0 && place.bottom <= innerHeight
  const best = places.find(isSeen) ?? places.find(isFree) ?? places[0]
  box.classList.toggle("above", Boolean(best.isAbove)) // its bottom is fixed then, so that it grows upwards
  box.style.left = `${best.left - zero.left}px`
  box.style.top = `${(best.isAbove ? best.bottom : best.top) - zero.top}px`
}

// Scroll to a card that is partly out of the window.
export function bringIntoWindow(box) {
  const { top, bottom } = box.getBoundingClientRect()
  const bars = innerHeight < LOW ? 0 : BARS
  const by = bottom > innerHeight ? bottom + bars - innerHeight : top < 0 ? top - bars : 0
  if (by) scrollBy({ top: by, behavior: "instant" })
}

const meet = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
