import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { createLifecycle, stopOnSignals } from '@wakestone/kit/lifecycle'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings, type Settings, SettingsError } from '@wakestone/kit/settings'
import { usualRules } from './antibot/guard.ts'
import { openSftpDoor } from './sftp/door.ts'
import { startGateway } from './start-gateway.ts'

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** @throws Error where one of the two files is missing. */
function readCertificate({ BEDROCK_TLS_CERT: cert, BEDROCK_TLS_KEY: key }: Settings) {
  return cert === undefined || key === undefined ? undefined : { cert: readFileSync(cert), key: readFileSync(key) }
}

// What it holds, it holds for long; the room for what is short-lived would only fill with garbage, and what it reads of
// thousands of routes would stay until far more has come.
setFlagsFromString('--max-semi-space-size=2')
setFlagsFromString('--optimize-for-size')

const settings = settingsOrExit()
const logger = createLogger({ part: 'gateway', level: settings.LOG_LEVEL })
const lifecycle = createLifecycle(logger)
const metricsPort = settings.METRICS_PORT ?? settings.HTTP_PORT + 100

const secrets = loadSecrets(settings.DATA_DIR)
const apiUrl = settings.API_URL ?? `http://127.0.0.1:${settings.HTTP_PORT}`

try {
  const sftp = await openSftpDoor(
    {
      host: settings.GAME_HOST,
      port: settings.SFTP_PORT,
      reusePort: settings.GATEWAY_REUSE_PORTS,
      apiUrl,
      token: secrets.gateway,
      hostSecret: secrets.sftpHost,
      connectionsPerAddress: settings.GATEWAY_CONNECTIONS_PER_ADDRESS,
      connectionRate: settings.GATEWAY_CONNECTION_RATE,
      logLevel: settings.LOG_LEVEL,
    },
    logger,
  )
  lifecycle.onStop('sftp', () => sftp.close())
  const gateway = await startGateway({
    host: settings.GAME_HOST,
    port: settings.GAME_PORT,
    reusePort: settings.GATEWAY_REUSE_PORTS,
    metricsHost: settings.METRICS_HOST,
    metricsPort: metricsPort === 0 ? 0 : metricsPort + 2,
    dataDir: settings.DATA_DIR,
    apiUrl,
    token: secrets.gateway,
    sftp: sftp.figures,
    logger,
    proxyIn: settings.GATEWAY_PROXY_IN,
    connectionsPerAddress: settings.GATEWAY_CONNECTIONS_PER_ADDRESS,
    connectionRate: settings.GATEWAY_CONNECTION_RATE,
    handshakeSeconds: settings.GATEWAY_HANDSHAKE_SECONDS,
    wakesPerAddress: settings.GATEWAY_WAKES_PER_ADDRESS,
    wakesPerNetwork: settings.GATEWAY_WAKES_PER_NETWORK,
    wakesPerServer: settings.GATEWAY_WAKES_PER_SERVER,
    antibot: {
      ...usualRules,
      attack: {
        ...usualRules.attack,
        newcomers: settings.GATEWAY_ATTACK_NEWCOMERS,
        quietMs: settings.GATEWAY_ATTACK_QUIET_SECONDS * 1000,
      },
      perAddress: settings.GATEWAY_NEWCOMERS_PER_ADDRESS,
      perNetwork: settings.GATEWAY_NEWCOMERS_PER_NETWORK,
      perServer: settings.GATEWAY_NEWCOMERS_PER_SERVER,
    },
    portLimits: {
      perAddress: settings.PORT_CONNECTIONS_PER_ADDRESS,
      perNetwork: settings.PORT_CONNECTIONS_PER_NETWORK,
      inAll: settings.PORT_CONNECTIONS,
    },
    signalling: {
      port: settings.BEDROCK_JOIN_PORT,
      publicAddress: settings.PUBLIC_ADDRESS,
      tls: readCertificate(settings),
    },
  })
  lifecycle.onStop('gateway', () => gateway.close())
  lifecycle.onStop('players', async () => {
    const { GATEWAY_DRAIN_SECONDS: seconds } = settings
    await Promise.all([gateway.drain(seconds), sftp.drain(seconds)])
  })
  stopOnSignals(lifecycle)
} catch (error) {
  logger.fatal({ err: error }, 'the gateway cannot start')
  process.exit(1)
}
