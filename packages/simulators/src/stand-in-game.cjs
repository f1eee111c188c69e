'use strict'
/**
 * What the simulated catalogues hand out as a server jar: run by the simulated Java, it behaves on its console, on
 * its port and in its folder like a Minecraft server, without a world or players.
 *
 * The line below is replaced when the jar is made.
 */
const STAND_IN = { engine: 'vanilla', version: '1.21.4', protocol: 769 }

const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:net')
const { createInterface } = require('node:readline')
// Its text takes the place of this line when the jar is made.
const { startManagement } = require('./stand-in-management.cjs')
const { gzipSync } = require('node:zlib')

function print(message, level = 'INFO') {
  const time = new Date().toTimeString().slice(0, 8)
  const head = STAND_IN.engine === 'paper' ? `[${time} ${level}]` : `[${time}] [Server thread/${level}]`
  process.stdout.write(`${head}: ${message}\n`)
}

function readProperties() {
  if (!existsSync('server.properties')) return {}
  const lines = readFileSync('server.properties', 'latin1').split('\n')
  const pairs = lines.map((line) => /^([^#=]+)=(.*)$/.exec(line)).filter((match) => match !== null)
  return Object.fromEntries(
    pairs.map(([, key, value]) => [
      key,
      value.replace(/\\(u[0-9a-f]{4}|.)/g, (_, code) =>
        code.length === 5 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : code === 'n' ? '\n' : code,
      ),
    ]),
  )
}

function varInt(value) {
  const bytes = []
  for (let rest = value >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/** @returns value and where it ends, or null while bytes are missing */
function readVarInt(bytes, from) {
  let value = 0
  for (let place = 0; place < 5; place += 1) {
    const byte = bytes[from + place]
    if (byte === undefined) return null
    value |= (byte & 0x7f) << (7 * place)
    if (byte < 0x80) return { value, end: from + place + 1 }
  }
  throw new Error('not a VarInt')
}

/** `level.dat` as far as it tells by which version the world was saved. */
function saveWorld(version) {
  const name = (word) => Buffer.concat([Buffer.from([0, word.length]), Buffer.from(word)])
  const tag = (type, word, ...content) => Buffer.concat([Buffer.from([type]), name(word), ...content])
  const end = Buffer.from([0])
  mkdirSync('world', { recursive: true })
  writeFileSync('world/session.lock', '☃')
  const data = tag(10, 'Version', tag(8, 'Name', name(version)), end)
  writeFileSync('world/level.dat', gzipSync(tag(10, '', tag(10, 'Data', data, end), end)))
}

function packet(id, data) {
  const body = Buffer.concat([varInt(id), data])
  return Buffer.concat([varInt(body.length), body])
}

function text(value) {
  const bytes = Buffer.from(value)
  return Buffer.concat([varInt(bytes.length), bytes])
}

const isProxy = STAND_IN.engine === 'velocity'

/** A text or number of `velocity.toml`. */
function readToml(key) {
  if (!existsSync('velocity.toml')) return undefined
  const value = new RegExp(`^${key} = (.*)$`, 'm').exec(readFileSync('velocity.toml', 'utf8'))?.[1]
  return value === undefined ? undefined : JSON.parse(value)
}

/** Velocity has neither a world nor Mojang's terms; its secret it makes itself. */
function proxy(port) {
  print(`Booting up Velocity ${STAND_IN.version}...`)
  if (!existsSync('forwarding.secret')) writeFileSync('forwarding.secret', Math.random().toString(36).slice(2))
  const host = /^(.*):\d+$/.exec(readToml('bind') ?? '0.0.0.0:25565')[1]
  const server = createServer((socket) => answer(socket, {}))
  const stop = () => (print('Shutting down the proxy...'), process.exit(0))
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (/^\/?shutdown\b/.test(line)) stop()
    else print('This command does not exist.', 'ERROR')
  })
  process.on('SIGTERM', stop)
  server.on('error', (error) => (print(`Can't bind to ${host}:${port}: ${error.message}`, 'ERROR'), process.exit(1)))
  server.listen(port, host, () => print(`Listening on /${host}:${port}`))
}

function answer(socket, properties) {
  let bytes = Buffer.alloc(0)
  let state = 0
  let known = 0
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const length = readVarInt(bytes, 0)
      if (!length || bytes.length < length.end + length.value) return
      const body = bytes.subarray(length.end, length.end + length.value)
      bytes = bytes.subarray(length.end + length.value)
      const id = body[0]
      if (state === 0) {
        state = body[body.length - 1]
        known = readVarInt(body, 1).value
      } else if (state !== 1) {
        socket.end(packet(0, text(JSON.stringify({ text: 'Nobody can play here: this is a stand-in.' }))))
      } else if (id === 0) {
        const status = {
          // A proxy speaks to each in theirs.
          version: isProxy
            ? { name: `Velocity 1.7.2-26.2`, protocol: known }
            : { name: STAND_IN.version, protocol: STAND_IN.protocol },
          players: {
            max: Number((isProxy ? readToml('show-max-players') : properties['max-players']) ?? 20),
            online: 0,
          },
          description: { text: (isProxy ? readToml('motd') : properties.motd) ?? 'A Minecraft Server' },
        }
        socket.write(packet(0, text(JSON.stringify(status))))
      } else {
        socket.end(packet(1, body.subarray(1)))
      }
    }
  })
}

