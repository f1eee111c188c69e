/** What backups hold, folder by folder, and what has changed between two states. Listings are kept for a while. */
import type { BackupChanges, BackupEntry, BackupWorlds } from '@wakestone/contract/servers/backups'
import { backupWorldsTold, changesTold, entriesTold, playerOf } from '@wakestone/contract/servers/backups'
import { DomainError } from '@wakestone/contract/errors'
import { bukkitParts } from '@wakestone/minecraft/worlds/layout'
import * as volume from '#src/adapters/restic/volume.ts'
import type { Context } from '#src/context.ts'
import { amongFew } from './few-at-once.ts'
import type { BackupRow } from './repo.ts'
import { explaining, requireRepository, resticOf, unlocked } from './repository.ts'

type Deps = Pick<Context, 'db' | 'fleet' | 'settings' | 'secrets' | 'logger'>
type Listing = volume.Listing

/** A snapshot never changes; the listings of the last few are kept by this process. */
const mostKept = 8
const mostEntriesKept = 600_000
const kept = new Map<string, { listing: Promise<Listing>; entries: number }>()

export function findListing(deps: Deps, backup: BackupRow): Promise<Listing> {
  const known = kept.get(backup.id)
  if (known !== undefined) {
    kept.delete(backup.id) // to be the youngest again
    kept.set(backup.id, known)
    return known.listing
  }
  const listing = amongFew(backup.server_id, () =>
    explaining(async () => {
      const row = await requireRepository(deps, backup.server_id)
      return volume.listSnapshotFiles(resticOf(deps), unlocked(deps, row), backup.snapshot_id)
    }),
  )
  const entry = { listing, entries: 0 }
  kept.set(backup.id, entry)
  listing.then(
    (found) => {
      entry.entries = [...found.folders.values()].reduce((sum, { length }) => sum + length, 0)
      makeRoom()
    },
    () => kept.delete(backup.id),
  )
  return listing
}

function makeRoom() {
  let sum = [...kept.values()].reduce((total, { entries }) => total + entries, 0)
  for (const [id, { entries }] of kept) {
    if (kept.size <= mostKept && sum <= mostEntriesKept) return
    if (kept.size === 1) return
    kept.delete(id)
    sum -= entries
  }
}

const types = { f: 'file', d: 'folder', l: 'link', o: 'other' } as const

/** @throws DomainError `file_does_not_exist` */
export function folderOf({ folders, truncated }: Listing, path: string) {
  const entries = folders.get(path)
  if (entries === undefined && path !== '' && findEntry({ folders }, path)?.[1] !== 'd')
    throw new DomainError('file_does_not_exist')
  const sorted = (entries ?? []).toSorted(
    ([name, type], [other, otherType]) =>
      Number(otherType === 'd') - Number(type === 'd') || (name < other ? -1 : name > other ? 1 : 0),
  )
  const told: BackupEntry[] = sorted.slice(0, entriesTold).map(([name, type, size, modified]) => ({
    name,
    type: types[type],
    size,
    modified_at: timeOf(modified),
  }))
  return { path, entries: told, truncated: truncated || sorted.length > entriesTold }
}

/** A file may say that it was changed at any time, also at one that no calendar has. */
function timeOf(milliseconds: number): string | null {
  const year = new Date(milliseconds).getUTCFullYear()
  return year >= 1970 && year <= 9999 ? new Date(milliseconds).toISOString() : null
}

const splitPath = (path: string): [string, string] => {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)]
}

export function findEntry({ folders }: Pick<Listing, 'folders'>, path: string): volume.ListedEntry | undefined {
  const [folder, name] = splitPath(path)
  return folders.get(folder)?.find(([known]) => known === name)
}

/** Bytes of these files, and of all below these folders. */
export function bytesOf(listing: Pick<Listing, 'folders'>, paths: readonly string[]): number {
  let bytes = 0
  for (const path of paths) bytes += findEntry(listing, path)?.[2] ?? 0
  for (const [folder, entries] of listing.folders) {
    if (!paths.some((path) => folder === path || folder.startsWith(`${path}/`))) continue
    for (const [, , size] of entries) bytes += size
  }
  return bytes
}

/** Folders that are worlds: they hold a `level.dat`. */
export const worldsOf = ({ folders }: Pick<Listing, 'folders'>): string[] =>
  [...folders].filter(([, entries]) => entries.some(([name]) => name === 'level.dat')).map(([folder]) => folder)

/** Worlds, each with the folders that Bukkit keeps its other dimensions in. Pure. */
export function worldPartsOf(listing: Pick<Listing, 'folders'>): BackupWorlds {
  const worlds = worldsOf(listing).filter((folder) => folder !== '')
  const parts = new Set(
    worlds
      .flatMap((world) => bukkitParts.map(([end]) => world + end))
      .filter((path) => findEntry(listing, path)?.[1] === 'd'),
  )
  return worlds
    .filter((world) => !parts.has(world))
    .toSorted()
    .slice(0, backupWorldsTold)
    .map((folder) => {
      const paths = [folder, ...bukkitParts.map(([end]) => folder + end).filter((path) => parts.has(path))]
      return { folder, paths, bytes: bytesOf(listing, paths) }
    })
}

/** Files of one player in all worlds. Pure. */
export const pathsOfPlayer = ({ folders }: Pick<Listing, 'folders'>, id: string): string[] =>
  [...folders]
    .flatMap(([folder, entries]) =>
      entries.filter(([, type]) => type === 'f').map(([name]) => (folder === '' ? name : `${folder}/${name}`)),
    )
    .filter((path) => playerOf(path) === id)
    .slice(0, 100)

/** What differs in files and links; folders are where they are. Pure. */
export function compare(before: Listing, after: Listing): BackupChanges {
  const changes: BackupChanges['changes'] = []
  const counts = { added: 0, removed: 0, changed: 0 }
  const tell = (kind: 'added' | 'removed' | 'changed', path: string, size: number) => {
    counts[kind]++
    if (changes.length < changesTold) changes.push({ path, kind, size })
  }
  const pathOf = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)
  for (const folder of [...new Set([...before.folders.keys(), ...after.folders.keys()])].sort()) {
    const old = new Map((before.folders.get(folder) ?? []).map((entry) => [entry[0], entry]))
    for (const [name, type, size, modified] of after.folders.get(folder) ?? []) {
      const was = old.get(name)
      old.delete(name)
      if (type === 'd' && (was === undefined || was[1] === 'd')) continue
      if (was === undefined) tell('added', pathOf(folder, name), size)
      else if (was[1] !== type || was[2] !== size || was[3] !== modified) tell('changed', pathOf(folder, name), size)
    }
    for (const [name, [, type, size]] of old) if (type !== 'd') tell('removed', pathOf(folder, name), size)
  }
  const told = counts.added + counts.removed + counts.changed
  return { ...counts, changes, truncated: before.truncated || after.truncated || told > changes.length }
}
