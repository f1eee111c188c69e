/** The whole product on one machine: what starts, in which order, and how it all ends. */
import { join } from 'node:path'
import { createLifecycle } from '@wakestone/kit/lifecycle'
import { loadSecrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import { describeStart, type FirstAccounts } from './banner.ts'
import { embedDatabase, findDatabase } from './database.ts'
import { useReserve, watchDisk } from './disk-watch.ts'
import { lockDataDir } from './lock.ts'
import { runScript, startPart } from './parts.ts'
import {
  partEnvironment,
  sandboxUrl,
  wantsDemoServer,
  wantsSandboxDiscord,
  wantsSandboxPaynow,
  wantsSandboxPaypal,
  wantsSandboxProvider,
} from './plan.ts'
import { choosePorts } from './ports.ts'
import { waitUntilReady } from './readiness.ts'
import { startSandboxDiscord } from './sandbox-discord.ts'
import { startSandboxPaypal } from './sandbox-paypal.ts'
import { startSandboxPaynow, startSandboxProvider } from './sandbox-provider.ts'
import { watchSources } from './watch-sources.ts'

/** In the background: nothing waits for the demo's server, and the start succeeds without it. */
async function makeDemoServer(env: Record<string, string>, isWanted: () => boolean): Promise<void> {
  await runScript({ script: 'apps/server/src/demo-server.ts', env }).catch((error: Error) => {
    if (isWanted()) console.error(`No demo server was made: ${error.message}`)
  })
}

/** While developing: servers that are placed after a change of these sources run what came of it. */
function rebuildBundles(env: Record<string, string>): () => void {
  const build = () => runScript({ script: 'scripts/build-bundles.mjs', env })
  const folders = ['apps/supervisor/src', 'apps/files/src', 'packages/*/src']
  const onChange = () => void build().catch((error: Error) => console.error(error.message))
  return watchSources({ root: join(import.meta.dirname, '../../..'), folders, onChange })
}

/** `memory` bounds JavaScript's heap, in MiB; the API also renders pages. */
const parts = [
  { name: 'api', script: 'apps/server/src/api.ts', memory: 384, sources: 'apps/server/src' },
  { name: 'worker', script: 'apps/server/src/worker.ts', memory: 256, sources: 'apps/server/src' },
  { name: 'gateway', script: 'apps/gateway/src/main.ts', memory: 192, sources: 'apps/gateway/src' },
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
  const lifecycle = createLifecycle({ error: tellFault })
  const lock = await lockDataDir(given.DATA_DIR)
  lifecycle.onStop('lock', lock.release)
  const isWanted = () => !signal.aborted
  let phase: 'starting' | 'serving' | 'failed' = 'starting'
  try {
    const ports = await choosePorts(given, {
      sandbox: wantsSandboxProvider(given),
      discord: wantsSandboxDiscord(given),
      paypal: wantsSandboxPaypal(given),
      paynow: wantsSandboxPaynow(given),
    })
    const settings = { ...given, HTTP_PORT: ports.http }
    const secrets = loadSecrets(settings.DATA_DIR)
    const logFolder = join(settings.DATA_DIR, 'logs')

    const disk = { folder: settings.DATA_DIR, floor: settings.DISK_FLOOR * 1024 * 1024 }
    await useReserve(disk)

    const sandbox = ports.sandbox === undefined ? undefined : sandboxUrl(settings, ports.sandbox)
    const discordSandbox = ports.discord === undefined ? undefined : sandboxUrl(settings, ports.discord)
    const [databaseUrl, payu, discord, paypal, paynow] = await Promise.all([
      settings.DATABASE_URL ?? embedDatabase({ settings, secrets, lifecycle }),
      sandbox === undefined ? {} : startSandbox(sandbox),
      discordSandbox === undefined ? {} : startDiscord(discordSandbox),
      ports.paypal === undefined ? {} : startPaypal(ports.paypal),
      ports.paynow === undefined ? {} : startPaynow(ports.paynow),
    ])
    const sandboxes = { ...payu, ...discord, ...paypal, ...paynow }
    const env = partEnvironment({ settings, ports, databaseUrl, sandboxes })
    if (isWanted()) await runScript({ script: 'apps/server/src/migrate.ts', env })
    // Elsewhere the worker tells of them.
    if (isWanted() && settings.NODE_ENV === 'production') await runScript({ script: 'apps/server/src/walls.ts', env })

    const stopGames = () => runScript({ script: 'apps/server/src/drain.ts', env })
    // Games stop after the parts that would start them again, and before the database.
    lifecycle.onStop('games', async () => {
      if (phase === 'failed') return // no reason for games that have been running to end
      console.log('Stopping games, saving worlds …')
      await stopGames()
    })
    if (!isWanted()) return lifecycle
    let accounts: FirstAccounts | undefined
    if (watch) lifecycle.onStop('watching', rebuildBundles(env))
    const running = parts.map((part) =>
      startPart({
        ...part,
        env,
        logFolder,
        watch: watch ? [part.sources, 'packages/*/src'] : [],
        isQuiet: () => phase === 'starting',
        onStart: (pid) => lock.note(part.name, pid),
        onTold: (message) => {
          accounts = (message as { accounts?: FirstAccounts }).accounts ?? accounts
        },
      }),
    )
    lifecycle.onStop('parts', () => Promise.all(running.map((part) => part.stop())).then(() => {}))
    await waitUntilReady(ports, { parts: running, isWanted })
    phase = 'serving'
    if (isWanted()) console.log(describeStart({ settings, secrets, ports, sandbox, discordSandbox, accounts }))
    if (isWanted() && wantsDemoServer(settings)) void makeDemoServer(env, isWanted)
    if (settings.DISK_FLOOR > 0) {
      const worker = running.find(({ name }) => name === 'worker')
      const watched = watchDisk({
        ...disk,
        async hold() {
          await worker?.restartWith({ HOLD_SERVERS: '1' }) // or it would start again what is stopped
          await stopGames()
        },
        release: async () => worker?.restartWith({}),
      })
      lifecycle.onStop('watch of the disk', () => watched.close())
    }
    return lifecycle

    async function startSandbox(publicUrl: string) {
      const provider = await startSandboxProvider({
        host: settings.HTTP_HOST,
        port: ports.sandbox as number,
        publicUrl,
        stateFile: join(settings.DATA_DIR, 'sandbox-payments.json'),
        secrets,
      })
      lifecycle.onStop('payments', provider.stop)
      return provider.env
    }

    async function startPaypal(port: number) {
      const simulator = await startSandboxPaypal({
        settings,
        port,
        publicUrl: sandboxUrl(settings, port),
        stateFile: join(settings.DATA_DIR, 'sandbox-paypal.json'),
      })
      lifecycle.onStop('PayPal', simulator.stop)
      return simulator.env
    }

    async function startPaynow(port: number) {
      const provider = await startSandboxPaynow({
        host: settings.HTTP_HOST,
        port,
        publicUrl: sandboxUrl(settings, port),
        stateFile: join(settings.DATA_DIR, 'sandbox-paynow.json'),
        notificationUrl: `http://127.0.0.1:${ports.http}/api/v1/payments/paynow/notify`,
        secrets,
      })
      lifecycle.onStop('paynow', provider.stop)
      return provider.env
    }

    async function startDiscord(publicUrl: string) {
      const simulator = await startSandboxDiscord({ settings, port: ports.discord as number, publicUrl })
      lifecycle.onStop('discord', simulator.stop)
      return simulator.env
    }
  } catch (error) {
    phase = 'failed'
    await lifecycle.stop()
    throw error
  }
}

/** Brings the embedded database to the present shape and ends it again. */
export async function migrateEmbedded(settings: Settings): Promise<void> {
  console.log(await runOnEmbedded(settings, { script: 'apps/server/src/migrate.ts' }))
}

/** Gives an administrator a new password and prints it; the product may run meanwhile. */
export async function resetAdminPassword(settings: Settings, login: string | undefined): Promise<void> {
  const script = { script: 'apps/server/src/admin-password.ts', args: login === undefined ? [] : [login] }
  const running = findDatabase(settings, loadSecrets(settings.DATA_DIR))
  console.log(
    await (running === undefined
      ? runOnEmbedded(settings, script)
      : runScript({ ...script, env: onDatabase(running) })),
  )
}

/** Brings the business back from a backup into an empty DATA_DIR, with an embedded database of its own. */
export async function restoreBusiness(settings: Settings, args: string[]): Promise<void> {
  const script = 'apps/server/src/business-restore.ts'
  const env = { ...(process.env as Record<string, string>), DATA_DIR: settings.DATA_DIR }
  // The keys come first: the database is laid out with one of them.
  console.log(await runScript({ script, env, args: [...args, '--only', 'files'] }))
  console.log(await runOnEmbedded(settings, { script, args: ['--only', 'database'] }, env))
}

/** Runs a script on the embedded database, which runs meanwhile. */
async function runOnEmbedded(
  settings: Settings,
  script: { script: string; args?: string[] },
  env: Record<string, string> = {},
): Promise<string> {
  const lifecycle = createLifecycle({ error: tellFault })
  const lock = await lockDataDir(settings.DATA_DIR)
  lifecycle.onStop('lock', lock.release)
  try {
    const databaseUrl = await embedDatabase({ settings, secrets: loadSecrets(settings.DATA_DIR), lifecycle })
    return await runScript({ ...script, env: { ...env, ...onDatabase(databaseUrl) } })
  } finally {
    await lifecycle.stop()
  }
}

const onDatabase = (databaseUrl: string) => ({ PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl })

function tellFault({ error, step }: { error: unknown; step: string }) {
  console.error(`Could not stop ${step}: ${error instanceof Error ? error.message : error}`)
}