/** Games of 1.21.9 and later are managed where they are told to. With TLS and without a keystore they do not start. */
function openManagement(properties) {
  const [, minor, patch] = STAND_IN.version.split('.').map(Number)
  const isKnown = minor > 21 || (minor === 21 && patch >= 9) || Number(STAND_IN.version.split('.')[0]) > 1
  if (!isKnown || properties['management-server-enabled'] !== 'true') return undefined
  if (properties['management-server-tls-enabled'] !== 'false') throw new Error('no keystore')
  const time = (iso) => (iso === undefined ? 'forever' : iso.replace('T', ' ').replace(/\.\d+Z|Z/, ' +0000'))
  const ban = ({ reason = '', source = 'Server', expires }) => ({
    created: time(new Date().toISOString()),
    source,
    expires: time(expires),
    reason,
  })
  const files = {
    allowlist: ['whitelist.json', ({ id, name }) => ({ uuid: id, name })],
    operators: [
      'ops.json',
      ({ player, permissionLevel, bypassesPlayerLimit }) => ({
        uuid: player.id,
        name: player.name,
        level: permissionLevel,
        bypassesPlayerLimit,
      }),
    ],
    bans: ['banned-players.json', (entry) => ({ uuid: entry.player.id, name: entry.player.name, ...ban(entry) })],
    ip_bans: ['banned-ips.json', (entry) => ({ ip: entry.ip, ...ban(entry) })],
  }
  return startManagement({
    port: Number(properties['management-server-port']),
    host: properties['management-server-host'],
    secret: properties['management-server-secret'],
    version: STAND_IN.version,
    on: {
      kick: (name) => print(`${name} lost connection: kicked`),
      save: () => saveWorld(STAND_IN.version),
      autosave: (isOn) => print(`Automatic saving is now ${isOn ? 'enabled' : 'disabled'}`),
      changed(list, entries) {
        const [file, line] = files[list] ?? []
        if (file !== undefined) return writeFileSync(file, JSON.stringify(entries.map(line)))
        const kept = readFileSync('server.properties', 'latin1').replace(/^white-list=.*\n/m, '')
        writeFileSync('server.properties', `${kept}white-list=${entries}\n`, 'latin1')
      },
    },
  })
}

function main() {
  const port = Number(process.argv[process.argv.indexOf('--port') + 1])
  if (isProxy) return proxy(port)
  print(`Starting minecraft server version ${STAND_IN.version}`)
  if (!existsSync('eula.txt') || !/^eula=true$/m.test(readFileSync('eula.txt', 'utf8'))) {
    print('You need to agree to the EULA in order to run the server. Go to eula.txt for more info.', 'WARN')
    return
  }
  const properties = readProperties()
  const server = createServer((socket) => answer(socket, properties))
  const management = openManagement(properties)
  let saved = STAND_IN.version
  const commands = {
    stop() {
      print('Stopping the server')
      saveWorld(saved)
      print('ThreadedAnvilChunkStorage: All dimensions are saved')
      process.exit(0)
    },
    list: () => print(`There are 0 of a max of ${properties['max-players'] ?? 20} players online: `),
    /** Somebody who is not there comes and goes, as the management protocol tells it alone. */
    join: (name) => management?.join(name),
    leave: (name) => management?.leave(name),
    say: (words) => print(`[Server] ${words}`),
    /** `world VERSION`: its world is of that version from the next time on that it is saved. */
    world: (version) => (saved = version),
    'save-all': () => (saveWorld(saved), print('Saved the game')),
    /** `flood RATE SECONDS`: numbered lines that carry the time they were printed at. */
    flood(words) {
      const [rate, seconds] = words.split(' ').map(Number)
      const began = Date.now()
      let printed = 0
      const timer = setInterval(() => {
        const due = Math.min(Math.floor(((Date.now() - began) / 1000) * rate), rate * seconds)
        for (; printed < due; printed += 1) print(`flood ${printed} ${Date.now()}`)
        if (printed === rate * seconds) clearInterval(timer)
      }, 5)
    },
    crash() {
      print('Encountered an unexpected exception', 'ERROR')
      process.stderr.write(
        'java.lang.OutOfMemoryError: Java heap space\n\tat net.minecraft.server.MinecraftServer.run\n',
      )
      process.exit(1)
    },
  }
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [, name, words] = /^\/?(\S*)\s*(.*)$/.exec(line)
    if (Object.hasOwn(commands, name)) commands[name](words)
    else print('Unknown or incomplete command, see below for error', 'ERROR')
  })
  process.on('SIGTERM', () => commands.stop())
  server.on('error', (error) => {
    print(`**** FAILED TO BIND TO PORT! ${error.message}`, 'WARN')
    process.exit(1)
  })
  print(`Starting Minecraft server on ${properties['server-ip'] ?? '*'}:${port}`)
  server.listen(port, properties['server-ip'], () => print('Done (0.001s)! For help, type "help"'))
}

main()
