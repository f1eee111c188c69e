/** Games that will not end are ended, and seen to have ended from outside of their sandbox. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { serverPaths } from './paths.ts'
import { findInside, findSandbox } from './placement.ts'
import { identify, isAlive } from './processes.ts'
import { openSandboxBench, type SandboxBench } from './test-support/sandbox-bench.ts'

vi.setConfig({ testTimeout: 60_000 })

let bench: SandboxBench
beforeAll(async () => {
  bench = await openSandboxBench()
})
afterAll(() => bench.close())

const game = readFileSync(new URL('../../../../../supervisor/src/test-support/script-game.ts', import.meta.url), 'utf8')
/** Leaves its process group and its parent, and goes on by starting itself anew all the time. */
const STUBBORN = `
  import { spawn as begin } from 'node:child_process'
  const run = (script) => begin('/usr/bin/setsid', ['-f', '/bin/sh', '-c', script], { stdio: 'ignore' })
  run('trap "" TERM HUP; while :; do sleep 600; done')
  run('again() { setsid -f /bin/sh -c "$1" again "$1"; }; sleep 0.02; again "$0" 2>/dev/null; sleep 2')
  run('sleep 0.01; exec setsid -f /bin/sh -c "while :; do (sleep 0.05 &) ; sleep 0.02; done"')
`
const membersOf = (serverId: string) => {
  const sandbox = findSandbox(serverPaths(bench.dataDir, serverId))
  return sandbox ? findInside(sandbox).flatMap((pid) => identify(pid) ?? []) : []
}

async function placeStubborn() {
  const server = await bench.placeNew()
  await server.client.install(await bench.packScript(STUBBORN + game))
  await bench.reach(server.client, ['stopped'])
  await server.client.start()
  await bench.reach(server.client, ['running'])
  await vi.waitFor(() => expect(membersOf(server.serverId).length).toBeGreaterThan(5), 15_000)
  return server
}

test.each([
  ['a stop', (client: SupervisorClient) => client.stop(10)],
  ['a kill', (client: SupervisorClient) => client.kill()],
])('%s ends all that a game has started, the supervisor stays', async (_name, end) => {
  const { serverId, client } = await placeStubborn()
  expect(await bench.cluster.gameIsGone(serverId)).toBe(false)
  await end(client)
  await bench.reach(client, ['stopped'])
  expect(await bench.cluster.endGame(serverId)).toBe('gone')
  expect(await bench.cluster.gameIsGone(serverId)).toBe(true)
  expect(membersOf(serverId)).toHaveLength(2)
  expect(await client.status()).toMatchObject({ phase: 'stopped' })
  await client.start()
  await bench.reach(client, ['running'])
})

test('a game that its supervisor leaves running is ended with it', async () => {
  const { serverId } = await placeStubborn()
  const members = membersOf(serverId)
  expect(await bench.cluster.endGame(serverId)).toBe('ended with its supervisor')
  expect(members.filter(isAlive)).toEqual([])
  expect(await bench.cluster.gameIsGone(serverId)).toBe(true)
  expect(await bench.cluster.inspect(serverId)).toEqual({ state: 'exited', inOrder: false })
  const { endpoint } = await bench.cluster.place({ serverId, limits: bench.limits })
  expect(await bench.connect(serverId, endpoint).status()).toMatchObject({
    // How a game ended that ended with its supervisor, nobody has seen.
    lastExit: { code: null, signal: null },
  })
  await bench.cluster.remove(serverId)
  expect(await bench.cluster.endGame(serverId)).toBe('gone')
})
