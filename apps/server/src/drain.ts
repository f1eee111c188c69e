/** Stops every game server placed under DATA_DIR, worlds saved. The standalone runs this when it ends. */
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { supervisorFile } from './adapters/clusters/fleet.ts'
import { createProcessCluster } from './adapters/clusters/process/process-cluster.ts'

/** A stop of a game may take 120 s before it is killed; the supervisor gives up a little earlier. */
const TIMEOUT_SECONDS = 125

const settings = readSettings(process.env)
const cluster = createProcessCluster({
  dataDir: settings.DATA_DIR,
  supervisorFile,
  nodePath: process.execPath,
  bwrapPath: settings.BWRAP_PATH,
  allowUnsandboxed: settings.ALLOW_UNSANDBOXED,
  publicKey: loadSecrets(settings.DATA_DIR).supervisor.publicKey,
  logger: createLogger({ part: 'drain', level: settings.LOG_LEVEL }),
})
await cluster.stopAll({ timeoutSeconds: TIMEOUT_SECONDS })
