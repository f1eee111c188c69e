/** What folders of backups hold, and how two states differ: checked against a plain comparison of all files. */
import { playerOf, worldOf } from '@wakestone/contract/servers/backups'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Listing, ListedEntry } from '#src/adapters/restic/volume.ts'
import { bytesOf, compare, findEntry, folderOf, pathsOfPlayer, worldPartsOf, worldsOf } from './listings.ts'

type Files = Record<string, { size: number; modified: number }>

function listingOf(files: Files): Listing {
  const folders = new Map<string, ListedEntry[]>()
  const add = (folder: string, entry: ListedEntry) => {
    const known = folders.get(folder) ?? []
    if (!known.some(([name]) => name === entry[0])) known.push(entry)
    folders.set(folder, known)
  }
  for (const [path, { size, modified }] of Object.entries(files)) {
    const parts = path.split('/')
    for (let depth = 0; depth < parts.length - 1; depth++)
      add(parts.slice(0, depth).join('/'), [parts[depth]!, 'd', 0, 0])
    add(parts.slice(0, -1).join('/'), [parts.at(-1)!, 'f', size, modified])
  }
  return { folders, truncated: false }
}

const name = fc.constantFrom('a', 'b', 'c')
// A name is a folder or a file, not both: folders end with a slash of their own kind.
const path = fc
  .tuple(fc.array(name, { maxLength: 3 }), name)
  .map(([folders, file]) => [...folders.map((folder) => `${folder}-dir`), file].join('/'))
const filesOf = fc.dictionary(path, fc.record({ size: fc.nat(3), modified: fc.nat(2) }), { maxKeys: 20 })

test('tells each file that came, went or changed, and no other', () => {
  fc.assert(
    fc.property(filesOf, filesOf, (before, after) => {
      const told = compare(listingOf(before), listingOf(after))
      const wanted = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((file) => {
        if (before[file] === undefined) return [{ path: file, kind: 'added', size: after[file]!.size }]
        if (after[file] === undefined) return [{ path: file, kind: 'removed', size: before[file].size }]
        return before[file].size === after[file].size && before[file].modified === after[file].modified
          ? []
          : [{ path: file, kind: 'changed', size: after[file].size }]
      })
      const sorted = (list: { path: string }[]) => list.toSorted((one, other) => (one.path < other.path ? -1 : 1))
      expect(sorted(told.changes)).toEqual(sorted(wanted))
      expect(told.added + told.removed + told.changed).toBe(wanted.length)
    }),
  )
})

test('finds entries, their bytes, and worlds; folders come first', () => {
  const listing = listingOf({
    'world/level.dat': { size: 1, modified: 0 },
    'world/region/r.0.0.mca': { size: 10, modified: 0 },
    'world/playerdata/069a79f4-44e9-4726-a5be-fca90e38aaf5.dat': { size: 100, modified: 0 },
    'worlds-of-others.txt': { size: 1000, modified: 0 },
    'a.txt': { size: 10_000, modified: 8.64e15 },
  })
  expect(bytesOf(listing, ['world'])).toBe(111)
  expect(bytesOf(listing, ['world/region', 'a.txt'])).toBe(10_010)
  expect(findEntry(listing, 'world/none')).toBeUndefined()
  expect(folderOf(listing, '').entries.map((entry) => entry.name)).toEqual(['world', 'a.txt', 'worlds-of-others.txt'])
  expect(folderOf(listing, '').entries.find((entry) => entry.name === 'a.txt')?.modified_at).toBeNull()
  expect(() => folderOf(listing, 'nowhere')).toThrow('file_does_not_exist')
  expect(worldsOf(listing)).toEqual(['world'])
  expect(worldOf('world/region/r.0.0.mca', worldsOf(listing))).toBe('world')
  expect(worldOf('worlds-of-others.txt', worldsOf(listing))).toBeUndefined()
  expect(playerOf('world/playerdata/069a79f4-44e9-4726-a5be-fca90e38aaf5.dat')).toBeDefined()
  expect(playerOf('world/level.dat')).toBeUndefined()
})

test('worlds with all that belongs to them, and what there is of one player', () => {
  const id = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
  const file = { size: 1, modified: 0 }
  const listing = listingOf({
    'world/level.dat': file,
    [`world/playerdata/${id}.dat`]: { size: 100, modified: 0 },
    [`world/stats/${id}.json`]: { size: 20, modified: 0 },
    'world/playerdata/1d2f7c4e-44e9-4726-a5be-fca90e38aaf5.dat': file,
    'world_nether/level.dat': file,
    'world_nether/DIM-1/region/r.0.0.mca': { size: 50, modified: 0 },
    'neu/level.dat': file,
    [`neu/players/data/${id}.dat`]: { size: 7, modified: 0 },
    'level.dat': file,
    'other_nether/level.dat': file,
  })
  expect(worldPartsOf(listing)).toEqual([
    { folder: 'neu', paths: ['neu'], bytes: 8 },
    { folder: 'other_nether', paths: ['other_nether'], bytes: 1 },
    { folder: 'world', paths: ['world', 'world_nether'], bytes: 173 },
  ])
  expect(pathsOfPlayer(listing, id).toSorted()).toEqual([
    `neu/players/data/${id}.dat`,
    `world/playerdata/${id}.dat`,
    `world/stats/${id}.json`,
  ])
})
