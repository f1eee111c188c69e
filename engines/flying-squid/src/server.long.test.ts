/** The packaged server, started as the supervisor starts it, with a real client. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pingServer } from '@wakestone/minecraft/ping-server'
import mineflayer from 'mineflayer'
import itemModule from 'prismarine-item'
import { extract } from 'tar'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Artifact } from '@wakestone/engine-packing/artifact'
import { buildFlyingSquidArtifact } from './build.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

// mineflayer's own types need more of its dependencies than we have.
type Bot = any

/** Its types claim a default export inside the default export. */
const itemClass = itemModule as unknown as (registry: unknown) => new (id: number, count: number) => object

let root: string
let artifact: Artifact
let engine: string
let folder: string
const games: Game[] = []
const bots: Bot[] = []

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'wakestone-squid-'))
  artifact = await buildFlyingSquidArtifact({ outDir: join(root, 'artifacts') })
  engine = join(root, 'engine')
  mkdirSync(engine)
  await extract({ file: join(root, 'artifacts', artifact.file), cwd: engine })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

beforeEach(() => {
  folder = mkdtempSync(join(root, 'server-'))
})
afterEach(async () => {
  for (const bot of bots.splice(0)) bot.end()
  for (const game of games.splice(0))
    if (game.child.exitCode === null && game.child.signalCode === null) game.child.kill('SIGKILL')
})

