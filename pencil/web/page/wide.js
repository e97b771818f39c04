// What is wider than its column scrolls by keyboard too: it takes focus.

// Called once by the page's script. The theme does it for listings that are seen when a page loads; folded ones have no
// width then, and it does not know pictures.
export function startWide(root = document) {
  // A toggle does not bubble.
  root.addEventListener("toggle", ({ target }) => target.querySelectorAll("pre").forEach(reach), true)
  const watch = new ResizeObserver((seen) => seen.forEach(({ target }) => reach(target)))
  root.querySelectorAll(".pencil-picture:not([tabindex])").forEach((picture) => watch.observe(picture))
}

function reach(part) {
  if (part.scrollWidth > part.clientWidth) part.tabIndex = 0
  else part.removeAttribute("tabindex")
}
