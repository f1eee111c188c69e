/**
 * A script that tries to reach what its first argument's file names, all at once, and prints what answered as JSON:
 * each answers with the word `open`.
 */
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

export type Target = { name: string } & (
  | { kind: 'tcp'; host: string; port: number }
  | { kind: 'udp'; host: string; port: number }
  | { kind: 'abstract'; path: string }
)

const PATIENCE_MS = 1500
const file = process.argv[2]?.startsWith('/') ? process.argv[2] : '/data/probes.json'
const targets = JSON.parse(readFileSync(file, 'utf8')) as Target[]

function tryTcp(where: { host: string; port: number } | { path: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...where, timeout: PATIENCE_MS })
    let heard = ''
    socket.on('data', (chunk) => (heard += chunk.toString()))
    socket.on('timeout', () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard.includes('open')))
  })
}

function tryUdp(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    const end = (reached: boolean) => {
      clearTimeout(timer)
      resolve(reached)
      socket.close()
    }
    const timer = setTimeout(() => end(false), PATIENCE_MS)
    socket.on('message', () => end(true))
    socket.on('error', () => end(false))
    socket.send('x', port, host)
  })
}

const reached = await Promise.all(
  targets.map(async (target) => {
    const isOpen =
      target.kind === 'udp'
        ? await tryUdp(target.host, target.port)
        : await tryTcp(target.kind === 'tcp' ? target : { path: `\0${target.path}` })
    return isOpen ? [target.name] : []
  }),
)
process.stdout.write(`reached ${JSON.stringify(reached.flat().sort())}\n`)
if (file === '/data/probes.json') setInterval(() => {}, 1e6)
