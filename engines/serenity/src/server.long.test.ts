/** The packaged server, started as the supervisor starts it, with a real client. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type BedrockGame, startBedrockGame } from '../../../tests/support/bedrock-game.ts'
import { type BedrockPlayer, joinBedrock } from '../../../tests/support/bedrock-player.ts'
import { buildSerenityArtifact } from './build.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let root: string
let folder: string
let games: BedrockGame[] = []
let players: BedrockPlayer[] = []

beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'wakestone-serenity-'))))
afterAll(() => rmSync(root, { recursive: true, force: true }))
beforeEach(() => void (folder = mkdtempSync(join(root, 'server-'))))
afterEach(async () => {
  await Promise.all(players.map((player) => player.leave()))
  await Promise.all(games.map((game) => game.close()))
  players = []
  games = []
})

async function startGame(): Promise<BedrockGame> {
  const game = await startBedrockGame({ folder })
  games.push(game)
  return game
}

async function enter(port: number, username = 'Alex'): Promise<BedrockPlayer> {
  const player = await joinBedrock({ port, username })
  players.push(player)
  return player
}

test('one archive for one set of sources, small', async () => {
  const [one, again] = [
    await buildSerenityArtifact({ outDir: join(root, 'here') }),
    await buildSerenityArtifact({ outDir: join(root, 'there') }),
  ]
  expect(again).toEqual(one)
  expect(one.size).toBeLessThan(2_000_000)
  expect(await buildSerenityArtifact({ outDir: join(root, 'there') })).toEqual(one)
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
