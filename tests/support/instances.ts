/** Several of each program over one database and one folder, each a process of its own that may be killed or told to end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer as createRentedServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { loadSecrets } from '@wakestone/kit/secrets'
import { createLogger } from '@wakestone/kit/logger'
import { readSettings } from '@wakestone/kit/settings'
import { openCluster } from '../../apps/server/src/adapters/clusters/fleet.ts'
import { demoAccount } from '../../apps/server/src/features/accounts/accounts/first-accounts.ts'
import { buildFlyingSquidArtifact } from '../../engines/flying-squid/src/build.ts'
import { createCookieClient } from './api.ts'
import { provideArtifacts } from './artifacts.ts'
import { startBalancer } from './balancer.ts'
import { findFreePorts } from './ports.ts'
import { isUp, untilStatus } from './servers.ts'

export const repository = join(import.meta.dirname, '../..')

type Part = 'api' | 'worker' | 'gateway'
export type Instance = {
  part: Part
  /** Of the API and the gateway. */
  port: number
  metricsPort: number
  process: ChildProcess
  output: () => string
  /** Sends a signal; resolves once the process has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const entries: Record<Part, string> = {
  api: 'apps/server/src/api.ts',
  worker: 'apps/server/src/worker.ts',
  gateway: 'apps/gateway/src/main.ts',
}
/** What each says once it does its work. */
const ready: Record<Part, RegExp> = {
  api: /"msg":"listening"/,
  worker: /"at work"/,
  gateway: /"metricsPort":\d+.*"msg":"listening"/,
}

export async function openInstances(databaseUrl: string, common: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ws-instances-'))
  const secrets = loadSecrets(dataDir)
  await provideArtifacts(dataDir)
  const { manifest } = await buildFlyingSquidArtifact({ outDir: `${dataDir}/artifacts` })
  const web = await startBalancer()
  const players = await startBalancer()
  const all = new Set<Instance>()

  /** @param root a checkout, perhaps of another version */
  async function start(
    part: Part,
    { root = repository, env = {} }: { root?: string; env?: Record<string, string> } = {},
  ) {
    const { http, game, sftp } = await findFreePorts()
    const port = Number(env['GAME_PORT'] ?? (part === 'gateway' ? game : http))
    const metricsPort = Number(env['METRICS_PORT'] ?? http + 100) + { api: 0, worker: 1, gateway: 2 }[part]
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, entries[part])], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(repository, '.cache/compile'),
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        HTTP_PORT: String(http),
        HTTP_HOST: '127.0.0.1',
        METRICS_PORT: String(http + 100),
        GAME_HOST: '127.0.0.1',
        GAME_PORT: String(game),
        SFTP_PORT: String(sftp),
        API_URL: `http://127.0.0.1:${web.port}`,
        PUBLIC_URL: `http://localhost:${web.port}`,
        PACKAGE_SOURCES: 'none',
        DISK_FLOOR: '0',
        ...common,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const exited = once(child, 'exit')
    const isReady = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (process.env['TEST_LOG']) console.log(line)
        output = `${output}${line}\n`.slice(-100_000)
        if (ready[part].test(line)) resolve()
      })
    })
    child.stderr.on('data', (chunk) => (output += String(chunk)))
    const instance: Instance = {
      part,
      port,
      metricsPort,
      process: child,
      output: () => output,
      async end(signal) {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill(signal)
          await exited
        }
        all.delete(instance)
        lead()
      },
    }
    const failed = exited.then(() => Promise.reject(new Error(`the ${part} ended:\n${output.slice(-3_000)}`)))
    failed.catch(() => undefined)
    await Promise.race([isReady, failed, delay(120_000, undefined, { ref: false }).then(() => failed)])
    all.add(instance)
    child.once('exit', () => void all.delete(instance))
    lead()
    return instance
  }

  const leaving = new Set<Instance>()
  /** To all that take connections, but to those no more; one that has been killed is found out by connecting to it. */
  function lead(without: readonly Instance[] = []) {
    for (const one of without) leaving.add(one)
    const portsOf = (part: Part) =>
      [...all].filter((one) => one.part === part && !leaving.has(one)).map(({ port }) => port)
    web.leadTo(portsOf('api'))
    players.leadTo(portsOf('gateway'))
  }

  return {
    dataDir,
    origin: `http://127.0.0.1:${web.port}`,
    gamePort: players.port,
    all,
    start,
    lead,
    /** Somebody with a server that is up. */
    async rent() {
      const client = createCookieClient(`http://127.0.0.1:${web.port}`)
      const user = await client.call(loginLocal, {
        body: { login: demoAccount.email, password: secrets.demoPassword },
      })
      const server = await client.call(createRentedServer, {
        body: {
          name: 'Meadow',
          subdomain: `meadow-${process.pid}`,
          cluster_id: 'local',
          engine: 'flying-squid',
          engine_version: manifest.contentVersion,
          requested_billing_services: ['FREE'],
          billing_period: '720h',
          currency: 'PLN',
          wallet_id: user.wallets[0]!.id,
        },
      })
      await untilStatus(client, server.id, isUp, 120_000)
      const host = server.domains[0]!.fqdn
      return {
        ...client,
        user,
        id: server.id,
        host,
        status: () => client.call(getServerStatus, { params: { id: server.id } }),
      }
    },
    async close() {
      await Promise.all([...all].map((one) => one.end('SIGKILL')))
      web.close()
      players.close()
      const settings = readSettings({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl })
      const cluster = openCluster({ settings, secrets, logger: createLogger({ part: 'test', level: 'silent' }) })
      for (const serverId of await cluster.list()) await cluster.remove(serverId)
      if (existsSync(dataDir)) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
