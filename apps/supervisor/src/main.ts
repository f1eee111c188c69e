/** The supervisor of one game server. Its only argument is the path of its configuration. */
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'
import { createHttpServer } from './http.ts'
import { log } from './log.ts'
import { serveStream } from './stream.ts'
import { createSupervisor } from './supervisor.ts'
import { createTokenVerifier } from './tokens.ts'

/** A stop by signal has this long for saving the world. */
const STOP_SECONDS = 110

const config = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as SupervisorConfig
const verifyToken = createTokenVerifier({ publicKey: config.publicKey, serverId: config.serverId })
const supervisor = createSupervisor({ config, log })
const server = createHttpServer({ supervisor, verifyToken, log })
const stream = serveStream({ server, supervisor, verifyToken })

if ('socket' in config.listen) {
  const { socket } = config.listen
  rmSync(socket, { force: true }) // left behind by a supervisor that was killed
  server.listen(socket, () => chmodSync(socket, 0o600))
} else server.listen(config.listen.port)
server.on('listening', () => log('info', 'listening', { serverId: config.serverId }))
server.on('error', (error) => {
  log('error', 'cannot listen', { error })
  process.exit(1)
})

let ending = false
function end(signal: string) {
  if (ending) return
  ending = true
  log('info', 'ending', { signal })
  void supervisor.close(STOP_SECONDS).then(() => {
    stream.close()
    if ('socket' in config.listen) rmSync(config.listen.socket, { force: true })
    process.exit(0)
  })
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
process.on('unhandledRejection', (error) => log('error', 'unhandled rejection', { error }))
