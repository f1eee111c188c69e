/**
 * Versions and ranges as Maven reads them: what `mods.toml` and `neoforge.mods.toml` ask for.
 * By `ComparableVersion` and `VersionRange` of Maven's own documentation ("POM reference, version order").
 */

type Item = number | string | Item[]

/** Known words, oldest first; a release is the empty one. Others are newer than all of these. */
const qualifiers = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp']
const aliases = new Map(Object.entries({ ga: '', final: '', release: '', cr: 'rc' }))
/** What a letter stands for when digits follow it. */
const letters = new Map(Object.entries({ a: 'alpha', b: 'beta', m: 'milestone' }))
const RELEASE = qualifiers.indexOf('')
/** No real version nests deeper; the order of what does is only that of its beginning. */
const MAX_DEPTH = 16
const MAX_NUMBER_DIGITS = 15

function rankOf(word: string): string {
  const place = qualifiers.indexOf(word)
  return place < 0 ? `${qualifiers.length}-${word}` : String(place)
}

/** Items of a version: a hyphen, or a change between digits and letters, begins a list inside. */
function parse(text: string): Item[] {
  const whole: Item[] = []
  let list = whole
  let depth = 0
  const nest = () => {
    if (depth >= MAX_DEPTH) return
    depth += 1
    const inner: Item[] = []
    list.push(inner)
    list = inner
  }
  const tokens = text.toLowerCase().match(/\d+|[^\d.-]+|[.-]/g) ?? []
  let previous: 'digits' | 'letters' | 'separator' = 'separator'
  for (const [place, token] of tokens.entries()) {
    if (token === '.' || token === '-') {
      if (previous === 'separator') list.push(0)
      if (token === '-') nest()
      previous = 'separator'
      continue
    }
    if (/^\d/.test(token)) {
      if (previous === 'letters') nest()
      list.push(token.length > MAX_NUMBER_DIGITS ? Number.MAX_SAFE_INTEGER : Number(token))
      previous = 'digits'
      continue
    }
    const isShort = /^\d/.test(tokens[place + 1] ?? '')
    const long = isShort ? (letters.get(token) ?? token) : token
    if (previous === 'digits') nest()
    list.push(aliases.get(long) ?? long)
    previous = 'letters'
  }
  trim(whole)
  return whole
}

/** Drops what stands for nothing at the end of each list: `1.0.0` is `1`, `1-ga` is `1`. */
function trim(list: Item[]): void {
  for (const item of list) if (Array.isArray(item)) trim(item)
  for (let place = list.length - 1; place >= 0; place -= 1) {
    const item = list[place]!
    const isNull = item === 0 || item === '' || (Array.isArray(item) && item.length === 0)
    if (isNull) list.splice(place, 1)
    else if (!Array.isArray(item)) break
  }
}

function compareItems(one: Item | undefined, other: Item | undefined): number {
  if (one === undefined) return other === undefined ? 0 : -compareItems(other, undefined)
  if (typeof one === 'number') {
    if (other === undefined) return Math.sign(one)
    return typeof other === 'number' ? Math.sign(one - other) : 1
  }
  if (typeof one === 'string') {
    if (other === undefined) return compareTexts(rankOf(one), String(RELEASE))
    return typeof other === 'string' ? compareTexts(rankOf(one), rankOf(other)) : -1
  }
  if (other === undefined) {
    for (const item of one) {
      const order = compareItems(item, undefined)
      if (order !== 0) return order
    }
    return 0
  }
  if (typeof other === 'number') return -1
  if (typeof other === 'string') return 1
  for (let place = 0; place < Math.max(one.length, other.length); place += 1) {
    const order = compareItems(one[place], other[place])
    if (order !== 0) return order
  }
  return 0
}

const compareTexts = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1)

/** Below 0 when `one` is older. Every text is a version. */
export function compareMavenVersions(one: string, other: string): number {
  return compareItems(parse(one), parse(other))
}

type Restriction = { from: string | null; fromIncluded: boolean; to: string | null; toIncluded: boolean }

/**
 * Reads `[1.0,2.0)`, `(,1.0],[1.2,)`, `[1.5]`; a bare `1.0` is a wish in Maven, which excludes nothing.
 * @returns null for what is no range
 */
export function parseMavenRange(text: string): ((version: string) => boolean) | null {
  const trimmed = text.trim()
  if (/^[^[\](),\s]+$/.test(trimmed)) return () => true
  const restrictions: Restriction[] = []
  const one = /\s*([[(])\s*([^,[\]()]*?)\s*(?:(,)\s*([^,[\]()]*?)\s*)?([\])])\s*(,(?=\s*[[(])|$)/y
  while (one.lastIndex < trimmed.length) {
    const match = one.exec(trimmed)
    if (!match) return null
    const [, open, from, comma, to, close] = match
    if (comma === undefined && (from === '' || open !== '[' || close !== ']')) return null
    restrictions.push({
      from: from || null,
      fromIncluded: open === '[',
      to: comma === undefined ? from! : to || null,
      toIncluded: close === ']',
    })
  }
  if (restrictions.length === 0) return null
  return (version) =>
    restrictions.some(({ from, fromIncluded, to, toIncluded }) => {
      const above = from === null ? 1 : compareMavenVersions(version, from)
      const below = to === null ? -1 : compareMavenVersions(version, to)
      return (above > 0 || (fromIncluded && above === 0)) && (below < 0 || (toIncluded && below === 0))
    })
}
