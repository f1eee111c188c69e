/**
 * `npm run business:restore -- --from REPOSITORY [--snapshot ID]`: the whole business on an empty machine. `--only` does one
 * of the two steps; the standalone starts its database in between.
 */
import { parseArgs } from 'node:util'
import { createLogger } from '@wakestone/kit/logger'
import { readSettingsOrExit } from '@wakestone/kit/settings'
import { restoreDatabase, restoreFiles } from '#src/features/admin/business/service.ts'

const { values } = parseArgs({
  options: { from: { type: 'string' }, snapshot: { type: 'string', default: 'latest' }, only: { type: 'string' } },
})
const settings = readSettingsOrExit(process.env)
const deps = { settings, env: process.env, say: (line: string) => console.log(line) }
try {
  if (values.only !== 'database') {
    if (values.from === undefined) throw new Error('name the restic repository: --from rest:https://host:8000/business')
    await restoreFiles(deps, { from: values.from, snapshot: values.snapshot })
  }
  if (values.only !== 'files') {
    if (settings.DATABASE_URL === undefined) throw new Error('DATABASE_URL takes a postgres:// address')
    const logger = createLogger({ part: 'restore', level: settings.LOG_LEVEL === 'info' ? 'warn' : settings.LOG_LEVEL })
    if (!(await restoreDatabase({ ...deps, logger }, settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL)))
      process.exitCode = 1
  }
} catch (error) {
  console.error(`Not restored: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
