/** Against a stand-in that speaks the real protocol: JSON-RPC over a WebSocket of its own making. */
import { createRequire } from 'node:module'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createManagement, makeManagementSecret, ManagementRefusal, NotManaged } from './management.ts'

type StandIn = {
  listening: Promise<number>
  state: { operators: unknown[]; players: unknown[]; settings: Record<string, unknown> }
  calls: { method: string; params: unknown[] }[]
  join(name: string): void
  leave(name: string): void
  drop(): void
  close(): void
}
const { startManagement } = createRequire(import.meta.url)(
  '../../../packages/simulators/src/stand-in-management.cjs',
) as { startManagement(options: object): StandIn }

async function start({ methods, wrongSecret = false }: { methods?: string[]; wrongSecret?: boolean } = {}) {
  const secret = makeManagementSecret()
  expect(secret).toMatch(/^[A-Za-z0-9]{40}$/)
  const game = startManagement({ port: 0, secret, ...(methods && { methods }) })
  game.join('Early')
  const told: string[] = []
  const management = createManagement({
    onPlayers: (players) => told.push(`there ${players.map(({ name }) => name).join(' ')}`),
    onJoined: ({ name, id }) => told.push(`joined ${name} ${id?.length}`),
    onLeft: ({ name }) => told.push(`left ${name}`),
    onChange: () => {},
    retryMs: 20,
  })
  onTestFinished(() => {
    management.close()
    game.close()
  })
  management.open({ port: await game.listening, secret: wrongSecret ? makeManagementSecret() : secret })
  return { game, management, told }
}

test('what a game has is asked for first; players, lists, settings and saving go by it', async () => {
  const { game, management, told } = await start()
  await vi.waitFor(() => expect(told).toEqual(['there Early']))
  expect(game.calls.map(({ method }) => method)).toEqual(['rpc.discover', 'minecraft:players'])
  game.join('Steve')
  game.leave('Early')
  await vi.waitFor(() => expect(told.slice(1)).toEqual(['joined Steve 36', 'left Early']))
  const answer = await management.call('operators/add', [[{ player: { name: 'Alex' }, permissionLevel: 2 }]])
  expect(answer).toMatchObject([{ player: { name: 'Alex' }, permissionLevel: 2 }])
  await management.call('serversettings/autosave/set', [false])
  expect(game.state.settings['autosave']).toBe(false)
  expect(await management.call('server/save', [true])).toBe(true)
  await expect(management.call('operators/add', ['no list'])).rejects.toThrow(ManagementRefusal)
  await expect(management.call('server/explode', [])).rejects.toThrow(NotManaged)
})

test('a method that it lacks is the console’s; a secret that is none opens nothing', async () => {
  const { management } = await start({ methods: ['minecraft:players'] })
  await vi.waitFor(() => expect(management.isOpen()).toBe(true))
  expect([management.has('players'), management.has('operators/add')]).toEqual([true, false])
  await expect(management.call('operators/add', [[]])).rejects.toThrow(NotManaged)
  const other = await start({ wrongSecret: true })
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect([other.management.isOpen(), other.game.calls]).toEqual([false, []])
})

test('a connection that breaks is made anew; after the end of the game nothing is', async () => {
  const { game, management, told } = await start()
  await vi.waitFor(() => expect(management.isOpen()).toBe(true))
  game.drop()
  await vi.waitFor(() => expect(told).toEqual(['there Early', 'there Early']))
  management.close()
  const { length } = game.calls
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect([management.isOpen(), game.calls.length]).toEqual([false, length])
})
