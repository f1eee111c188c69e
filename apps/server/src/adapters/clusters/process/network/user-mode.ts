/**
 * Networks for an ordinary user: a network namespace in a user namespace, and a program outside that passes packets on
 * between it and the machine's sockets (pasta, or slirp4netns). The program lives as long as the sandbox.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { kill, waitUntil } from '../processes.ts'
import type { NetworkDriver, NetworkMeans } from './network.ts'
import type { NetworkPolicy } from './policy.ts'
import { needProgram } from './programs.ts'
import { insideRules } from './rules.ts'

const HOST = '127.0.0.1'
const ATTACH_MS = 10_000

type Attach = (options: { pid: number; port: number; folder: string; pidFile: string; log: number }) => Promise<void>
type UserMeans = Exclude<NetworkMeans, 'veth'>

const attach: Record<UserMeans, Attach> = {
  /** Copies the machine's addresses, so that those are a server's own; goes into the background when all is ready. */
  async pasta({ pid, port, pidFile, log }) {
    const forwarded = `${HOST}/${port}:${port}`
    const nothingOfTheHost = ['--no-map-gw', '-T', 'none', '-U', 'none']
    const ports = ['-t', forwarded, '-u', forwarded]
    const args = ['--config-net', ...nothingOfTheHost, ...ports, '-I', LINK, '-P', pidFile, '-q', String(pid)]
    const child = spawn(needProgram('pasta'), args, { stdio: ['ignore', log, log], cwd: '/' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`pasta ended with ${code}`)
  },
  async slirp4netns({ pid, port, folder, pidFile, log }) {
    const socket = join(folder, 'api')
    const walls = ['--disable-host-loopback', '--enable-sandbox', '--enable-seccomp']
    const args = ['--configure', '--mtu=65520', ...walls, '--api-socket', socket, String(pid), LINK]
    const child = spawn(needProgram('slirp4netns'), args, { stdio: ['ignore', log, log], cwd: '/', detached: true })
    writeFileSync(pidFile, String(child.pid))
    child.unref()
    if (!(await waitUntil(() => existsSync(socket) || child.exitCode !== null, ATTACH_MS)))
      throw new Error('slirp4netns does not answer')
    for (const proto of ['tcp', 'udp']) {
      const forward = { proto, host_addr: HOST, host_port: port, guest_addr: '10.0.2.100', guest_port: port }
      await ask(socket, { execute: 'add_hostfwd', arguments: forward })
    }
  },
}
const LINK = 'eth0'

export function createUserDriver(
  means: UserMeans,
  { dataDir, policy }: { dataDir: string; policy: NetworkPolicy },
): NetworkDriver {
  const home = join(dataDir, 'cache', 'networks', means)

  async function remove(serverId: string) {
    const folder = join(home, serverId)
    if (!existsSync(folder)) return
    const pid = findAttached(join(folder, 'pid'), means)
    if (pid !== undefined) {
      kill(pid, 'SIGKILL')
      await waitUntil(() => findAttached(join(folder, 'pid'), means) === undefined, ATTACH_MS)
    }
    rmSync(folder, { recursive: true, force: true })
  }

  async function prepare(serverId: string, port: number) {
    const folder = join(home, serverId)
    await remove(serverId)
    needProgram(means)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const [rules, pidFile] = [join(folder, 'rules.nft'), join(folder, 'pid')]
    const redirect = means === 'slirp4netns' // pasta leads to the loopback address by itself
    writeFileSync(rules, insideRules(policy, { link: LINK, port, redirect }))
    const routed = redirect ? `echo 1 > /proc/sys/net/ipv4/conf/${LINK}/route_localnet && ` : ''
    return {
      means,
      host: HOST,
      enter: [needProgram('unshare'), '--user', '--map-root-user', '--net', '--'],
      guard: `${routed}${needProgram('ip')} link set lo up && ${needProgram('nft')} -f '${rules}'`,
      async connect(pid: number) {
        const log = openSync(join(folder, 'log'), 'a', 0o600)
        try {
          if (!(await waitUntil(() => isElsewhere(pid), ATTACH_MS))) throw new Error('there is no network namespace')
          await attach[means]({ pid, port, folder, pidFile, log })
        } catch (error) {
          const told = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').at(-1)
          throw new Error(`${(error as Error).message} ${told}`, { cause: error })
        } finally {
          closeSync(log)
        }
      },
    }
  }

  return { means, prepare, remove, list: async () => (existsSync(home) ? readdirSync(home) : []) }
}

const networkOf = (pid: number | 'self') => readlinkSync(`/proc/${pid}/ns/net`)

function isElsewhere(pid: number): boolean {
  try {
    return networkOf(pid) !== networkOf('self')
  } catch {
    return false // gone
  }
}

/** The process that a file names, unless its number is somebody else's by now. */
function findAttached(pidFile: string, program: UserMeans): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'))
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return pid > 0 && command.includes(program) && command.includes(pidFile.replace(/pid$/, '')) ? pid : undefined
  } catch {
    return undefined
  }
}

/** One order to slirp4netns. @throws Error when it refuses */
function ask(path: string, order: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.end(JSON.stringify(order)))
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('error', reject)
    socket.on('close', () => (answer.includes('"error"') ? reject(new Error(answer.trim())) : resolve()))
  })
}
