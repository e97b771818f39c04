// What every script has to keep to; it runs in a browser.
import js from "@eslint/js"
import globals from "globals"

export default [js.configs.recommended, { languageOptions: { globals: globals.browser } }]
