/** Where names of packages stand in reasons, changes and selectors. */
const places = new Set(['package', 'packages', 'other', 'name', 'dependant'])

/** The same with each package's name put through `map`. */
export function mapPackageNames<Told>(told: Told, map: (name: string) => string): Told {
  const go = (value: unknown, isName: boolean): unknown => {
    if (typeof value === 'string') return isName ? map(value) : value
    if (Array.isArray(value)) return value.map((each) => go(each, isName))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, go(each, places.has(key))]))
  }
  return go(told, false) as Told
}

/** All names of packages in what was told. */
export function packageNamesIn(told: unknown): string[] {
  const names: string[] = []
  mapPackageNames(told, (name) => {
    names.push(name)
    return name
  })
  return names
}
