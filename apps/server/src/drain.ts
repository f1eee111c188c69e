/** Stops every game server placed under DATA_DIR, worlds saved. The standalone runs this when it ends, and a machine. */
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { openAllOfMachine } from './adapters/clusters/fleet.ts'
import { readIdentity } from './agent/identity.ts'

/** A stop of a game may take 120 s before it is killed; the supervisor gives up a little earlier. */
const TIMEOUT_SECONDS = 125

const settings = readSettings(process.env)
const agent = readIdentity(settings.DATA_DIR)
const clusters = openAllOfMachine({
  settings,
  // A machine with an agent has no secrets of its own.
  secrets: agent ? { supervisor: { publicKey: agent.publicKey, privateKey: '' } } : loadSecrets(settings.DATA_DIR),
  logger: createLogger({ part: 'drain', level: settings.LOG_LEVEL }),
})
await Promise.all(clusters.map((cluster) => cluster.stopAll({ timeoutSeconds: TIMEOUT_SECONDS })))
