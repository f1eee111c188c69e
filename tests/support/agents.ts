/** Further machines in tests: a cluster of the kind `agent`, and an agent that has joined it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import { createLogger } from '@wakestone/kit/logger'
import { readSettings } from '@wakestone/kit/settings'
import { readJoinToken, writeJoinToken } from '@wakestone/protocol/joining'
import { joinCluster } from '../../apps/server/src/agent/join.ts'
import { serveAgent } from '../../apps/server/src/agent/server.ts'
import { openCluster } from '../../apps/server/src/adapters/clusters/fleet.ts'
import { runtimeRoot } from '../../apps/server/src/adapters/clusters/process/paths.ts'
import type { Caller, TestApi } from './api.ts'

/** An open cluster of further machines, with the prices of this one. */
export async function openAgentCluster(admin: Caller, id = 'far') {
  const body = {
    id,
    name: 'Far away',
    country_code: null,
    visible_permission: null,
    free_places: null,
    zone_name: `${id}.test`,
    driver: 'agent' as const,
    prices_of: 'local',
  }
  await admin.call(clusters.createCluster, { body })
  await admin.call(clusters.changeCluster, { params: { clusterId: id }, body: { disabled: false } })
}

/** As an administrator copies it; the API of a test listens elsewhere than its settings say. */
export async function makeJoinToken({ origin }: TestApi, admin: Caller, clusterId = 'far'): Promise<string> {
  const { token } = await admin.call(clusters.createAgentToken, { params: { clusterId } })
  return writeJoinToken({ ...readJoinToken(token), url: `${origin}/api/v1` })
}

const logger = createLogger({ part: 'test-agent', level: process.env['TEST_LOG'] ?? 'silent' })
const makeFolder = () => mkdtempSync(join(tmpdir(), 'wsm-'))

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const { port } = probe.address() as { port: number }
  await new Promise((done) => probe.close(done))
  return port
}

/** An agent in this process. It can be ended and begun again over the same folder. */
export async function startTestAgent(token: string, name = 'crate') {
  const dataDir = makeFolder()
  const port = await freePort()
  const identity = await joinCluster(dataDir, { token, host: '127.0.0.1', port, name })
  const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test', LOG_LEVEL: 'silent' })
  const secrets = { supervisor: { publicKey: identity.publicKey, privateKey: '' } }
  const cluster = openCluster({ settings, secrets, logger })
  const serve = () => serveAgent({ cluster, dataDir, identity, listen: { host: '127.0.0.1', port }, logger })
  let agent = await serve()
  return {
    dataDir,
    port,
    identity,
    cluster,
    stop: () => agent.close(),
    async begin() {
      agent = await serve()
    },
    async close() {
      await agent.close()
      for (const serverId of await cluster.list()) await cluster.remove(serverId, { volume: 'delete' })
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(runtimeRoot(dataDir), { recursive: true, force: true })
    },
  }
}

/**
 * Cgroups are named after servers: one that is here and on the machine of an agent would share them, which are two machines
 * otherwise. So an agent may be kept from seeing those of this one, and does without.
 */
const withoutCgroups = [
  'unshare',
  '--mount',
  '--propagation',
  'private',
  'sh',
  '-c',
  'mount -t tmpfs -o ro none /sys/fs/cgroup && exec "$@"',
  'sh',
]

/** An agent as a process of its own, started by the command that is copied. */
export async function startAgentProcess(
  token: string,
  { apart = false, name = 'crate' }: { apart?: boolean; name?: string } = {},
) {
  const dataDir = makeFolder()
  const port = await freePort()
  let child: ChildProcess | undefined
  async function start() {
    const program = resolve(import.meta.dirname, '../../apps/server/src/agent.ts')
    const args = ['--no-warnings', program, '--join', token, '--address', '127.0.0.1', '--name', name]
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      AGENT_PORT: String(port),
      AGENT_HOST: '127.0.0.1',
      NODE_ENV: 'test',
    }
    const wrapper = apart && process.getuid?.() === 0 ? withoutCgroups : []
    const [command = '', ...words] = [...wrapper, process.execPath, ...args]
    const begun = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child = begun
    let said = ''
    await new Promise<void>((ready, reject) => {
      const listen = (chunk: Buffer) => {
        said = `${said}${chunk.toString()}`.slice(-4_000)
        if (said.includes('agent listens')) ready()
      }
      begun.stdout.on('data', listen)
      begun.stderr.on('data', listen)
      begun.once('exit', (code) => reject(new Error(`the agent ended with ${code}: ${said}`)))
    })
  }
  async function kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child?.once('exit', done))
    child.kill(signal)
    await gone
  }
  await start()
  return {
    dataDir,
    port,
    start,
    kill,
    close() {
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(runtimeRoot(dataDir), { recursive: true, force: true })
    },
  }
}
