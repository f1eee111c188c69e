/** Players of a real server: one who joins is banned, let in again, and finds what was put into their pockets. */
import mineflayer, { type Bot } from 'mineflayer'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as players from '@wakestone/contract/servers/players-routes'
import type { ListChange } from '@wakestone/contract/servers/players'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { offlineId } from '../../apps/server/src/features/servers/players/identity.ts'
import { liftDueBans } from '../../apps/server/src/features/servers/players/timed-bans.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { freeUdpPort } from '../support/bedrock-game.ts'
import { isLong } from '../support/long.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import {
  isDown,
  isUp,
  order,
  prepareArtifacts,
  shareServer,
  startTestWorker,
  topUp,
  untilStatus,
} from '../support/servers.ts'

vi.setConfig({ testTimeout: 90_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let id: string
let walletId: string
const bots: Bot[] = []
const params = () => ({ id })

beforeAll(async () => {
  const port = await freeUdpPort()
  api = await startTestApi({ BEDROCK_PORTS: `${port}-${port}`, SLEEP_MINUTES_AFTER_START: '0' })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  walletId = await topUp(api.context, owner, 10_000)
  id = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  await untilStatus(owner, id, isUp)
}, 120_000)
afterEach(() => {
  for (const bot of bots.splice(0)) bot.end()
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

/** Resolves with the bot once it stands in the world; rejects with why it may not. */
async function join(username: string): Promise<Bot> {
  const { rows } = await api.context.database.pool.query<{ game_host: string; game_port: number }>(
    'select game_host, game_port from servers where id = $1',
    [id],
  )
  const { game_host: host, game_port: port } = rows[0]!
  const bot = mineflayer.createBot({ host, port, username, auth: 'offline', version: '1.21.4', hideErrors: true })
  bots.push(bot)
  bot.on('error', () => undefined)
  return new Promise((resolve, reject) => {
    bot.once('spawn', () => resolve(bot))
    bot.once('kicked', (reason) => reject(new Error(`kicked: ${JSON.stringify(reason)}`)))
    bot.once('end', (reason) => reject(new Error(`ended: ${reason}`)))
  })
}
/** A refusal may be overtaken by the end of its connection: then it is asked for again. */
const refused = (username: string, why: RegExp) =>
  vi.waitFor(() => expect(join(username)).rejects.toThrow(why), { timeout: 15_000, interval: 300 })
const show = (by = owner) => by.call(players.getPlayers, { params: params() })
const change = (body: ListChange) => owner.call(players.changePlayerList, { params: params(), body: body as never })
const untilOn = (names: string[]) =>
  vi.waitFor(async () => expect((await show()).online.map(({ name }) => name)).toEqual(names), 15_000)
const stop = async () => {
  await owner.call(routes.stopServer, { params: params(), query: {} })
  await untilStatus(owner, id, isDown)
}
const start = async () => {
  await owner.call(routes.startServer, { params: params() })
  await untilStatus(owner, id, isUp)
}

test('who joins is seen, messaged, kicked, banned, refused, let in again; and their time is kept', async () => {
  const bot = await join('Steve')
  await untilOn(['Steve'])
  const heard = new Promise<string>((resolve) =>
    bot.on('messagestr', (text) => void (text.includes('psst') && resolve(text))),
  )
  const act = (body: object) => owner.call(players.actOnPlayer, { params: params(), body: body as never })
  await act({ action: 'message', name: 'steve', text: 'psst' })
  expect(await heard).toContain('psst')
  const moved = new Promise<void>((resolve) =>
    bot.on('forcedMove', () => void (bot.entity.position.x > 40 && resolve())),
  )
  await act({ action: 'teleport', name: 'Steve', to: { x: 50, y: 90, z: 3 } })
  await moved
  await act({ action: 'game_mode', name: 'Steve', mode: 'survival' })
  await vi.waitFor(() => expect(bot.game.gameMode).toBe('survival'), 5_000)
  expect(await outcomeOf(act({ action: 'kick', name: 'Alex' }))).toBe('player_not_foound')

  const kicked = new Promise<string>((resolve) => bot.once('end', resolve))
  expect(await change({ list: 'bans', action: 'add', name: 'Steve', reason: 'too loud', until: null })).toEqual({
    confirmed: true,
  })
  await kicked
  await untilOn([])
  expect((await show()).bans).toMatchObject([
    { name: 'Steve', id: offlineId('Steve'), reason: 'too loud', until: null },
  ])
  await refused('Steve', /banned.*too loud/s)

  expect(await change({ list: 'pardons', action: 'add', name: 'STEVE' })).toEqual({ confirmed: true })
  await join('Steve')
  await untilOn(['Steve'])
  const { points, sessions } = await owner.call(players.getPlayerHistory, { params: params(), query: {} })
  expect(points).toHaveLength(24)
  // The hour may have turned meanwhile.
  expect(points.slice(-2).reduce((sum, { joins }) => sum + joins, 0)).toBe(2)
  expect(points.at(-1)).toMatchObject({ players: 1 })
  expect(sessions.map(({ name, left_at }) => [name, left_at === null])).toEqual([
    ['Steve', true],
    ['Steve', false],
  ])
  await act({ action: 'kick', name: 'Steve', reason: 'building over others' })
  await untilOn([])
  const query = { limit: 1, action: 'SERVER_PLAYER_ACTION' } as const
  const { data } = await owner.call(routes.listServerEvents, { params: params(), query })
  expect(data[0]).toMatchObject({
    success: true,
    data: { executor: owner.user.id, player: 'Steve', what: 'kick', reason: 'building over others' },
  })
})

test('the whitelist and bans of addresses work by command', async () => {
  expect(await change({ list: 'whitelist_state', on: true })).toEqual({ confirmed: true })
  await refused('Alex', /white-?list/i)
  expect(await change({ list: 'whitelist', action: 'add', name: 'Alex' })).toEqual({ confirmed: true })
  await join('Alex')
  const address = { list: 'address_bans', action: 'add', reason: 'spam', until: null } as const
  expect(await refusalOf(change({ ...address, ip: '127.0.0.1' }))).toMatchObject({ error: 'invalid_request' })
  expect(await change({ ...address, ip: '8.8.4.4' })).toEqual({ confirmed: true })
  expect(await show()).toMatchObject({
    whitelist_on: true,
    whitelist: [{ name: 'Alex' }],
    address_bans: [{ ip: '8.8.4.4', reason: 'spam' }],
  })
  await change({ list: 'address_pardons', action: 'add', ip: '8.8.4.4' })
  await change({ list: 'whitelist_state', on: false })
})

test.runIf(isLong)(
  'while it is down lists and players are changed in its files, and shown as before; the game keeps to them',
  async () => {
    const bot = await join('Steve')
    await untilOn(['Steve'])
    const put = bot.inventory.items()
    expect(put).toEqual([])
    const op = { action: 'add', name: 'Steve', level: 2 } as const
    expect(await outcomeOf(owner.call(players.changeOperators, { params: params(), body: op }))).toBe(
      'server_is_running',
    )
    bot.end()
    await untilOn([])
    await stop()
    const player = { ...params(), player_id: offlineId('Steve') }
    await change({ list: 'bans', action: 'add', name: 'Alex', reason: '', until: null })
    await change({ list: 'whitelist', action: 'add', name: 'Ola' })
    await owner.call(players.changeOperators, { params: params(), body: op })
    const shown = await show()
    expect(shown).toMatchObject({
      changed_by: 'files',
      online_mode: false,
      whitelist: [{ name: 'Alex' }, { name: 'Ola', id: offlineId('Ola') }],
      operators: [{ name: 'Steve', level: 2 }],
      bans: [{ name: 'Alex', until: null }],
    })
    expect(shown.known.find(({ name }) => name === 'Steve')).toMatchObject({ id: player.player_id, has_data: true })

    const before = (await owner.call(players.getPlayer, { params: player })).data!
    const edit = {
      revision: before.revision,
      position: { x: 10.5, y: 80, z: 20.5 },
      items: [{ container: 'inventory' as const, slot: 0, item: { id: 'minecraft:diamond', count: 7 } }],
    }
    await owner.call(players.changePlayer, { params: player, body: edit })
    expect(await outcomeOf(owner.call(players.changePlayer, { params: player, body: edit }))).toBe(
      'file_has_been_modified_since',
    )
    await start()
    await refused('Alex', /banned/)
    const again = await join('Steve')
    await vi.waitFor(
      () => expect(again.inventory.items().map(({ name, count }) => [name, count])).toEqual([['diamond', 7]]),
      10_000,
    )
    expect(Math.round(again.entity.position.x)).toBe(11)
    expect(await outcomeOf(owner.call(players.changePlayer, { params: player, body: edit }))).toBe('server_is_running')
  },
)

test('a ban ends by itself, whether its game is up or not', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await change({ list: 'bans', action: 'add', name: 'Kim', reason: 'cool down', until })
  expect((await show()).bans).toContainEqual(expect.objectContaining({ name: 'Kim', until }))
  await liftDueBans(worker.context)
  await refused('Kim', /banned/)
  await api.context.database.pool.query(`update timed_bans set until = now() where server_id = $1`, [id])
  await liftDueBans(worker.context)
  expect((await show()).bans.map(({ name }) => name)).not.toContain('Kim')
  await join('Kim')
})

test.runIf(isLong)(
  'a frozen game is told, and falls asleep again; a player’s file is changed while it sleeps on',
  async () => {
    for (const bot of bots.splice(0)) bot.end()
    await untilOn([])
    const rule = JSON.stringify({ light: 1 / 60, deep: null, hibernate: null })
    const setSleep = (text: string) =>
      api.context.database.pool.query(
        `update servers set limits = jsonb_set(limits::jsonb, '{sleep}', $2::jsonb) where id = $1`,
        [id, text],
      )
    await setSleep(rule)
    const isFrozen = ({ game_status }: { game_status: string }) => game_status === 'IRL_LIGHT_SLEEP'
    await untilStatus(owner, id, isFrozen)
    const player = { ...params(), player_id: offlineId('Steve') }
    const { revision } = (await owner.call(players.getPlayer, { params: player })).data!
    await owner.call(players.changePlayer, { params: player, body: { revision, health: 9 } })
    expect((await owner.call(players.getPlayer, { params: player })).data).toMatchObject({ health: 9 })
    expect((await (await api.context.fleet.find(id))!.status()).phase).toBe('frozen')
    expect(await change({ list: 'bans', action: 'add', name: 'Zed', reason: '', until: null })).toEqual({
      confirmed: true,
    })
    await untilStatus(owner, id, isFrozen)
    await setSleep(JSON.stringify({ light: 60, deep: 60, hibernate: 60 }))
  },
)

test.runIf(isLong)('guests see what they may; a player who is forgotten is gone everywhere', async () => {
  const guest = await api.signUp()
  await shareServer(api.context, { serverId: id, userId: guest.user.id, capabilities: { 'server.manage.read': true } })
  expect((await show(guest)).address_bans).toBeNull()
  const player = { ...params(), player_id: offlineId('Steve') }
  const ban = { list: 'pardons', action: 'add', name: 'Zed' } as const
  const byGuest = () => guest.call(players.changePlayerList, { params: params(), body: ban })
  expect(await outcomeOf(byGuest())).toBe('insufficient_capabilities')
  expect(await outcomeOf(guest.call(players.getPlayer, { params: player }))).toBe('insufficient_capabilities')
  const moderator = await api.signUp()
  await shareServer(api.context, {
    serverId: id,
    userId: moderator.user.id,
    capabilities: { 'server.manage.read': true, 'server.manage.players': true },
  })
  await moderator.call(players.getPlayer, { params: player })
  const op = { action: 'add', name: 'Zed' } as const
  expect(await outcomeOf(moderator.call(players.changeOperators, { params: params(), body: op }))).toBe(
    'insufficient_capabilities',
  )

  const forget = { id: player.player_id, name: 'Steve' }
  const forgetting = () => owner.call(players.forgetPlayer, { params: params(), body: forget })
  expect(await outcomeOf(forgetting())).toBe('server_is_running')
  await stop()
  await forgetting()
  const shown = await show()
  expect(JSON.stringify([shown.known, shown.operators, shown.online])).not.toContain('Steve')
  expect((await owner.call(players.getPlayer, { params: player })).data).toBeNull()
  const { rows } = await api.context.database.pool.query(
    `select 1 from audit_events where resource_id = $1 and data::text ilike '%steve%'
     union all select 1 from player_sessions where name = 'Steve'`,
    [id],
  )
  expect(rows).toEqual([])
})

test.runIf(isLong)('of Bedrock the allow list and operators, by command and in the files', async () => {
  const body = order(walletId, '1.26.20', { name: 'Deep slate', engine: 'serenity', game: 'minecraft-bedrock' })
  const server = await owner.call(routes.createServer, { body })
  const at = { id: server.id }
  await untilStatus(owner, server.id, isUp)
  const alter = (list: ListChange) => owner.call(players.changePlayerList, { params: at, body: list as never })
  const see = () => owner.call(players.getPlayers, { params: at })
  const name = 'Big Steve 42'
  expect(await alter({ list: 'whitelist', action: 'add', name })).toEqual({ confirmed: true })
  expect(await alter({ list: 'whitelist_state', on: true })).toEqual({ confirmed: true })
  expect(await see()).toMatchObject({ edition: 'bedrock', whitelist_on: true, whitelist: [{ name }], bans: [] })
  const ban = { list: 'bans', action: 'add', name, reason: '', until: null } as const
  expect(await outcomeOf(alter(ban))).toBe('invalid_request')
  expect(await outcomeOf(alter({ list: 'whitelist', action: 'add', name: '.Java"x' }))).toBe('invalid_request')
  await owner.call(routes.stopServer, { params: at, query: {} })
  await untilStatus(owner, server.id, isDown)
  expect(await see()).toMatchObject({ changed_by: 'files', whitelist_on: true, whitelist: [{ name }] })
  const op = { action: 'add', name } as const
  expect(await outcomeOf(owner.call(players.changeOperators, { params: at, body: op }))).toBe('player_not_foound')
  await alter({ list: 'whitelist', action: 'remove', name: 'big steve 42' })
  await alter({ list: 'whitelist_state', on: false })
  expect(await see()).toMatchObject({ whitelist_on: false, whitelist: [] })
})
