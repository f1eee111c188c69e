/** A worker as a process of its own, which can be killed at any moment. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestApi } from './api.ts'
import { findFreePort } from './ports.ts'

const root = join(import.meta.dirname, '../..')

export type WorkerProcess = { kill(): Promise<void> }

/** Starts one on the database, folder and sandboxes of a test's API; resolves once it is at work. */
export async function startWorkerProcess(
  { context: { databaseUrl, settings } }: Pick<TestApi, 'context'>,
  env: Record<string, string> = {},
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [join(root, 'apps/server/src/worker.ts')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, '.cache/compile'),
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      DATA_DIR: settings.DATA_DIR,
      // What it serves is at the next one: two runs beside each other have workers at once.
      METRICS_PORT: String(await findFreePort()),
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const atWork = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      if (process.env['TEST_LOG']) console.log(line)
      if (line.includes('"at work"')) resolve()
    })
  })
  const ended = exited.then(() => Promise.reject(new Error('the worker ended')))
  ended.catch(() => undefined)
  await Promise.race([atWork, ended])
  return {
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
