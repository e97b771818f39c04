// Storage that fails silently if it is full, disabled or private.

import { orNull } from "../engine/data.js"

const storeIn = (place) => ({
  kept: (key) => orNull(() => globalThis[place].getItem(key)),

  // text: null removes the item. -> whether it succeeded
  keep: (key, text) =>
    orNull(() => {
      if (text === null) globalThis[place].removeItem(key)
      else globalThis[place].setItem(key, text)
      return true
    }) ?? false,
})

export const { kept, keep } = storeIn("localStorage")
export const ofTab = storeIn("sessionStorage") // until the tab is closed
