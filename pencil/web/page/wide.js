// What is wider than its column scrolls by keyboard too: it takes focus.

// Called once by the page's script. The theme does it for listings that are seen when a page loads; folded ones have no
// width then, and it does not know pictures.
export function startWide(root = document) {
  const unfolded = ({ target }) => target.querySelectorAll("pre").forEach(reach)
  root.addEventListener("toggle", unfolded, true) // the event does not bubble
  const watch = new ResizeObserver((seen) => seen.forEach(({ target }) => reach(target)))
  const pictures = root.querySelectorAll(".pencil-picture:not([tabindex])")
  pictures.forEach((picture) => watch.observe(picture))
}

function reach(part) {
  if (part.scrollWidth > part.clientWidth) part.tabIndex = 0
  else part.removeAttribute("tabindex")
}
