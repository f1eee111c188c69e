import { findNameFault } from '@wakestone/contract/servers/file-values'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  canMoveInto,
  extensionOf,
  folderAddress,
  folderOf,
  freeName,
  isWithin,
  joinPath,
  nameOf,
  readFolder,
  trailOf,
} from './paths.ts'

const nameArbitrary = fc
  .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
  .filter((name) => findNameFault(name) === undefined)
const pathArbitrary = fc.array(nameArbitrary, { maxLength: 5 }).map((names) => names.join('/'))

test('a path falls apart into its folder and its name, and comes together again', () => {
  fc.assert(
    fc.property(pathArbitrary, nameArbitrary, (folder, name) => {
      const path = joinPath(folder, name)
      expect([folderOf(path), nameOf(path)]).toEqual([folder, name])
      expect(isWithin(path, folder)).toBe(true)
      expect(isWithin(folder, path)).toBe(false)
      expect(trailOf(path)).toHaveLength(trailOf(folder).length + 1)
    }),
  )
})

/** What a router makes of an address: the rest of the path after `/files/`, each part decoded. */
function openAddress(address: string): string {
  const url = new URL(`http://localhost${address}`)
  const rest = url.pathname.slice('/files'.length).replace(/^\//, '')
  if (rest === 'trash' || rest.startsWith('trash/')) return 'the trash'
  return readFolder(rest.split('/').map(decodeURIComponent).join('/'), url.searchParams)
}

test('every folder has an address that leads back to it', () => {
  fc.assert(
    fc.property(pathArbitrary, (folder) => {
      expect(openAddress(folderAddress(folder))).toBe(folder)
    }),
    { examples: [['trash'], ['trash/world'], ['trashcan'], ['100 %/ü#?'], ['']] },
  )
})

test('an address climbs nowhere', () => {
  expect(readFolder('world/../../etc', new URLSearchParams())).toBe('world/etc')
  expect(readFolder('//world//', new URLSearchParams())).toBe('world')
})

test.each([
  ['config.YML', 'yml'],
  ['plugins/a.b/readme', ''],
  ['.gitignore', ''],
  ['world.tar.gz', 'gz'],
])('%s ends with "%s"', (path, extension) => expect(extensionOf(path)).toBe(extension))

test('a name that is taken gets the next free number', () => {
  const taken = new Set(['cfg', 'cfg (2)', 'world (2)'])
  expect(freeName('cfg', (name) => taken.has(name))).toBe('cfg (3)')
  expect(freeName('world', (name) => taken.has(name))).toBe('world')
})

test('nothing goes into itself, nor to where it is', () => {
  expect(canMoveInto(['world'], 'world/region')).toBe(false)
  expect(canMoveInto(['world'], 'world')).toBe(false)
  expect(canMoveInto(['world/region'], 'world')).toBe(false)
  expect(canMoveInto(['world'], 'world_nether')).toBe(true)
  expect(canMoveInto(['a/b', 'a/c'], '')).toBe(true)
  expect(canMoveInto([], 'a')).toBe(false)
})
