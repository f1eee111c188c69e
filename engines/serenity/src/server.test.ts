/** The packaged server, started as the supervisor starts it, with a real client. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Artifact } from '@wakestone/engine-packing/artifact'
import { extract } from 'tar'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type BedrockPlayer, joinBedrock } from '../../../tests/support/bedrock-player.ts'
import { buildSerenityArtifact } from './build.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let root: string
let artifact: Artifact
let engine: string
let folder: string
let games: ChildProcess[] = []
let players: BedrockPlayer[] = []

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'wakestone-serenity-'))
  artifact = await buildSerenityArtifact({ outDir: join(root, 'artifacts') })
  engine = join(root, 'engine')
  mkdirSync(engine)
  await extract({ file: join(root, 'artifacts', artifact.file), cwd: engine })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))
beforeEach(() => void (folder = mkdtempSync(join(root, 'server-'))))
afterEach(async () => {
  await Promise.all(players.map((player) => player.leave()))
  for (const game of games) if (game.exitCode === null && game.signalCode === null) game.kill('SIGKILL')
  players = []
  games = []
})

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  socket.close()
  await once(socket, 'close')
  return port
}

async function startGame() {
  const port = await freeUdpPort()
  const child = spawn(process.execPath, ['--max-old-space-size=512', join(engine, 'server.js'), '--port', `${port}`], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  games.push(child)
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const line = (pattern: RegExp) =>
    vi.waitFor(
      () => {
        const found = lines.find((one) => pattern.test(one))
        if (found === undefined) throw new Error(`no ${pattern} in\n${lines.join('\n')}`)
        return found
      },
      { timeout: 40_000, interval: 20 },
    )
  await line(/INFO\] Server started\./)
  return { port, child, line, type: (command: string) => child.stdin.write(`${command}\n`) }
}

async function enter(port: number, username = 'Alex'): Promise<BedrockPlayer> {
  const player = await joinBedrock({ port, username })
  players.push(player)
  return player
}

test('one archive for one set of sources, small', async () => {
  const again = await buildSerenityArtifact({ outDir: join(root, 'elsewhere') })
  expect(again.sha256).toBe(artifact.sha256)
  expect(artifact.size).toBeLessThan(2_000_000)
})

test('players join, talk and leave; the console tells and is heard', async () => {
  const game = await startGame()
  const player = await enter(game.port)
  expect(player.position.y).toBeGreaterThan(-60)
  await game.line(/^\[[\d-]{10} [\d:]{12} INFO\] Player connected: Alex, xuid: \d+$/)
  player.chat('hello')
  await game.line(/INFO\] \[Alex\] Chat: hello$/)
  game.type('say welcome all')
  await vi.waitFor(() => expect(player.texts.join()).toContain('[Server] welcome all'), { timeout: 20_000 })
  game.type('list')
  await game.line(/There are 1\/10 players online:$/)
  await player.leave()
  players = []
  await game.line(/Player disconnected: Alex, xuid: \d+$/)
  game.type('stop')
  expect(await once(game.child, 'exit')).toEqual([0, null])
})

test('an allow list keeps out who is not on it', async () => {
  writeFileSync(join(folder, 'server.properties'), 'allow-list=true\n')
  writeFileSync(join(folder, 'allowlist.json'), '[{"ignoresPlayerLimit":false,"name":"alex"}]')
  const game = await startGame()
  await enter(game.port, 'Alex')
  await expect(joinBedrock({ port: game.port, username: 'Mallory' })).rejects.toThrow(/allow list/)
  game.type('allowlist add Mallory')
  await game.line(/Allow list: alex, Mallory$/)
  await enter(game.port, 'Mallory')
  expect(JSON.parse(readFileSync(join(folder, 'allowlist.json'), 'utf8'))).toHaveLength(2)
})

test('what was built is there after a stop, and after a kill that followed a save', async () => {
  let game = await startGame()
  let player = await enter(game.port)
  const { x, z } = player.position
  game.type(`setblock ${x + 2} -55 ${z} sponge`)
  await vi.waitFor(() => expect(player.blocks).toContain(`${x + 2} -55 ${z}`), { timeout: 20_000 })
  game.type('stop')
  expect(await once(game.child, 'exit')).toEqual([0, null])

  game = await startGame()
  player = await enter(game.port)
  game.type(`testforblock ${x + 2} -55 ${z} sponge`)
  await game.line(/Successfully found the block/)
  game.type(`setblock ${x + 3} -55 ${z} sponge`)
  await vi.waitFor(() => expect(player.blocks).toContain(`${x + 3} -55 ${z}`), { timeout: 20_000 })
  game.type('save hold')
  await game.line(/Saving\.\.\./)
  game.child.kill('SIGKILL')
  await once(game.child, 'exit')

  game = await startGame()
  await enter(game.port)
  game.type(`testforblock ${x + 3} -55 ${z} sponge`)
  await game.line(/Successfully found the block/)
})
