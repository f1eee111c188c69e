/** Stops every game server placed under DATA_DIR, worlds saved. The standalone runs this when it ends. */
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { openCluster } from './adapters/clusters/fleet.ts'

/** A stop of a game may take 120 s before it is killed; the supervisor gives up a little earlier. */
const TIMEOUT_SECONDS = 125

const settings = readSettings(process.env)
const cluster = openCluster({
  settings,
  secrets: loadSecrets(settings.DATA_DIR),
  logger: createLogger({ part: 'drain', level: settings.LOG_LEVEL }),
})
await cluster.stopAll({ timeoutSeconds: TIMEOUT_SECONDS })
