'use strict'
/**
 * What the simulated list of downloads hands out as Bedrock Dedicated Server: on its console, on its port and in its
 * folder it behaves like one of 1.26.50 or later, which is asked by HTTP alone. It has neither a world nor players: who
 * has agreed on a connection hears their own datagrams.
 *
 * The line below is replaced when the archive is made.
 */
const STAND_IN = { version: '1.26.51.1', protocol: 1001 }

const { createSocket } = require('node:dgram')
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { networkInterfaces } = require('node:os')
const { createInterface } = require('node:readline')

function print(message, level = 'INFO') {
  const now = new Date().toISOString()
  process.stdout.write(`[${now.slice(0, 10)} ${now.slice(11, 19)}:${now.slice(20, 23)} ${level}] ${message}\n`)
}

function readProperties() {
  if (!existsSync('server.properties')) return {}
  const lines = readFileSync('server.properties', 'utf8').split('\n')
  const pairs = lines.map((line) => /^([^#=]+)=(.*)$/.exec(line)).filter((match) => match !== null)
  return Object.fromEntries(pairs.map(([, key, value]) => [key, value]))
}

function main() {
  const properties = readProperties()
  const port = Number(properties['server-port'] ?? 19132)
  const name = properties['server-name'] ?? 'Dedicated Server'
  const most = Number(properties['max-players'] ?? 10)
  print('Starting Server')
  print(`Version: ${STAND_IN.version}`)
  for (const folder of ['behavior_packs', 'resource_packs']) {
    if (existsSync(folder)) continue
    print(`${folder} are missing`, 'ERROR')
    process.exit(1)
  }
  const status = {
    name,
    protocol: STAND_IN.protocol,
    version: STAND_IN.version.split('.').slice(0, 3).join('.'),
    level: 'Bedrock level',
    players: 0,
    maxPlayers: most,
    gameType: 0,
  }
  const [first = 0, last = 0] = (properties['server-udp-ports'] ?? '').split('-').map(Number)
  let next = first
  const server = createServer((asked, answer) => {
    asked.resume()
    if (asked.method === 'GET' && asked.url === '/v1/join') return void answer.end(JSON.stringify(status))
    if (asked.method !== 'POST' || next > last) return void answer.writeHead(404).end()
    const player = createSocket('udp4')
    player.on('message', (bytes, from) => player.send(bytes, from.port, from.address))
    player.bind(next, () => answer.end(describe(player.address().port)))
    next += 1
  })
  const commands = {
    stop() {
      print('Server stop requested.')
      print('Stopping server...')
      mkdirSync('worlds/Bedrock level', { recursive: true })
      writeFileSync('worlds/Bedrock level/levelname.txt', 'Bedrock level')
      print('Quit correctly')
      process.exit(0)
    },
    list: () => print(`There are 0/${most} players online:`),
    save: (words) => print(words === 'query' ? 'Data saved. Files are now ready to be copied.' : 'Saving...'),
  }
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [, command, words] = /^\/?(\S*)\s*(.*)$/.exec(line)
    if (Object.hasOwn(commands, command)) commands[command](words)
    else print(`Unknown command: ${command}. Please check that the command exists.`, 'ERROR')
  })
  process.on('SIGTERM', () => commands.stop())
  server.on('error', (error) => {
    print(`Network port occupied, can't start server. ${error.message}`, 'ERROR')
    process.exit(1)
  })
  server.listen(port, () => {
    print('NetherNet is the only supported transport')
    print(`IPv4 supported, port: ${port}: Used for gameplay and LAN discovery`)
    print('Server started.')
  })
}

/** An answer of WebRTC, as far as it says where to go. */
function describe(port) {
  const found = Object.values(networkInterfaces()).flat()
  const own = found.find(({ family, internal }) => family === 'IPv4' && !internal)
  const candidate = `a=candidate:1 1 udp 2122260223 ${own?.address ?? '127.0.0.1'} ${port} typ host`
  const lines = ['v=0', 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=ice-ufrag:game', candidate, '']
  return lines.join('\r\n')
}

main()
