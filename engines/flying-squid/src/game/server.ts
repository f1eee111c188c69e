/**
 * Launches flying-squid as a server to be kept: settings from `server.properties`, the world as Anvil under
 * its `level-name`, the console in Vanilla's style, a clean stop.
 *
 *   node --no-deprecation server.js [--port N] [--host ADDRESS]     in the folder of the server
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { useComponents } from './chat.ts'
import { addCommands } from './commands.ts'
import { consolePlugin, printLine, readCommands } from './console.ts'
import { createFlatGenerator } from './flat-world.ts'
import { anvilClass, flyingSquid, Vec3, type Client, type Squid, type World } from './library.ts'
import { keepPlayerLists, type PlayerLists } from './player-lists.ts'
import { keepPlayers, refuseLogin } from './players.ts'
import { loadPlugins } from './plugins.ts'
import { readChoice, readNumber, readProperties, readSeed } from './properties.ts'
import { keepTime } from './time.ts'
import { keepWorld } from './world.ts'

const AUTOSAVE_MS = 10_000
const MINECRAFT_VERSION = '1.21.4'

const started = performance.now()
const { values: args } = parseArgs({ options: { port: { type: 'string' }, host: { type: 'string' } } })
const folder = process.cwd()
const properties = readProperties(join(folder, 'server.properties'))
const maxPlayers = readNumber(properties['max-players'], { least: 0, most: 1000, fallback: 20 })
const worldFolder = resolve(folder, properties['level-name'])
let ready = false
let lists: PlayerLists

process.on('uncaughtException', (error) => {
  printLine('ERROR', error.stack ?? String(error))
  // A player's bad packet must not take the server down; a server that never came up has nothing to keep.
  if (!ready) process.exit(1)
})
process.on('unhandledRejection', (reason) => {
  throw reason instanceof Error ? reason : new Error(String(reason))
})

printLine('INFO', `Starting minecraft server version ${MINECRAFT_VERSION} (flying-squid)`)
Object.assign(globalThis, { wakestoneConsolePlugin: consolePlugin })
flyingSquid.generations['superflat'] = createFlatGenerator
mkdirSync(join(worldFolder, 'region'), { recursive: true })
mkdirSync(join(worldFolder, 'DIM-1', 'region'), { recursive: true })

const serv: Squid = flyingSquid.createMCServer({
  version: MINECRAFT_VERSION,
  host: args.host ?? (properties['server-ip'] || '127.0.0.1'),
  port: readNumber(args.port ?? properties['server-port'], { least: 0, most: 65535, fallback: 25565 }),
  motd: properties.motd,
  'max-players': maxPlayers,
  'online-mode': false,
  'view-distance': readNumber(properties['view-distance'], { least: 2, most: 16, fallback: 8 }),
  'max-entities': 1000,
  'player-list-text': { header: { text: '' }, footer: { text: '' } },
  'everybody-op': false,
  gameMode: readChoice(properties.gamemode, ['survival', 'creative', 'adventure', 'spectator'], 1),
  difficulty: readChoice(properties.difficulty, ['peaceful', 'easy', 'normal', 'hard'], 1),
  generation: {
    name: /flat/.test(properties['level-type']) ? 'superflat' : 'diamond_square',
    options: { seed: readSeed(properties['level-seed']), worldHeight: 80 },
  },
  worldFolder,
  plugins: {},
  logging: false,
  hideErrors: true,
  kickTimeout: 30_000, // of logins; who plays is asked by ourselves
  keepAlive: false,
  // Set, it keeps the library from adding process-wide handlers for every player.
  debug: () => {},
  // The status is answered only once players can come in: an answer means ready. Of a function that returns, the library
  // takes `false` for no wish of its own; told to the third argument, it ends the connection.
  beforePing: (answer: { players: object }, _client: Client, reply: (error: null, answer: object | false) => void) =>
    reply(
      null,
      ready && { ...answer, players: { max: maxPlayers, online: serv.players.length, sample: playerSample() } },
    ),
  beforeLogin: (client: Client) => {
    const refusal = ready ? refuseLogin(serv, lists, client) : 'The server is still starting'
    if (refusal !== null) client.end(refusal)
  },
})

serv.on('error', (error: Error) => {
  printLine('ERROR', `**** FAILED TO BIND TO PORT! ${error.message}`)
  if (!ready) process.exit(1)
})
serv.once('ready', () => {
  useComponents(serv)
  const players = keepPlayers(serv)
  keepTime(serv)
  serv.netherworld.storageProvider = new (anvilClass(serv.registry))(join(worldFolder, 'DIM-1', 'region'))
  const worlds = [serv.overworld, serv.netherworld].map((world) =>
    keepWorld(world, (message) => printLine('ERROR', message)),
  )
  serv.getSpawnPoint = findSpawn

  async function saveAll(): Promise<boolean> {
    await players.saveAll()
    const results = await Promise.all(worlds.map((world) => world.save()))
    return results.every(({ failed }) => failed === 0)
  }

  let isSaving = true
  const autosave = setInterval(() => {
    if (!isSaving) return
    void saveAll().then(() => worlds.forEach((world) => world.unloadUnseen(serv.players)))
  }, AUTOSAVE_MS)

  let stopping = false
  async function stop(): Promise<void> {
    if (stopping) return
    stopping = true
    clearInterval(autosave)
    printLine('INFO', 'Stopping the server')
    serv._server.socketServer.close()
    printLine('INFO', 'Saving players')
    await players.dismissAll('Server closed')
    printLine('INFO', 'Saving worlds')
    const saved = await saveAll()
    printLine(saved ? 'INFO' : 'ERROR', saved ? 'All dimensions are saved' : 'Some of the world could not be saved')
    process.exitCode = saved ? 0 : 1
    process.stdout.write('', () => process.exit())
  }

  lists = keepPlayerLists(serv)
  addCommands(serv, { stop, saveAll, keepSaving: (isOn) => (isSaving = isOn), maxPlayers })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
  loadPlugins(serv, folder)
  readCommands((line) => (stopping ? Promise.resolve() : serv.handleCommand(line)))
  ready = true
  printLine('INFO', `Done (${((performance.now() - started) / 1000).toFixed(3)}s)! For help, type "help"`)
})

function playerSample(): { name: string; id: string }[] {
  return serv.players.slice(0, 12).map((player) => ({ name: player.username ?? '', id: player.uuid ?? '' }))
}

/** The library's search never ends over a column that has been dug out. */
async function findSpawn(world: World): Promise<InstanceType<typeof Vec3>> {
  const column = await world.getColumn(0, 0)
  for (let y = 255; y > column.minY; y -= 1) {
    if (column.getBlockStateId({ x: 8, y: y - 1, z: 8 }) !== 0) return new Vec3(8.5, y, 8.5)
  }
  return new Vec3(8.5, column.minY + 4, 8.5)
}
