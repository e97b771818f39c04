// The search of the built pages outside a browser: the page's own script, with the little of a page that it asks for.
// node search_page.mjs SCRIPT TEXTS LANGUAGE < ["a query", ...] > [{query, hits: [[address, title, sentence]], said}]

import { readFileSync } from "node:fs"
import vm from "node:vm"

const made = (name) => ({ name, children: [], append(...parts) { this.children.push(...parts) } })
const textOf = (part) => part.textContent ?? part.children?.map(textOf).join("") ?? part
const page = {
  DOCUMENTATION_OPTIONS: { LINK_SUFFIX: ".html" },
  Search: { setIndex() {}, stopPulse() {}, title: {}, status: made("p"), output: made("ul") },
  document: {
    currentScript: { src: "file:///search.js" },
    createElement: made,
    head: { append: (script) => script.onload() },
  },
  location: { search: "" },
  URL,
}
const context = vm.createContext(page)
const [script, texts, language] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"))
for (const source of [texts, language, script]) vm.runInContext(source, context)

const found = []
for (const query of JSON.parse(readFileSync(0, "utf8"))) {
  page.Search.status = made("p")
  page.Search.output = made("ul")
  await page.Search.query(query)
  const hits = page.Search.output.children.map(({ children: [link, sentence] }) => [link.href, link.textContent, textOf(sentence)])
  found.push({ query, hits, said: [page.Search.status.textContent ?? "", ...page.Search.status.children.map(textOf)].join("") })
}
process.stdout.write(JSON.stringify(found))
