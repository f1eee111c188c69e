import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { doorSchema, faceSchema } from '@wakestone/protocol/supervisor'
import { createDoorReader, readDoor } from './door.ts'
import { createFaceTeller, faceOf } from './face.ts'
import { tempFolder } from './test-support/temp.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const files = (texts: Record<string, string>) => (name: string) => texts[name]

test('who may come in: lists in lower case, bans that hold, operators always', () => {
  const { door, until } = readDoor(
    files({
      'server.properties': '#comment\nenforce-whitelist=true\nwhite-list=true\n',
      'whitelist.json': '[{"uuid":"a","name":"Steve"},{"uuid":"b","name":"STEVE"},{"uuid":"c"},7]',
      'ops.json': '[{"uuid":"d","name":"Boss","level":4}]',
      'banned-players.json': JSON.stringify([
        { name: 'Forever', expires: 'forever' },
        { name: 'Later', expires: '2026-11-22 14:00:00 +0100' },
        { name: 'Over', expires: '2026-11-22 12:59:59 +0100' },
        { name: 'Odd', expires: 'some day' },
      ]),
      'banned-ips.json': '[{"ip":"2001:DB8::1","expires":"forever"}]',
    }),
    now,
  )
  expect(door).toEqual({
    whitelist: ['steve', 'boss'],
    banned: ['forever', 'later', 'odd'],
    bannedAddresses: ['2001:db8::1'],
  })
  expect(until).toBe(Date.parse('2026-11-22T13:00:00Z'))
  expect(readDoor(files({ 'server.properties': 'white-list=false\n#white-list=true' }), now).door.whitelist).toBeNull()
})

test('files of any content make a door within its bounds', () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .array(fc.dictionary(fc.constantFrom('name', 'ip', 'expires'), fc.anything()))
      .map((v) => JSON.stringify(v) ?? ''),
  )
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('server.properties', 'whitelist.json', 'banned-players.json', 'banned-ips.json'),
        text,
      ),
      (texts) => {
        const { door } = readDoor(files(texts), now)
        const told = doorSchema.parse(JSON.parse(JSON.stringify(door)))
        expect(told.banned.length).toBe(door.banned.length)
      },
    ),
  )
  const many = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => ({ name: `p${index}` })))
  expect(readDoor(files({ 'banned-players.json': many }), now).door.banned).toHaveLength(1_000)
})

test('files are read again when they have changed or a ban has run out; links are not followed', () => {
  const folder = tempFolder()
  const read = createDoorReader(folder)
  expect(read(now)).toEqual({ whitelist: null, banned: [], bannedAddresses: [] })
  expect(read(now)).toBeUndefined()
  writeFileSync(join(folder, 'banned-players.json'), '[{"name":"A","expires":"2026-11-22 12:00:10 +0000"}]')
  expect(read(now)?.banned).toEqual(['a'])
  expect(read(now + 9_000)).toBeUndefined()
  expect(read(now + 11_000)?.banned).toEqual([])
  writeFileSync(join(folder, 'elsewhere'), '[{"ip":"10.0.0.1"}]')
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'banned-ips.json'))
  expect(read(now)?.bannedAddresses).not.toContain('10.0.0.1')
})

test('a face keeps its bounds, and one that always changes is told seldom', () => {
  const answer = { version: 'x', protocol: 769, online: 0, max: 20, names: [], description: '' as unknown, icon: null }
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.integer(), fc.nat(90_000), (description, version, protocol, length) => {
      const icon = `data:image/png;base64,${'A'.repeat(length)}`
      const face = faceOf({ ...answer, description, version, protocol, icon })
      expect(faceSchema.parse(face).description).toBe(face.description)
      expect(face.icon === null).toBe(icon.length > 24 * 1024)
    }),
  )
  expect(faceOf({ ...answer, description: { text: '€'.repeat(9_000) } }).description.length).toBeLessThanOrEqual(4_096)
  const told: string[] = []
  const teller = createFaceTeller(({ description }) => told.push(description))
  for (let second = 0; second < 3_600; second += 5)
    teller.take({ ...answer, description: String(second) }, second * 1000)
  expect(told.length).toBeGreaterThan(5)
  expect(told.length).toBeLessThan(12)
  teller.take({ ...answer, description: '3595' }, 1e9)
  const count = told.length
  teller.take({ ...answer, description: '3595' }, 2e9)
  expect(told).toHaveLength(count)
})
