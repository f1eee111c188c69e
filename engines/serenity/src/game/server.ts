/**
 * Launches SerenityJS as a server to be kept: settings from `server.properties`, the world in files under `worlds`,
 * the console in the style of Bedrock Dedicated Server, a clean stop.
 *
 *   node server.js [--port N] [--host ADDRESS]     in the folder of the server
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FileSystemProvider, Serenity, ServerEvent, WorldEvent } from '@serenityjs/core'
import { Logger } from '@serenityjs/logger'
import { DisconnectReason } from '@serenityjs/protocol'
import { createCommands } from './commands.ts'
import { printLine, readCommands } from './console.ts'
import { FlatGenerator, GROUND } from './flat-world.ts'
import { addMissingEncodings, readIdentity } from './identity.ts'
import { openPlayerLists } from './player-lists.ts'
import { readNumber, readProperties } from './properties.ts'

const AUTOSAVE_MS = 10_000
const VIEW_DISTANCE = 6
const started = performance.now()
const { values: args } = parseArgs({ options: { port: { type: 'string' }, host: { type: 'string' } } })
const folder = process.cwd()
const properties = readProperties(join(folder, 'server.properties'))
const maxPlayers = readNumber(properties['max-players'], { least: 1, most: 1000, fallback: 10 })
const lists = openPlayerLists(folder, properties['allow-list'] === 'true')
let ready = false

process.on('uncaughtException', (error) => {
  printLine('ERROR', error.stack ?? String(error))
  if (!ready) process.exit(1)
})
process.on('unhandledRejection', (reason) =>
  printLine('ERROR', reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)),
)

addMissingEncodings()
Object.assign(globalThis, { wakestoneIdentity: readIdentity })
// What the library says goes out in our own form; what it says of itself at every start is left out.
const print = (level: 'INFO' | 'WARN' | 'ERROR') =>
  function log(this: Logger, ...parts: unknown[]) {
    const line = parts.map(textOf).join(' ')
    if (ready && !line.includes('Event:')) printLine(level, line)
  }
Object.assign(Logger.prototype, {
  log: print('INFO'),
  info: print('INFO'),
  success: print('INFO'),
  chat: print('INFO'),
  debug: () => {},
  warn: print('WARN'),
  error(...parts: unknown[]) {
    printLine('ERROR', parts.map(textOf).join(' '))
  },
})

printLine('INFO', 'Starting Server')
printLine('INFO', 'Version: 1.26.20 (SerenityJS)')

const serenity = new Serenity({
  path: null,
  serenity: { permissions: null, resources: { path: '' }, offlineMode: true, movementValidation: false },
  raknet: {
    address: args.host ?? '127.0.0.1',
    port: readNumber(args.port ?? properties['server-port'], { least: 0, most: 65_535, fallback: 19_132 }),
    message: properties['server-name'],
    maxConnections: maxPlayers,
  },
})
serenity.console.close()
serenity.registerGenerator(FlatGenerator)

const worldsFolder = join(folder, 'worlds')
mkdirSync(worldsFolder, { recursive: true })
const connected = new Set<string>()
serenity.on(WorldEvent.PlayerJoin, ({ player }) => {
  const refusal = lists.refuse(player.username)
  if (refusal === null) {
    connected.add(player.xuid)
    printLine('INFO', `Player connected: ${player.username}, xuid: ${player.xuid}`)
  } else setImmediate(() => player.disconnect(refusal, DisconnectReason.NotAllowed))
})
serenity.on(WorldEvent.PlayerInitialized, ({ player }) =>
  printLine('INFO', `Player Spawned: ${player.username} xuid: ${player.xuid}`),
)
// Of one player who leaves, the library may tell twice.
serenity.on(WorldEvent.PlayerLeave, ({ player }) => {
  if (connected.delete(player.xuid)) printLine('INFO', `Player disconnected: ${player.username}, xuid: ${player.xuid}`)
})

async function openWorld(): Promise<void> {
  const settings = { path: worldsFolder }
  const isNew = !existsSync(join(worldsFolder, 'default', 'properties.json'))
  if (isNew) {
    const world = await FileSystemProvider.create(serenity, settings, {
      identifier: 'default',
      gamemode: properties.gamemode as 'creative',
      difficulty: properties.difficulty as 'easy',
      dimensions: [
        {
          identifier: 'overworld',
          generator: FlatGenerator.identifier,
          viewDistance: VIEW_DISTANCE,
          simulationDistance: 4,
          spawnPosition: [0, GROUND + 2, 0],
        },
      ],
    })
    serenity.registerWorld(world)
  } else await FileSystemProvider.initialize(serenity, settings)
}

async function save(): Promise<void> {
  for (const world of serenity.worlds.values()) {
    for (const player of world.getPlayers()) world.provider.writePlayer(player.uuid, player.getStorage())
    await world.provider.onSave()
  }
}

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  clearInterval(autosave)
  printLine('INFO', 'Server stop requested.')
  printLine('INFO', 'Stopping server...')
  await save()
  await serenity.stop()
  printLine('INFO', 'Quit correctly')
  // The library's sockets and timers live on.
  process.stdout.write('', () => process.exit(0))
}

const autosave = setInterval(() => void save(), AUTOSAVE_MS)
serenity.on(ServerEvent.Start, () => {
  ready = true
  printLine('INFO', `Server started. (${((performance.now() - started) / 1000).toFixed(3)} s)`)
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
const commands = createCommands({ serenity, lists, maxPlayers, stop, save })
readCommands((line) => (stopping ? Promise.resolve() : commands(line)))
serenity.network.raknet.socket.on('error', (error) => {
  printLine('ERROR', `Network port occupied, can't start server. ${error.message}`)
  process.exit(1)
})
void openWorld().then(() => serenity.start())

function textOf(part: unknown): string {
  if (part instanceof Error) return part.stack ?? part.message
  return typeof part === 'string' ? part : JSON.stringify(part)
}
