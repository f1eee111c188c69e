import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  banTime,
  changeList,
  offlineUuid,
  readAddressBans,
  readAllowlist,
  readBanTime,
  readOperators,
  readPermissions,
  readPlayerBans,
  readWhitelist,
} from './access-lists.ts'

/** As the game writes its lists. */
const writeList = (entries: readonly unknown[]) => `${JSON.stringify(entries, null, 2)}\n`

const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
const anyPlayer = fc.record({ uuid: fc.uuid(), name: fc.stringMatching(/^\w{3,16}$/) })
const wellFormed = fc.string({ unit: 'grapheme' })
const anyBan = fc.record({
  created: wellFormed,
  source: wellFormed,
  expires: fc.string({ minLength: 1 }),
  reason: wellFormed,
})

test('what is written is read', () => {
  fc.assert(
    fc.property(fc.array(anyPlayer), (players) => {
      expect(readWhitelist(writeList(players))).toEqual(players)
    }),
  )
  const operator = fc
    .tuple(anyPlayer, fc.record({ level: fc.integer({ min: 1, max: 4 }), bypassesPlayerLimit: fc.boolean() }))
    .map(([player, more]) => ({ ...player, ...more }))
  fc.assert(fc.property(fc.array(operator), (list) => void expect(readOperators(writeList(list))).toEqual(list)))
  const ban = fc.tuple(anyPlayer, anyBan).map(([player, more]) => ({ ...player, ...more }))
  fc.assert(fc.property(fc.array(ban), (list) => void expect(readPlayerBans(writeList(list))).toEqual(list)))
  const address = fc.tuple(fc.ipV4(), anyBan).map(([ip, more]) => ({ ip, ...more }))
  fc.assert(fc.property(fc.array(address), (list) => void expect(readAddressBans(writeList(list))).toEqual(list)))
})

test('what is no list holds nobody, and what is no entry is passed over', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      for (const read of [
        readWhitelist,
        readOperators,
        readPlayerBans,
        readAddressBans,
        readAllowlist,
        readPermissions,
      ])
        expect(Array.isArray(read(json))).toBe(true)
    }),
  )
  expect(readWhitelist('not json')).toEqual([])
  expect(readWhitelist(JSON.stringify([null, 3, { uuid }, { uuid, name: 'a\nop x' }, { uuid, name: 'Jeb_' }]))).toEqual(
    [{ uuid, name: 'Jeb_' }],
  )
  expect(readOperators(JSON.stringify([{ uuid, name: 'Jeb_', level: 9 }]))).toEqual([])
})

test('times of bans', () => {
  const time = new Date('2026-11-23T14:05:00Z')
  expect(banTime(time)).toBe('2026-11-23 14:05:00 +0000')
  expect(readBanTime(banTime(time))).toEqual(time)
  expect(readBanTime('2026-11-23 15:05:00 +0100')).toEqual(time)
  expect([readBanTime('forever'), readBanTime('2026-13-40 99:00:00 +0000'), readBanTime('')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('the UUID of a name, where nobody asks Mojang', () => {
  const md5 = (text: string) => createHash('md5').update(text).digest()
  expect(offlineUuid('Notch', md5)).toBe('b50ad385-829d-3141-a216-7e7d7539ba7f')
})

test('the lists of Bedrock Edition', () => {
  const json = writeList([
    { ignoresPlayerLimit: true, name: 'Big Steve 42', xuid: '2535416409681153' },
    { name: 'Ala', xuid: 7 },
    { name: 'x" op y' },
  ])
  expect(readAllowlist(json)).toEqual([
    { name: 'Big Steve 42', xuid: '2535416409681153', ignoresPlayerLimit: true },
    { name: 'Ala', xuid: null, ignoresPlayerLimit: false },
  ])
  const permissions = writeList([
    { permission: 'operator', xuid: '12' },
    { permission: 'king', xuid: '13' },
    { xuid: '1' },
  ])
  expect(readPermissions(permissions)).toEqual([{ permission: 'operator', xuid: '12' }])
})

test('an entry is put in and taken out, and what else stands in a list stays', () => {
  const before = writeList([{ uuid: 'u', name: 'Ala', own: 1 }, 'odd', { name: 'Ola' }])
  expect(JSON.parse(changeList(before, 'name', { put: { name: 'ALA', level: 2 } }))).toEqual([
    { uuid: 'u', name: 'ALA', own: 1, level: 2 },
    'odd',
    { name: 'Ola' },
  ])
  expect(JSON.parse(changeList(before, 'name', { remove: 'ola' }))).toEqual([{ uuid: 'u', name: 'Ala', own: 1 }, 'odd'])
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), anyPlayer, (json, player) => {
      const put = changeList(json, 'uuid', { put: player })
      expect(readWhitelist(put).filter(({ uuid: id }) => id === player.uuid.toLowerCase())).toHaveLength(1)
      expect(readWhitelist(changeList(put, 'uuid', { remove: player.uuid })).map(({ uuid: id }) => id)).not.toContain(
        player.uuid.toLowerCase(),
      )
    }),
  )
})
