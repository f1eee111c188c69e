/** Combinations of values: all of them, or few in which every two values of different kinds meet. */

type Given = Record<string, readonly string[]>
type Combination = Record<string, string>

export function everyCombination(given: Given): Combination[] {
  return Object.entries(given).reduce<Combination[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  )
}

/** Greedy: a row for a pair that has not met yet, its other values chosen by how many pairs they bring. */
export function coverPairs(given: Given): Combination[] {
  const names = Object.keys(given)
  const open = new Set<string>()
  const pair = (row: Combination, one: string, other: string) => `${one}=${row[one]}|${other}=${row[other]}`
  for (const [at, one] of names.entries())
    for (const other of names.slice(at + 1))
      for (const row of everyCombination({ [one]: given[one] ?? [], [other]: given[other] ?? [] }))
        open.add(pair(row, one, other))
  const rows: Combination[] = []
  for (let [first] = open; first !== undefined; [first] = open) {
    const row = Object.fromEntries(first.split('|').map((part) => part.split('='))) as Combination
    for (const name of names.filter((one) => row[one] === undefined)) {
      const gain = (value: string) => {
        const tried = { ...row, [name]: value }
        return names.filter((other) => {
          const [one, two] = names.indexOf(name) < names.indexOf(other) ? [name, other] : [other, name]
          return row[other] !== undefined && open.has(pair(tried, one, two))
        }).length
      }
      row[name] = (given[name] ?? []).reduce((best, value) => (gain(value) > gain(best) ? value : best))
    }
    for (const [at, one] of names.entries()) for (const other of names.slice(at + 1)) open.delete(pair(row, one, other))
    rows.push(row)
  }
  return rows
}
