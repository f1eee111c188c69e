/**
 * What a server must not reach, planted around this machine: listeners on its own addresses, and a network beyond it
 * with private and metadata addresses that answer, and one address of the internet. Takes root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Target } from './probing-game.ts'

/** Nobody has announced this one since 2015 (RFC 7526), and it is not special any more. */
export const INTERNET = '192.88.99.77'
/** Of a range that is given to nobody who announces it; where this machine has IPv6 at all. */
export const INTERNET_6 = '2a0f:ffff:ffff::77'
const BEYOND = {
  'metadata of clouds': '169.254.169.254',
  'private 10/8': '10.61.2.3',
  'private 172.16/12': '172.29.9.9',
  'private 192.168/16': '192.168.235.5',
  'shared 100.64/10': '100.99.0.9',
}
const BEYOND_6 = { 'metadata of clouds, IPv6': 'fd00:ec2::254', 'unique local': 'fd61:2::5' }
const ANSWER = `
require('node:net').createServer((socket) => socket.on('error', () => {}).end('open')).listen(PORT, '::', () => console.log('up'))
for (const own of ['${INTERNET}', '169.254.169.254']) {
  const socket = require('node:dgram').createSocket('udp4')
  socket.on('message', (_, { address, port }) => socket.send('open', port, address)).bind(PORT, own)
}`

/** Whether this machine has a way out by IPv6, which its servers then have as well. */
export const hasInternet6 = () =>
  execFileSync('/usr/sbin/ip', ['-6', 'route', 'show', 'default'], { encoding: 'utf8' }).trim() !== ''

export type Surroundings = { refused: Target[]; internet: Target[]; close(): void }

const ip = (...args: string[]) => execFileSync('/usr/sbin/ip', args, { stdio: 'pipe' })

export async function plantOnHost(): Promise<{ targets: Target[]; close(): void }> {
  const path = `probe-${randomBytes(6).toString('hex')}`
  const answer = () => createServer((socket) => socket.on('error', () => {}).end('open'))
  const everywhere = answer().listen(0, '::')
  await once(everywhere, 'listening')
  const { port } = everywhere.address() as { port: number }
  const abstract = answer().listen(`\0${path}`)
  const datagrams = createSocket({ type: 'udp6' })
  datagrams.on('message', (_, remote) => datagrams.send('open', remote.port, remote.address))
  datagrams.bind(port, '::')
  await Promise.all([once(abstract, 'listening'), once(datagrams, 'listening')])
  const own = Object.values(networkInterfaces())
    .flat()
    .flatMap((found) => (found && !found.internal && !found.address.startsWith('fe80') ? found.address : []))
  const targets: Target[] = [
    ...['127.0.0.1', '127.0.0.53', '::1', '::ffff:127.0.0.1', ...own].map((host): Target => ({
      name: `host ${host}`,
      kind: 'tcp',
      host,
      port,
    })),
    ...['127.0.0.1', '::1'].map((host): Target => ({ name: `host ${host} by UDP`, kind: 'udp', host, port })),
    { name: 'abstract socket', kind: 'abstract', path },
  ]
  return {
    targets,
    close() {
      for (const server of [everywhere, abstract] as Server[]) server.close()
      datagrams.close()
    },
  }
}

export async function plantBeyond(): Promise<Surroundings> {
  const id = randomBytes(3).toString('hex')
  const [namespace, link, port] = [`wsp-${id}`, `wsp${id}`, 8080]
  let answering: ChildProcess | undefined
  const close = () => {
    answering?.kill('SIGKILL')
    ip('netns', 'del', namespace)
  }
  ip('netns', 'add', namespace)
  try {
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'up0', 'netns', namespace)
    ip('-n', namespace, 'link', 'set', 'lo', 'up')
    ip('-n', namespace, 'link', 'set', 'up0', 'up')
    ip('link', 'set', link, 'up')
    writeFileSync(`/proc/sys/net/ipv4/conf/${link}/forwarding`, '1')
    // Before kernel 6.17 there is one switch for all links, which the product has turned on.
    const forwards6 = `/proc/sys/net/ipv6/conf/${link}/force_forwarding`
    if (existsSync(forwards6)) writeFileSync(forwards6, '1')
    const gateway = `198.51.100.${1 + (Number.parseInt(id, 16) % 250)}`
    ip('addr', 'add', `${gateway}/32`, 'dev', link)
    ip('-n', namespace, 'route', 'add', `${gateway}/32`, 'dev', 'up0')
    for (const address of [...Object.values(BEYOND), INTERNET]) {
      ip('-n', namespace, 'addr', 'add', `${address}/32`, 'dev', 'lo')
      ip('route', 'append', `${address}/32`, 'dev', link, 'src', gateway)
    }
    const pair = `fd61:1:${id.slice(0, 4)}::`
    ip('addr', 'add', `${pair}1/64`, 'dev', link, 'nodad')
    ip('-n', namespace, 'addr', 'add', `${pair}2/64`, 'dev', 'up0', 'nodad')
    for (const address of [...Object.values(BEYOND_6), INTERNET_6]) {
      ip('-n', namespace, 'addr', 'add', `${address}/128`, 'dev', 'lo', 'nodad')
      ip('-6', 'route', 'append', `${address}/128`, 'via', `${pair}2`, 'dev', link, 'src', `${pair}1`)
    }
    answering = spawn('/usr/sbin/ip', [
      'netns',
      'exec',
      namespace,
      process.execPath,
      '-e',
      ANSWER.replaceAll('PORT', String(port)),
    ])
    await once(answering.stdout!, 'data')
  } catch (error) {
    close()
    throw error
  }
  const tcp = ([name, host]: [string, string]): Target => ({ name, kind: 'tcp', host, port })
  return {
    refused: [
      ...Object.entries({ ...BEYOND, ...BEYOND_6 }).map(tcp),
      tcp(['metadata as IPv6', '::ffff:169.254.169.254']),
      { name: 'metadata by UDP', kind: 'udp', host: '169.254.169.254', port },
    ],
    internet: [
      tcp(['internet', INTERNET]),
      ...(hasInternet6() ? [tcp(['internet by IPv6', INTERNET_6])] : []),
      { name: 'internet by UDP', kind: 'udp', host: INTERNET, port },
    ],
    close,
  }
}
