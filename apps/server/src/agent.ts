/**
 * Entry point of the agent: places servers on this machine for a control plane elsewhere. With `--join TOKEN` it joins
 * first. It has no database and no secrets but its own key.
 */
import { parseArgs } from 'node:util'
import { createLifecycle, stopOnSignals } from '@wakestone/kit/lifecycle'
import { createLogger } from '@wakestone/kit/logger'
import { readSettingsOrExit } from '@wakestone/kit/settings'
import { openCluster } from './adapters/clusters/fleet.ts'
import type { Identity } from './agent/identity.ts'
import { readIdentity } from './agent/identity.ts'
import { joinCluster } from './agent/join.ts'
import { serveAgent } from './agent/server.ts'

const settings = readSettingsOrExit(process.env)
const logger = createLogger({ part: 'agent', level: settings.LOG_LEVEL })
const lifecycle = createLifecycle(logger)
stopOnSignals(lifecycle)

const { values } = parseArgs({
  options: { join: { type: 'string' }, address: { type: 'string' }, name: { type: 'string' } },
})

async function findIdentity(): Promise<Identity | undefined> {
  if (values.join === undefined) return readIdentity(settings.DATA_DIR)
  const { address: host, name } = values
  return joinCluster(settings.DATA_DIR, {
    token: values.join,
    port: settings.AGENT_PORT,
    ...(host !== undefined && { host }),
    ...(name !== undefined && { name }),
  })
}

const identity = await findIdentity().catch((error: Error) => {
  console.error(error.message)
  process.exit(2)
})
if (identity === undefined) {
  console.error(
    'This machine has joined no cluster yet: add it under Clusters, and run the command that is shown there.',
  )
  process.exit(2)
}
const cluster = openCluster({
  settings,
  secrets: { supervisor: { publicKey: identity.publicKey, privateKey: '' } },
  logger,
})
const { ok, problems } = await cluster.check()
if (!ok) logger.error({ problems }, 'this machine takes no servers')
const agent = await serveAgent({
  cluster,
  dataDir: settings.DATA_DIR,
  identity,
  listen: { host: settings.AGENT_HOST, port: settings.AGENT_PORT },
  logger,
})
lifecycle.onStop('agent', () => agent.close())
