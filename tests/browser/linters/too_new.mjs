// What the oldest browsers that the page is written for lack, by MDN's data: names of JavaScript, of the DOM and of CSS.
import data from "@mdn/browser-compat-data" with { type: "json" }
import { fileURLToPath } from "node:url"
import web from "../../../pencil/web/package.json" with { type: "json" }

const ITS_NAME = { ios: "safari_ios" } // in MDN's data
const OLDEST = web.browserslist.map((one) => one.split(" ")).map(([name, version]) => [ITS_NAME[name] ?? name, version])
const NOW = Infinity

const before = (version, other) => {
  const [[a, b = 0], [c, d = 0]] = [version, other].map((one) => String(one).replace("≤", "").split(".").map(Number))
  return a < c || (a === c && b <= d)
}
const was = (version, at) => version === true || (Boolean(version) && version !== "preview" && before(version, at))

const has = ({ support }, browser, at) =>
  [support[browser] ?? []].flat().some(
    ({ version_added, version_removed, flags, prefix, alternative_name }) =>
      was(version_added, at) && !was(version_removed, at) && !flags && !prefix && !alternative_name,
  )

// The browsers of the target that lack a feature.
const lacking = (feature) =>
  OLDEST.filter(([browser, version]) => !has(feature, browser, version)).map(([browser]) => browser)
const isEverywhere = (feature) => OLDEST.every(([browser]) => has(feature, browser, NOW))

// -> [{ path: ["Array", "toSorted"], feature }], without what belongs to a feature
const members = (folder) =>
  Object.entries(folder).flatMap(([name, inner]) => {
    const parts = Object.entries(inner).filter(([part, { __compat }]) => __compat && part !== "__compat")
    const own = inner.__compat ? [{ path: [name], feature: inner.__compat }] : []
    return [...own, ...parts.map(([part, { __compat }]) => ({ path: [name, bare(part)], feature: __compat }))]
  })
const bare = (part) => part.replace(/_(static|event)$/, "")
const of = ({ path: [owner, part], feature }) => ({ owner, part, lacks: lacking(feature), everywhere: isEverywhere(feature) })

export const known = [...members(data.javascript.builtins), ...members(data.api)].map(of)
export const tooNew = known.filter(({ lacks }) => lacks.length)

// Names that a page can only mean in a way that is too new. Of what only some browsers have to this day, the tests in the
// other ones speak.
const named = new Map()
for (const one of known) if (one.part) named.set(one.part, [...(named.get(one.part) ?? []), one])
export const properties = [...named]
  .filter(([, all]) => all.every(({ lacks }) => lacks.length) && all.some(({ everywhere }) => everywhere))
  .map(([name]) => name)

// CSS: { "property gap": [], "selector has": ["chrome", "edge"], … }: the browsers that lack it.
function styles() {
  const { properties: all, selectors, types, "at-rules": rules } = data.css
  const kinds = { property: all, selector: selectors, rule: rules, function: functionsOf(types) }
  const found = Object.entries(kinds).flatMap(([kind, folder]) => members(folder).map((one) => ({ kind, ...one })))
  return Object.fromEntries(found.map(({ kind, path, feature }) => [[kind, ...path].join(" "), lacking(feature)]))
}
// A function may belong to a type, as color-mix does
const functionsOf = (types) => Object.assign({}, ...Object.values(types), types)

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify({ scripts: tooNew, styles: styles() }))
