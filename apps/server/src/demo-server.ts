/** Creates the server that visitors of a demo can join. The standalone runs this after it is ready. */
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettingsOrExit } from '@wakestone/kit/settings'
import { createEngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { closeContext, createContext } from '#src/context.ts'
import { makeDemoServer } from '#src/features/admin/demo-server/service.ts'
import { allJobs } from '#src/jobs/all.ts'
import { ensureQueues } from '#src/jobs/boss.ts'

const settings = readSettingsOrExit(process.env)
if (settings.DATABASE_URL === undefined) {
  console.error('DATABASE_URL takes a postgres:// address')
  process.exit(2)
}
const logger = createLogger({ part: 'demo-server', level: settings.LOG_LEVEL })
const secrets = loadSecrets(settings.DATA_DIR)
const context = await createContext({ settings, secrets, logger, databaseUrl: settings.DATABASE_URL, role: 'api' })
try {
  await ensureQueues(context.boss, allJobs)
  const artifactUrl = `${settings.API_URL ?? `http://127.0.0.1:${settings.HTTP_PORT}`}/artifacts`
  const engines = createEngineCatalogue({ settings, artifactUrl, logger, listPatienceMs: 30_000 })
  const address = await makeDemoServer({ ...context, engines })
  if (address !== undefined) logger.info({ address }, 'a server for visitors is being prepared')
} finally {
  await closeContext(context)
}
