/** What somebody asks of a server's packages, as the dialog keeps it while they choose. */
import type { ApiClient } from '@wakestone/contract/client'
import type { PackageChange, PackageSelector } from '@wakestone/contract/servers/packages'
import {
  installPackages,
  rollBackPackages,
  takePackageUpdates,
  uninstallPackages,
} from '@wakestone/contract/servers/packages-routes'

export type Wanted = PackageSelector & { name: string }
export type AskedChange =
  | {
      kind: 'install'
      wanted: readonly Wanted[]
      replaced: readonly string[]
      /** Names of what is installed and should be as new as it can be. */
      renewed?: readonly string[]
      changeEngine?: boolean
    }
  | { kind: 'update'; names: readonly string[] | null; backup: boolean }
  | { kind: 'uninstall'; names: readonly string[]; deleteData: boolean }
  | { kind: 'rollback'; lockId: string }

export const askFor = (name: string, version?: string): AskedChange => ({
  kind: 'install',
  wanted: [version === undefined ? { name } : { name, expr: `=${version}` }],
  replaced: [],
})
/** What is installed in a version that was chosen, in the newest that fits: nothing holds it to that version any more. */
export const askForNewest = (name: string): AskedChange => ({
  kind: 'install',
  wanted: [{ name }],
  replaced: [],
  renewed: [name],
})
/** @param names null: everything that there is a newer release of */
export const askForUpdate = (names: readonly string[] | null): AskedChange => ({ kind: 'update', names, backup: false })
export const askToRemove = (names: readonly string[]): AskedChange => ({ kind: 'uninstall', names, deleteData: false })

/** Versions that were asked for, in fewer signs: `1.0.0` of `=1.0.0`, `<2`, `latest` of `#latest`. */
export const versionsIn = (wanted: string): string => wanted.replace(/^[=#]\s*/, '')

/** Sends a change, or asks what it would do. */
export function sendChange(
  client: ApiClient,
  id: string,
  asked: AskedChange,
  how: { dry_run: true } | { in_seconds: number },
): Promise<object> {
  const params = { id }
  switch (asked.kind) {
    case 'install': {
      const [first] = asked.wanted
      const replace_installed_with = first === undefined ? [] : asked.replaced.map((from) => ({ from, to: first }))
      const body = {
        packages: [...asked.wanted],
        update: [...(asked.renewed ?? [])],
        replace_installed_with,
        change_engine: asked.changeEngine === true,
        ...how,
      }
      return client(installPackages, { params, body })
    }
    case 'update': {
      const packages = asked.names === null ? null : [...asked.names]
      return client(takePackageUpdates, { params, body: { packages, backup: asked.backup, ...how } })
    }
    case 'uninstall':
      return client(uninstallPackages, {
        params,
        body: { packages: [...asked.names], delete_data: asked.deleteData, ...how },
      })
    case 'rollback':
      return client(rollBackPackages, { params: { id, lock_id: asked.lockId }, body: how })
  }
}

/**
 * The change with a way out of its conflict taken: another version, or without something. What is installed and stands
 * in the way goes in the same step.
 * @returns undefined where it is none of packages: another version of the game is chosen elsewhere.
 */
export function takeWayOut(asked: AskedChange, changes: readonly PackageChange[]): AskedChange | undefined {
  if (asked.kind !== 'install') return undefined
  let { wanted, replaced } = asked
  for (const change of changes) {
    if (change.kind === 'ground') return undefined
    const isWanted = wanted.some(({ name }) => name === change.package)
    wanted = wanted.filter(({ name }) => name !== change.package)
    if (change.kind === 'version') wanted = [...wanted, { name: change.package, expr: `=${change.version}` }]
    else if (!isWanted) replaced = [...replaced, change.package]
  }
  return { ...asked, wanted, replaced }
}

/** With something that is only recommended, or without it again. */
export function withName(asked: AskedChange, selector: PackageSelector, isWanted: boolean): AskedChange {
  if (asked.kind !== 'install' || selector.name === undefined) return asked
  const others = asked.wanted.filter(({ name }) => name !== selector.name)
  return { ...asked, wanted: isWanted ? [...others, { ...selector, name: selector.name }] : others }
}

/** Whether nothing is left to be asked for. */
export const isNothing = (asked: AskedChange): boolean => asked.kind === 'install' && asked.wanted.length === 0
