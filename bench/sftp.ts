/**
 * Measures SFTP as customers have it (OpenSSH's client, the gateway's door in its thread, `sftp-server` in a real box)
 * beside OpenSSH's own server on the same machine, with the same client and cipher, turn by turn.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createLogger } from '../packages/kit/src/logger.ts'
import { openSftpDoor } from '../apps/gateway/src/sftp/door.ts'
import { createFilesSigner } from '../apps/server/src/adapters/supervisor/tokens.ts'
import { openSandboxBench } from '../apps/server/src/adapters/clusters/process/test-support/sandbox-bench.ts'
import { reportFigure } from './fixtures/figure.ts'

const MIB = 1024 ** 2
const LARGE = 256 * MIB
const SMALL_FILES = 2000
const SMALL_BYTES = 2048
const ROUNDS = 3
const SSHD = '/usr/sbin/sshd'
const filesFile = join(import.meta.dirname, '../apps/files/build/files.mjs')

if (!existsSync(SSHD)) {
  // Without a figure nothing was measured: that is no success.
  process.stdout.write('no OpenSSH server to compare with: install openssh-server\n')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'wsbench-'))
const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  await measure()
} finally {
  for (const end of endings.toReversed()) await end()
}

async function measure() {
  const key = join(folder, 'key')
  const hostKey = join(folder, 'host')
  for (const file of [key, hostKey]) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  writeFileSync(join(folder, 'large'), randomBytes(LARGE))
  mkdirSync(join(folder, 'small'))
  for (let index = 0; index < SMALL_FILES; index++)
    writeFileSync(join(folder, 'small', `${index}.yml`), randomBytes(SMALL_BYTES))

  const ours = { port: await startOurs(), user: 'somebody.server', at: '.' }
  const theirs = { port: await startTheirs(key, hostKey), user: 'root', at: join(folder, 'theirs') }
  const names = ['up', 'down', 'small'] as const
  const took = {
    ours: { up: [] as number[], down: [] as number[], small: [] as number[] },
    theirs: { up: [] as number[], down: [] as number[], small: [] as number[] },
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [who, { port, user, at }] of Object.entries({ ours, theirs }) as ['ours' | 'theirs', typeof ours][]) {
      const run = async (commands: string) => {
        const began = performance.now()
        await sftp(key, port, user, commands)
        return performance.now() - began
      }
      took[who].up.push(await run(`put ${folder}/large ${at}/large\n`))
      took[who].down.push(await run(`get ${at}/large ${folder}/back\n`))
      took[who].small.push(await run(`put -r ${folder}/small ${at}/small${round}\n`))
    }
  }
  const reach = { up: 0.7, down: 0.55, small: 0.4 }
  const title = { up: 'SFTP up', down: 'SFTP down', small: `SFTP, ${SMALL_FILES} small files` }
  for (const name of names) {
    const [mine, other] = [Math.min(...took.ours[name]), Math.min(...took.theirs[name])]
    const speed = (ms: number) =>
      name === 'small'
        ? `${Math.round(SMALL_FILES / (ms / 1000))} files/s`
        : `${Math.round(LARGE / MIB / (ms / 1000))} MiB/s`
    process.stdout.write(`${title[name]}: ${speed(mine)}, OpenSSH's own ${speed(other)}\n`)
    const share = Math.round((other / mine) * 100) / 100
    reportFigure(`${title[name]} against OpenSSH's server`, share, '×', { atLeast: reach[name] })
  }
}

async function startOurs(): Promise<number> {
  const sandboxes = await openSandboxBench()
  endings.push(() => sandboxes.close())
  const cluster = sandboxes.openCluster({ filesFile })
  const serverId = randomUUID()
  const limits = { ...sandboxes.limits, diskBytes: 4 * 1024 * MIB }
  const endpoint = await cluster.openFiles(serverId, limits)
  endings.push(() => cluster.remove(serverId, { volume: 'delete' }))
  const sign = createFilesSigner(sandboxes.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
  const session = { userId: randomUUID(), serverId, proof: { kind: 'key', id: randomUUID() } }
  const api = createServer((request, response) => {
    if (request.url?.startsWith('/internal/gateway/sftp/watch'))
      return void response.writeHead(200).write('{"type":"ping"}\n')
    const isOpen = request.url === '/internal/gateway/sftp/open'
    const answer = isOpen ? { endpoint, ticket: sign(serverId, 'sftp'), readOnly: false } : session
    request.resume().on('end', () => response.end(JSON.stringify(request.url?.endsWith('/changes') ? {} : answer)))
  }).listen(0, '127.0.0.1')
  endings.push(() => {
    api.close()
    api.closeAllConnections()
  })
  await wait(50)
  const { port } = api.address() as AddressInfo
  const options = {
    host: '127.0.0.1',
    port: 0,
    apiUrl: `http://127.0.0.1:${port}`,
    token: 'x',
    hostSecret: 'ab'.repeat(32),
    connectionsPerAddress: 100,
    connectionRate: 1000,
    logLevel: 'warn',
  }
  const door = await openSftpDoor(options, createLogger({ part: 'bench', level: 'warn' }))
  endings.push(() => door.close())
  return door.port
}

async function startTheirs(key: string, hostKey: string): Promise<number> {
  mkdirSync('/run/sshd', { recursive: true })
  mkdirSync(join(folder, 'theirs'))
  writeFileSync(join(folder, 'authorized'), readFileSync(`${key}.pub`), { mode: 0o600 })
  const port = 20_000 + (process.pid % 10_000)
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    `PidFile ${join(folder, 'pid')}`,
    'Subsystem sftp /usr/lib/openssh/sftp-server',
  ]
  writeFileSync(join(folder, 'sshd_config'), `${config.join('\n')}\n`)
  const server = spawn(SSHD, ['-D', '-f', join(folder, 'sshd_config')], { stdio: 'ignore' })
  endings.push(() => void server.kill('SIGTERM'))
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 100) throw new Error('sshd does not listen')
    await wait(50)
  }
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(socket.destroy() !== undefined))
    socket.on('error', () => resolve(false))
  })
}

function sftp(key: string, port: number, user: string, commands: string): Promise<void> {
  const options = [
    'StrictHostKeyChecking=no',
    `UserKnownHostsFile=${join(folder, `known${port}`)}`,
    'IdentitiesOnly=yes',
  ]
  const args = ['-q', '-b', '-', '-F', '/dev/null', '-i', key, '-P', String(port), '-c', 'aes128-gcm@openssh.com']
  return new Promise((resolve, reject) => {
    const child = spawn('sftp', [...args, ...options.flatMap((option) => ['-o', option]), `${user}@127.0.0.1`], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`sftp ended with ${code}`))))
    child.stdin.end(commands)
  })
}
