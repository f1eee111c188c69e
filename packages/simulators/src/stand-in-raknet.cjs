'use strict'
/**
 * What the simulated GitHub and repositories hand out as a server for Bedrock Edition that others have written: on its
 * console, in its folder and to those who ask who plays (RakNet's ping) it behaves like one. Nobody can join.
 *
 * The line below is replaced when it is made.
 */
const STAND_IN = { name: 'PocketMine-MP', version: '5.28.1', game: '1.21.80', protocol: 800 }

const { createSocket } = require('node:dgram')
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { createInterface } = require('node:readline')

const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex')

const print = (message, level = 'INFO') =>
  process.stdout.write(`[${new Date().toTimeString().slice(0, 8)}] [Server thread/${level}]: ${message}\n`)

function readProperties() {
  const lines = existsSync('server.properties') ? readFileSync('server.properties', 'utf8').split('\n') : []
  const pairs = lines.map((line) => /^([^#=]+)=(.*)$/.exec(line)).filter((match) => match !== null)
  return Object.fromEntries(pairs.map(([, key, value]) => [key, value]))
}

/** `--server-port=19132` goes before what the file says. */
const given = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)

function main() {
  const properties = readProperties()
  const asksLanguage = STAND_IN.name !== 'PocketMine-MP' && !process.argv.includes('--language')
  if (asksLanguage || (STAND_IN.name === 'PocketMine-MP' && !process.argv.includes('--no-wizard'))) {
    print('Please select a language')
    return void process.stdin.resume() // as the real ones wait
  }
  const port = Number(given('server-port') ?? properties['server-port'] ?? 19132)
  const host = given('server-ip') ?? properties['server-ip'] ?? '0.0.0.0'
  const most = properties['max-players'] ?? '20'
  const server = createSocket('udp4')
  server.on('message', (bytes, from) => {
    if (bytes[0] !== 0x01 || bytes.length < 33) return
    const words = ['MCPE', properties.motd ?? STAND_IN.name, STAND_IN.protocol, STAND_IN.game, 0, most, '1']
    const text = Buffer.from(`${[...words, STAND_IN.name, 'Survival', 1, port, port].join(';')};`)
    const head = Buffer.alloc(9)
    head[0] = 0x1c
    bytes.copy(head, 1, 1, 9)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(text.length)
    server.send(Buffer.concat([head, Buffer.alloc(8, 7), MAGIC, length, text]), from.port, from.address)
  })
  const stop = () => {
    print('Stopping the server')
    mkdirSync('worlds/world', { recursive: true })
    writeFileSync('worlds/world/levelname.txt', 'world')
    process.exit(0)
  }
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (/^\/?stop\b/.test(line)) stop()
    else if (/^\/?list\b/.test(line)) print(`There are 0/${most} players online:`)
    else print(`Unknown command: ${line}`, 'ERROR')
  })
  process.on('SIGTERM', stop)
  server.on('error', (error) => {
    print(`**** FAILED TO BIND TO ${host}:${port}! ${error.message}`, 'CRITICAL')
    process.exit(1)
  })
  server.bind(port, host, () => print('Done (0.01s)! For help, type "help" or "?"'))
}

main()
