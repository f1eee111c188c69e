// The supervisor: one file with all that it runs, so that nothing of the checkout has to be shown in sandboxes.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { node24, root, run } from './run.mjs'
import { hashSources, isBuiltOf } from './sources.mjs'

const built = join(root, 'apps/supervisor/build/supervisor.mjs')
const stampFile = join(dirname(built), '.stamp')
const sources = ['apps/supervisor', 'packages/minecraft', 'packages/packager', 'packages/protocol']

/** Whether the build is of these sources. */
export const isSupervisorBuilt = () => existsSync(built) && isBuiltOf(stampFile, sources)

/** Takes under a second. */
export async function buildSupervisor() {
  if (isSupervisorBuilt()) return
  const bundler = join(root, 'node_modules/rolldown/bin/cli.mjs')
  const format = ['--platform', 'node', '--format', 'esm', '--no-code-splitting', '--log-level', 'warn']
  const draft = `${built}.${process.pid}`
  await run(node24, [bundler, join(root, 'apps/supervisor/src/main.ts'), ...format, '--file', draft])
  await rename(draft, built)
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, hashSources(sources))
}
