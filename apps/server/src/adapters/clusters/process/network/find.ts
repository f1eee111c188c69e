/**
 * Finds out which kind of network servers can have on this machine: by making one, and by trying from inside of it what
 * must not work, and from outside what must.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { startDetached } from '../start.ts'
import { kill, waitUntil } from '../processes.ts'
import type { NetworkDriver } from './network.ts'

const TRIAL_MS = 10_000

/** Runs inside: listens as a game does, and says which of the given addresses it has reached. */
const TRIAL = `
const net = require('node:net')
const [port, ...targets] = process.argv.slice(1)
net.createServer((socket) => socket.end('game')).listen(Number(port), '127.0.0.1', async () => {
  const reached = []
  for (const target of targets) {
    const { host, port, path } = JSON.parse(target)
    await new Promise((done) => {
      const socket = net.connect(path ? { path: '\\0' + path } : { host, port })
      socket.setTimeout(1500, () => socket.destroy())
      socket.on('data', (data) => { if (String(data) === 'host') reached.push(path ?? host) })
      socket.on('error', () => {})
      socket.on('close', done)
    })
  }
  console.log('reached ' + JSON.stringify(reached))
})`

type Trial = { filesDir: string; nodePath: string }

/** The first of `drivers` that works; what kept each of the others from it. */
export async function findNetwork(
  drivers: NetworkDriver[],
  trial: Trial,
): Promise<{ driver: NetworkDriver | undefined; problems: string[] }> {
  const problems: string[] = []
  for (const driver of drivers) {
    try {
      await tryNetwork(driver, trial)
      return { driver, problems }
    } catch (error) {
      problems.push(`${driver.means}: ${(error as Error).message}`)
    }
  }
  return { driver: undefined, problems }
}

async function tryNetwork(driver: NetworkDriver, { filesDir, nodePath }: Trial): Promise<void> {
  const folder = mkdtempSync(join(filesDir, 'trial-'))
  const serverId = randomUUID()
  const abstract = `wakestone-${serverId}`
  const listeners: Server[] = []
  const log = join(folder, 'log')
  let pid: number | undefined
  try {
    const port = await listen(listeners, { host: '0.0.0.0', port: 0 })
    await listen(listeners, { path: `\0${abstract}` })
    const targets = [...ownAddresses().map((host) => ({ host, port })), { path: abstract }]
    const gamePort = await findPort()
    const network = await driver.prepare(serverId, gamePort)
    const child = await startDetached({
      log,
      info: join(folder, 'info'),
      env: {},
      network,
      command: [nodePath, '-e', TRIAL, String(gamePort), ...targets.map((target) => JSON.stringify(target))],
    })
    pid = child.pid
    const answer = () => /^reached (.*)$/m.exec(readFileSync(log, 'utf8'))?.[1]
    await waitUntil(() => answer() !== undefined || child.exitCode !== null, TRIAL_MS)
    const reached = answer()
    if (reached === undefined)
      throw new Error(readFileSync(log, 'utf8').trim().split('\n').at(-1) || 'nothing ran in it')
    if (reached !== '[]') throw new Error(`${reached} was reached from inside`)
    if ((await hear(network.host, gamePort)) !== 'game') throw new Error('the game was not reached from outside')
  } finally {
    for (const listener of listeners) listener.close()
    if (pid !== undefined) kill(pid, 'SIGKILL')
    await driver.remove(serverId)
    rmSync(folder, { recursive: true, force: true })
  }
}

const ownAddresses = () =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((found) => (found?.family === 'IPv4' ? found.address : []))

async function findPort(): Promise<number> {
  const listeners: Server[] = []
  const port = await listen(listeners, { host: '127.0.0.1', port: 0 })
  for (const listener of listeners) listener.close()
  return port
}

async function listen(listeners: Server[], where: object): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).end('host')).listen(where)
  listeners.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo | null)?.port ?? 0
}

function hear(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 })
    let heard = ''
    socket.on('data', (data) => (heard += data.toString()))
    socket.on('timeout', () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
  })
}
