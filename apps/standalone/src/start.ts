/** The whole product on one machine: what starts, in which order, and how it all ends. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLifecycle } from '@wakestone/kit/lifecycle'
import { loadSecrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import { describeStart } from './banner.ts'
import { ensureDatabase } from './database.ts'
import { lockDataDir } from './lock.ts'
import { runScript, startPart } from './parts.ts'
import { partEnvironment, sandboxUrl, wantsSandboxProvider } from './plan.ts'
import { choosePorts } from './ports.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { waitUntilReady } from './readiness.ts'
import { startSandboxProvider } from './sandbox-provider.ts'

/** Bounds of JavaScript's heap in MiB; the API also renders pages. */
const parts = [
  { name: 'api', script: 'apps/server/src/api.ts', memory: 384 },
  { name: 'worker', script: 'apps/server/src/worker.ts', memory: 256 },
  { name: 'gateway', script: 'apps/gateway/src/main.ts', memory: 192 },
]

export type Product = { stop(): Promise<void> }

/**
 * Starts everything and resolves when it serves.
 * @throws before anything is started when a port is taken or DATA_DIR is in use; later faults stop what was started.
 */
export async function startProduct(
  given: Settings,
  { watch, signal }: { watch: boolean; signal: AbortSignal },
): Promise<Product> {
  const lifecycle = createLifecycle({
    error: ({ error, step }) =>
      console.error(`Could not stop ${step}: ${error instanceof Error ? error.message : error}`),
  })
  const lock = await lockDataDir(given.DATA_DIR)
  lifecycle.onStop('lock', lock.release)
  const isWanted = () => !signal.aborted
  let phase: 'starting' | 'serving' | 'failed' = 'starting'
  try {
    const ports = await choosePorts(given, { sandbox: wantsSandboxProvider(given) })
    const settings = { ...given, HTTP_PORT: ports.http }
    const secrets = loadSecrets(settings.DATA_DIR)
    const logFolder = join(settings.DATA_DIR, 'logs')
    mkdirSync(logFolder, { recursive: true })

    const sandbox = ports.sandbox === undefined ? undefined : sandboxUrl(settings, ports.sandbox)
    const payu: Record<string, string> = {}
    if (ports.sandbox !== undefined && sandbox !== undefined) {
      const provider = await startSandboxProvider({
        host: settings.HTTP_HOST,
        port: ports.sandbox,
        publicUrl: sandbox,
        stateFile: join(settings.DATA_DIR, 'sandbox-payments.json'),
        secrets,
      })
      lifecycle.onStop('payments', provider.stop)
      Object.assign(payu, provider.env)
    }

    const databaseUrl = settings.DATABASE_URL ?? (await embedDatabase())
    const env = partEnvironment({ settings, ports, databaseUrl, payu })
    if (isWanted()) await runScript({ script: 'apps/server/src/migrate.ts', env })

    // Games stop after the parts that would start them again, and before the database.
    lifecycle.onStop('games', async () => {
      if (phase === 'failed') return // no reason for games that have been running to end
      console.log('Stopping games, saving worlds …')
      await runScript({ script: 'apps/server/src/drain.ts', env })
    })
    if (!isWanted()) return lifecycle
    const running = parts.map((part) =>
      startPart({
        ...part,
        env,
        logFolder,
        watch,
        isQuiet: () => phase === 'starting',
        onStart: (pid) => lock.note(part.name, pid),
      }),
    )
    lifecycle.onStop('parts', () => Promise.all(running.map((part) => part.stop())).then(() => {}))
    await waitUntilReady(ports, { parts: running, isWanted })
    phase = 'serving'
    if (isWanted()) console.log(describeStart({ settings, secrets, ports, sandbox }))
    return lifecycle

    async function embedDatabase() {
      const options = {
        home: join(settings.DATA_DIR, 'postgres'),
        password: secrets.databasePassword,
        logFile: join(logFolder, 'postgres.log'),
      }
      let postgres = await startPostgres(options)
      console.log(postgres.adopted ? '  PostgreSQL was running already' : '  PostgreSQL runs')
      let stopping = false
      lifecycle.onStop('PostgreSQL', () => {
        stopping = true
        return postgres.stop()
      })
      const revive = (lost: Postgres) =>
        void lost.lost.then(async () => {
          if (stopping) return
          console.error('PostgreSQL ended, starting it again')
          postgres = await startPostgres(options)
          revive(postgres)
        })
      revive(postgres)
      return ensureDatabase(postgres)
    }
  } catch (error) {
    phase = 'failed'
    await lifecycle.stop()
    throw error
  }
}
