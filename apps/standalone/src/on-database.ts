/**
 * Runs a command of the server on the database of this installation, that of DATABASE_URL or the embedded one if it
 * runs, in place of this process as far as anybody can see.
 *
 *   node apps/standalone/src/on-database.ts SCRIPT [ARGS…]
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings, type Settings, SettingsError } from '@wakestone/kit/settings'
import { findDatabase } from './database.ts'
import { repoRoot } from './parts.ts'

const [script = '', ...args] = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', join(repoRoot, script), ...args],
  {
    cwd: repoRoot,
    env: { ...process.env, ...findAddress() },
    stdio: 'inherit',
  },
)
process.exit(status ?? 2)

/** Bad settings and missing keys are for the command to name. */
function findAddress(): { DATABASE_URL?: string } {
  let settings: Settings
  try {
    settings = readSettings(process.env)
  } catch (error) {
    if (error instanceof SettingsError) return {}
    throw error
  }
  if (settings.DATABASE_URL !== undefined || !existsSync(join(settings.DATA_DIR, 'secrets.json'))) return {}
  const found = findDatabase(settings, loadSecrets(settings.DATA_DIR))
  return found === undefined ? {} : { DATABASE_URL: found }
}
