'use strict'
/**
 * What the simulated list of downloads hands out as Bedrock Dedicated Server: on its console, on its port and in its
 * folder it behaves like one, without a world or players.
 *
 * The line below is replaced when the archive is made.
 */
const STAND_IN = { version: '1.26.51.1', protocol: 1001 }

const { createSocket } = require('node:dgram')
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { createInterface } = require('node:readline')

const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex')

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
  const socket = createSocket('udp4')
  socket.on('message', (ping, from) => {
    if (ping[0] !== 1 || ping.length < 33) return
    const status = `MCPE;${name};${STAND_IN.protocol};${STAND_IN.version};0;${most};1;Bedrock level;Survival;1;${port};${port + 1};`
    const head = Buffer.alloc(35)
    head[0] = 0x1c
    ping.copy(head, 1, 1, 9)
    head.writeBigUInt64BE(1n, 9)
    MAGIC.copy(head, 17)
    head.writeUInt16BE(Buffer.byteLength(status), 33)
    socket.send(Buffer.concat([head, Buffer.from(status)]), from.port, from.address)
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
  socket.on('error', (error) => {
    print(`Network port occupied, can't start server. ${error.message}`, 'ERROR')
    process.exit(1)
  })
  socket.bind(port, () => {
    print(`IPv4 supported, port: ${port}: Used for gameplay and LAN discovery`)
    print('Server started.')
  })
}

main()