type Game = {
  child: ChildProcess
  port: number
  lines: string[]
  exit: Promise<number | null>
  type(line: string): void
  line(pattern: RegExp): Promise<string>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  milliseconds = 40_000,
): Promise<T> {
  const deadline = Date.now() + milliseconds
  for (;;) {
    const value = await probe()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function startGame(): Promise<Game> {
  const port = await freePort()
  const child = spawn(process.execPath, ['--no-deprecation', join(engine, 'server.js'), '--port', String(port)], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const game: Game = {
    child,
    port,
    lines,
    exit,
    type: (line) => child.stdin!.write(`${line}\n`),
    line: (pattern) => until(`${pattern} in\n${lines.join('\n')}`, () => lines.find((line) => pattern.test(line))),
  }
  games.push(game)
  await game.line(/Done \(\d+\.\d+s\)! For help, type "help"/)
  return game
}

async function enter(game: Game, username: string): Promise<Bot> {
  const bot: Bot = mineflayer.createBot({
    host: '127.0.0.1',
    port: game.port,
    username,
    version: '1.21.4',
    auth: 'offline',
    hideErrors: true,
  })
  bots.push(bot)
  await new Promise<void>((resolve, reject) => {
    bot.once('spawn', resolve)
    bot.once('kicked', (reason: string) => reject(new Error(`kicked: ${JSON.stringify(reason)}`)))
    bot.once('error', reject)
  })
  return bot
}

async function blockAt(bot: Bot, x: number, y: number, z: number): Promise<string> {
  const position = bot.entity.position.clone().set(x, y, z)
  return until(`a chunk at ${x} ${y} ${z}`, () => bot.blockAt(position)?.name as string | undefined)
}

const properties = (lines: Record<string, string>) =>
  writeFileSync(
    join(folder, 'server.properties'),
    Object.entries(lines)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )

test('one archive for one set of sources, small, in few files', async () => {
  const again = await buildFlyingSquidArtifact({ outDir: join(root, 'elsewhere') })
  expect(again.sha256).toBe(artifact.sha256)
  expect(again.manifest).toEqual(artifact.manifest)
  expect(artifact.size).toBeLessThan(5_000_000)
  expect(readdirSync(engine, { recursive: true }).length).toBeLessThan(40)
  expect(await buildFlyingSquidArtifact({ outDir: join(root, 'elsewhere') })).toEqual(again)
})

test('players join, talk and leave; the console tells and is heard', async () => {
  const game = await startGame()
  const bot = await enter(game, 'Alex')
  await game.line(/^\[\d\d:\d\d:\d\d INFO\]: Alex joined the game$/)
  bot.chat('hello & goodbye')
  await game.line(/^\[\d\d:\d\d:\d\d INFO\]: <Alex> hello & goodbye$/)

  const heard: string[] = []
  bot.on('messagestr', (text: string) => heard.push(text))
  game.type('say welcome all')
  await until('the message in the chat', () => heard.includes('[Server] welcome all'))
  game.type('list')
  await game.line(/There are 1 of a max of 20 players online: Alex$/)

  bot.end()
  await game.line(/INFO\]: Alex left the game$/)
  game.type('stop')
  expect(await game.exit).toBe(0)
})

test('what was built is there after a stop and a start', async () => {
  let game = await startGame()
  let bot = await enter(game, 'Builder')
  const { x, z } = bot.entity.position.floored()
  game.type(`setblock ${x + 2} -60 ${z} diamond_block`)
  await until('the block', async () => (await blockAt(bot, x + 2, -60, z)) === 'diamond_block')

  await bot.creative.setInventorySlot(36, new (itemClass(bot.registry))(bot.registry.itemsByName.gold_block.id, 5))
  bot.setQuickBarSlot(0)
  const ground = bot.blockAt(bot.entity.position.clone().set(x, -61, z + 2))
  await bot.placeBlock(ground, bot.entity.position.clone().set(0, 1, 0))
  await until('the placed block', async () => (await blockAt(bot, x, -60, z + 2)) === 'gold_block')
  game.type('stop')
  expect(await game.exit).toBe(0)
  expect(existsSync(join(folder, 'world/region/r.0.0.mca'))).toBe(true)

  game = await startGame()
  bot = await enter(game, 'Builder')
  expect(await blockAt(bot, x + 2, -60, z)).toBe('diamond_block')
  expect(await blockAt(bot, x, -60, z + 2)).toBe('gold_block')
  expect(await blockAt(bot, x, -61, z)).toBe('grass_block')
  await until('the inventory', () => bot.inventory.slots[36]?.name === 'gold_block')
})

test('a kill after a save loses nothing', async () => {
  const game = await startGame()
  game.type('setblock -20 -50 20 emerald_block')
  game.type('save-all')
  await game.line(/Saved the game/)
  game.child.kill('SIGKILL')
  await game.exit
  const again = await startGame()
  const bot = await enter(again, 'Survivor')
  expect(await blockAt(bot, -20, -50, 20)).toBe('emerald_block')
})

test('SIGTERM stops as cleanly as the command', async () => {
  const game = await startGame()
  game.child.kill('SIGTERM')
  expect(await game.exit).toBe(0)
  expect(game.lines.at(-1)).toMatch(/All dimensions are saved/)
})

test('the server list counts players, and a full server takes no more', async () => {
  properties({ 'max-players': '1', motd: 'Zażółć \\u00a7agęślą\\: jaźń', gamemode: 'survival' })
  const game = await startGame()
  const bot = await enter(game, 'First')
  const status = await pingServer({ host: '127.0.0.1', port: game.port })
  expect(status).toMatchObject({ version: '1.21.4', online: 1, max: 1, names: ['First'] })
  expect(status.description).toEqual({ text: 'Zażółć §agęślą: jaźń' })
  expect(bot.game.gameMode).toBe('survival')
  await expect(enter(game, 'Second')).rejects.toThrow(/full/)
  bot.end()
  await game.line(/First left the game/)
  await until('a free place', async () => (await pingServer({ host: '127.0.0.1', port: game.port })).online === 0)
  await enter(game, 'Second')
})

test('rubbish from the network does not end it', async () => {
  const game = await startGame()
  const { connect } = await import('node:net')
  for (const bytes of ['00', 'ff'.repeat(300), '0500ffff7f', '10'.repeat(64)]) {
    const socket = connect(game.port, '127.0.0.1')
    // The server may close first; that is one right answer.
    socket.on('error', () => {})
    socket.end(Buffer.from(bytes, 'hex'))
    await new Promise((resolve) => socket.once('close', resolve))
  }
  const bot = await enter(game, 'Unmoved')
  expect(bot.username).toBe('Unmoved')
})

test('plugins are given the server; one that is broken takes no other with it', async () => {
  const plugin = (name: string, program: string) => {
    mkdirSync(join(folder, 'plugins', name), { recursive: true })
    writeFileSync(join(folder, 'plugins', name, 'index.js'), program)
  }
  plugin('broken', 'throw new Error("no lantern")')
  plugin('greeter', 'module.exports = (serv) => serv.on("newPlayer", (player) => player.on("chat", () => {}))')
  plugin(
    'lights',
    'module.exports = (serv) => serv.commands.add({ base: "lights", op: false, action: () => "The lanterns are lit" })',
  )
  const game = await startGame()
  expect(game.lines.filter((line) => line.includes('Plugin')).map((line) => line.replace(/^.*?: /, ''))).toEqual([
    'Plugin broken was not loaded: no lantern',
    'Plugin greeter is loaded',
    'Plugin lights is loaded',
  ])
  const bot = await enter(game, 'Lena')
  const heard = new Promise<string>((resolve) =>
    bot.on('messagestr', (text: string) => /lanterns/.test(text) && resolve(text)),
  )
  bot.chat('/lights')
  expect(await heard).toContain('The lanterns are lit')
})

test('operators and bans outlive a stop', async () => {
  let game = await startGame()
  let bot = await enter(game, 'Owner')
  const answers: string[] = []
  const listen = () => bot.on('messagestr', (text: string) => answers.push(text))
  listen()
  bot.chat('/setblock 1 -50 1 stone')
  await until('the refusal', () => answers.some((text) => /permission/.test(text)))
  game.type('op owner')
  await game.line(/Made Owner a server operator/)
  game.type('ban Griefer no respect')
  await game.line(/Banned Griefer: no respect/)
  game.type('stop')
  expect(await game.exit).toBe(0)

  game = await startGame()
  await expect(enter(game, 'griefer')).rejects.toThrow(/no respect/)
  bot = await enter(game, 'Owner')
  listen()
  bot.chat('/pardon Griefer')
  await until('the answer', () => answers.includes('Unbanned Griefer'))
  expect((await enter(game, 'Griefer')).username).toBe('Griefer')
})
