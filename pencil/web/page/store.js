// What this browser keeps for a reader. Where it keeps nothing (private, full, forbidden) nothing breaks.

export const kept = (key) => orNull(() => localStorage.getItem(key))

// text: null forgets it. -> whether that was done
export const keep = (key, text) =>
  orNull(() => {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  }) ?? false

export function orNull(action) {
  try {
    return action()
  } catch {
    return null
  }
}
