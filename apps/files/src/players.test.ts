/** What a game keeps of its players, as the service tells and changes it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compoundOf, listOf, type NbtTag, writeNbt } from '@wakestone/minecraft/nbt'
import { playerFileSchema, playersSchema } from '@wakestone/protocol/files'
import { isLong } from '../../../tests/support/long.ts'
import { startService } from './test-support/service.ts'

const ala = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
const ola = 'b50ad385-829d-3141-a216-7e7d7539ba7f'
const int = (value: number): NbtTag => ({ type: 'int', value })
const string = (value: string): NbtTag => ({ type: 'string', value })
const dataOf = (name: string) =>
  gzipSync(
    writeNbt(
      compoundOf({
        DataVersion: int(4189),
        Health: { type: 'float', value: 20 },
        foodLevel: int(20),
        Pos: listOf([1, 64, 2].map((value) => ({ type: 'double', value }) as const)),
        Inventory: listOf([
          compoundOf({ Slot: { type: 'byte', value: 0 }, id: string('minecraft:dirt'), count: int(5) }),
        ]),
        bukkit: compoundOf({ lastKnownName: string(name) }),
      }),
      { name: '' },
    ),
  )
const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const stats = json({ stats: { 'minecraft:custom': { 'minecraft:play_time': 72_000 } } })
const files = {
  'server.properties': Buffer.from('level-name=My world\nwhite-list=true\nonline-mode=false\n'),
  'whitelist.json': json([{ uuid: ala, name: 'Ala' }]),
  'ops.json': json([{ uuid: ala, name: 'Ala', level: 3 }]),
  'banned-players.json': json([{ uuid: ola, name: 'Ola', reason: 'no', expires: 'forever' }]),
  'banned-ips.json': json([{ ip: '192.0.2.1', reason: 'spam' }]),
  'usercache.json': json([{ uuid: ala, name: 'Ala', expiresOn: 'x' }]),
  [`My world/playerdata/${ala}.dat`]: dataOf('Ala'),
  [`My world/playerdata/${ola}.dat`]: dataOf('Ola'),
  [`My world/stats/${ala}.json`]: stats,
  [`My world/advancements/${ala}.json`]: json({}),
}

test('lists and everybody who ever came are told', { timeout: 60_000 }, async () => {
  const { ask, lay } = await startService()
  lay(files)
  const told = playersSchema.parse((await ask('GET', '/v1/players?edition=java')).json)
  expect(told).toMatchObject({
    onlineMode: false,
    whitelistOn: true,
    whitelist: [{ id: ala, name: 'Ala' }],
    operators: [{ id: ala, name: 'Ala', level: 3 }],
    bans: [{ id: ola, name: 'Ola', reason: 'no', expires: 'forever' }],
    addressBans: [{ ip: '192.0.2.1', reason: 'spam' }],
    truncated: false,
  })
  expect(told.known).toHaveLength(2)
  expect(told.known).toContainEqual(expect.objectContaining({ id: ala, name: 'Ala', played: 3600, hasData: true }))
  lay({
    'allowlist.json': json([{ name: 'Big Steve', xuid: '25' }]),
    'permissions.json': json([{ xuid: '25', permission: 'operator' }]),
  })
  expect(playersSchema.parse((await ask('GET', '/v1/players?edition=bedrock')).json)).toMatchObject({
    whitelist: [{ id: '25', name: 'Big Steve' }],
    operators: [{ id: '25', name: 'Big Steve' }],
  })
})

test('a player’s file is changed whole, and the one before is kept', { timeout: 60_000 }, async () => {
  const { ask, lay, data } = await startService()
  lay(files)
  const path = `My world/playerdata/${ala}.dat`
  const read = async () => playerFileSchema.parse((await ask('GET', `/v1/player?id=${ala}`)).json)
  const { revision, ...before } = await read()
  expect(before).toMatchObject({ health: 20, position: { x: 1, y: 64, z: 2 }, inventory: [{ slot: 0, count: 5 }] })
  const change = (changes: object, at = revision) =>
    ask('POST', '/v1/player', { body: { id: ala, revision: at, changes } })
  expect((await change({ food: 99 })).json).toMatchObject({ error: 'invalid_request' })
  const items = [{ container: 'inventory', slot: 8, item: { id: 'minecraft:diamond', count: 3 } }]
  expect((await change({ health: 4, items })).status).toBe(200)
  expect(await read()).toMatchObject({
    health: 4,
    inventory: [
      { slot: 0, id: 'minecraft:dirt' },
      { slot: 8, id: 'minecraft:diamond', count: 3 },
    ],
  })
  expect((await change({ health: 5 })).json).toMatchObject({ error: 'file_has_been_modified_since' })
  const kept = (await ask('GET', `/v1/revisions?path=${encodeURIComponent(path)}`)).json.revisions as { id: string }[]
  expect(kept).toHaveLength(1)
  const old = await ask('GET', `/v1/revision?path=${encodeURIComponent(path)}&id=${kept[0]!.id}`)
  expect(old.bytes.equals(dataOf('Ala'))).toBe(true)

  const names = { id: ala, names: ['Ala'] }
  expect((await ask('POST', '/v1/player/forget', { body: names })).status).toBe(204)
  for (const gone of [path, `My world/stats/${ala}.json`, `My world/advancements/${ala}.json`])
    expect(existsSync(join(data, gone)), gone).toBe(false)
  for (const list of ['whitelist.json', 'ops.json', 'usercache.json'])
    expect(readFileSync(join(data, list), 'utf8'), list).toBe('[]\n')
  expect(JSON.parse(readFileSync(join(data, 'banned-players.json'), 'utf8'))).toHaveLength(1)
  for (const file of [path, 'whitelist.json'])
    expect((await ask('GET', `/v1/revisions?path=${encodeURIComponent(file)}`)).json.revisions, file).toEqual([])
  expect((await ask('GET', `/v1/player?id=${ala}`)).json).toMatchObject({ error: 'file_does_not_exist' })
})

test('what is no player, or leads elsewhere, harms nobody', { timeout: 120_000 }, async () => {
  const { ask, lay } = await startService()
  lay({ 'server.properties': Buffer.from('level-name=../../etc\n') })
  expect((await ask('GET', `/v1/player?id=../../../etc/passwd`)).json).toMatchObject({ error: 'invalid_request' })
  expect(playersSchema.parse((await ask('GET', '/v1/players?edition=java')).json).known).toEqual([])
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), fc.json(), async (bytes, packed, text) => {
      lay({
        [`world/playerdata/${ala}.dat`]: packed ? gzipSync(bytes) : Buffer.from(bytes),
        'server.properties': Buffer.from(bytes),
        'whitelist.json': Buffer.from(text),
        'usercache.json': Buffer.from(bytes),
      })
      expect([200, 400, 404]).toContain((await ask('GET', `/v1/player?id=${ala}`)).status)
      const told = await ask('GET', '/v1/players?edition=java')
      expect(told.status).toBe(200)
      playersSchema.parse(told.json)
    }),
    { numRuns: isLong ? 30 : 1, examples: [[new Uint8Array(), false, '[{"uuid":1,"name":{}}]']] },
  )
})
