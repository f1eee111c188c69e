/** The whole product as `npm start` runs it, in a folder and on ports of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Secrets } from '@wakestone/kit/secrets'
import { provideArtifacts } from './artifacts.ts'
import { findFreePorts } from './ports.ts'

const root = join(import.meta.dirname, '../..')

export type Standalone = {
  origin: string
  gamePort: number
  dataDir: string
  secrets: Secrets
  process: ChildProcess
  output: () => string
  /** Asks for an orderly end, as Ctrl-C does, and waits for it. */
  stop(): Promise<number | null>
  /** Stops and deletes the folder. */
  dispose(): Promise<void>
}

/** Starts the product and waits until it is ready. */
export async function startStandalone({
  dataDir = mkdtempSync(join(tmpdir(), 'ws-e2e-')),
  env = {},
  ports,
}: {
  dataDir?: string
  env?: Record<string, string>
  ports?: { http: number; game: number; sftp: number }
} = {}): Promise<Standalone> {
  await provideArtifacts(dataDir) // as the set-up of `npm start` does
  const { http, game, sftp } = ports ?? (await findFreePorts())
  const child = spawn(process.execPath, [join(root, 'apps/standalone/src/main.ts')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir,
      HTTP_PORT: String(http),
      GAME_PORT: String(game),
      SFTP_PORT: String(sftp),
      DISK_FLOOR: '0', // or each copy would lay its reserve aside
      // Each copy has a folder of its own, and would compile the same files anew.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, '.cache/compile'),
      PACKAGE_SOURCES: 'none',
      DEMO_SERVER: '0', // tests begin without servers
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const deadline = Date.now() + 150_000
  while (!/ready in/.test(output)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the product did not start:\n${output}`)
    await delay(50)
  }
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    return ended
  }
  return {
    origin: `http://localhost:${http}`,
    gamePort: game,
    dataDir,
    secrets: JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets,
    process: child,
    output: () => output,
    stop,
    async dispose() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
