// localStorage that fails silently if it is full, disabled or private.

import { orNull } from "../engine/data.js"

export const kept = (key) => orNull(() => localStorage.getItem(key))

// text: null removes the item. -> whether it succeeded
export const keep = (key, text) =>
  orNull(() => {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  }) ?? false
