/** The supervisor of one game server. Its only argument is the path of its configuration. */
import { chmodSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'
import { createTokenCheck } from '@wakestone/protocol/token-check'
import { createHttpServer } from './http.ts'
import { leadPlayers } from './lead.ts'
import { log } from './log.ts'
import { createRest, listenOn } from './rest.ts'
import { serveStream } from './stream.ts'
import { createSupervisor } from './supervisor.ts'

/** A stop by signal has this long for saving the world. */
const STOP_SECONDS = 110
const VOLUME_CHECK_MS = 5_000

function run(config: SupervisorConfig, path: string) {
  process.umask(0o022) // what is installed is read by the game, which may be another user
  const { serverId, publicKey, listen, leadPort } = config
  const checkToken = createTokenCheck({ audience: 'supervisor', publicKey, serverId })
  const supervisor = createSupervisor({ config, log })
  const rest = createRest({ supervisor, log })
  const server = createHttpServer({ supervisor, checkToken, log, rest })
  const stream = serveStream({ server, supervisor, checkToken })

  const open = () => listenOn(server, listen, (socket) => chmodSync(socket, 0o600))
  rest.attach({ server, stream, listen: open })
  open()
  if (leadPort !== undefined) leadPlayers({ port: leadPort, to: supervisor.gamePort, log })
  server.on('listening', () => log('info', 'listening', { serverId }))
  server.on('error', (error) => {
    log('error', 'cannot listen', { error })
    process.exit(1)
  })

  let ending = false
  async function end(signal: string) {
    if (ending) return
    ending = true
    log('info', 'ending', { signal })
    await supervisor.close(STOP_SECONDS)
    stream.close()
    if ('socket' in listen) rmSync(listen.socket, { force: true })
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void end(signal))
  process.on('SIGINT', (signal) => void end(signal))
  process.on('SIGUSR2', () => rest.goOn())
  // A volume that was deleted takes its supervisor along: nobody will ever ask for it again. One that is a file system
  // of its own tells nothing; what lies beside it on the host does.
  setInterval(() => {
    if (statSync(config.volume).nlink > 0 && statSync(path).nlink > 0) return
    log('error', 'the volume is gone')
    process.exit(1)
  }, VOLUME_CHECK_MS).unref()
  process.on('unhandledRejection', (error) => log('error', 'unhandled rejection', { error }))
}

const configPath = process.argv[2]
if (configPath === undefined) await import('./warm.ts')
else run(JSON.parse(readFileSync(configPath, 'utf8')) as SupervisorConfig, configPath)
