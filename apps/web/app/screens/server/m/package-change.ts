/** What somebody asks of a server's packages, as the dialog keeps it while they choose. */
import type { PackageChange, PackageSelector } from '@wakestone/contract/servers/packages'

export type Wanted = PackageSelector & { name: string }
export type AskedChange =
  | { kind: 'install'; wanted: readonly Wanted[]; update: readonly string[] }
  | { kind: 'uninstall'; names: readonly string[] }

export const askFor = (name: string, version?: string): AskedChange => ({
  kind: 'install',
  wanted: [version === undefined ? { name } : { name, expr: `=${version}` }],
  update: [],
})
export const askForUpdate = (names: readonly string[]): AskedChange => ({ kind: 'install', wanted: [], update: names })

/**
 * The change with a way out of its conflict taken.
 * @returns undefined where it is none of packages: another version of the game is chosen elsewhere.
 */
export function takeWayOut(asked: AskedChange, changes: readonly PackageChange[]): AskedChange | undefined {
  if (asked.kind !== 'install') return undefined
  let { wanted } = asked
  for (const change of changes) {
    if (change.kind === 'ground') return undefined
    wanted = wanted.filter(({ name }) => name !== change.package)
    if (change.kind === 'version') wanted = [...wanted, { name: change.package, expr: `=${change.version}` }]
  }
  return { ...asked, wanted }
}

/** Whether nothing is left to be asked for. */
export const isNothing = (asked: AskedChange): boolean =>
  asked.kind === 'install' ? asked.wanted.length === 0 && asked.update.length === 0 : asked.names.length === 0

/** With something that is only recommended, or without it again. */
export function withName(asked: AskedChange, selector: PackageSelector, isWanted: boolean): AskedChange {
  if (asked.kind !== 'install' || selector.name === undefined) return asked
  const others = asked.wanted.filter(({ name }) => name !== selector.name)
  return { ...asked, wanted: isWanted ? [...others, { ...selector, name: selector.name }] : others }
}
