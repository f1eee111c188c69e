/** Says which walls this machine cannot put around servers; ends with 1 where servers must not be without them. */
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettingsOrExit } from '@wakestone/kit/settings'
import { openCluster } from './adapters/clusters/fleet.ts'

const settings = readSettingsOrExit(process.env)
const cluster = openCluster({
  settings,
  secrets: loadSecrets(settings.DATA_DIR),
  logger: createLogger({ part: 'walls', level: 'silent' }),
})
const { ok, problems } = await cluster.check()
for (const problem of problems) process.stdout.write(`${problem}\n`)
if (!ok) {
  process.stdout.write('NODE_ENV=production: allow what may be missing by its name, in ALLOW_MISSING_WALLS.\n')
  process.exit(1)
}
