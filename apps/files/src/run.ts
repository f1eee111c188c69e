/** The service as a process: where it listens, and when it ends. */
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import type { FilesConfig } from '@wakestone/protocol/files'
import { endWhenIdle } from './idle.ts'
import { log } from './log.ts'
import { createService } from './service.ts'

/** @param configPath of a `FilesConfig` */
export function runService(configPath: string): void {
  const config = JSON.parse(readFileSync(configPath, 'utf8')) as FilesConfig
  const { listen, idleSeconds = 60 } = config
  process.umask(0o022)
  process.chdir('/')
  const { server, isBusy } = createService(config, log)
  const leave = () => {
    if ('socket' in listen) rmSync(listen.socket, { force: true })
  }
  const end = (code: number) => {
    leave()
    process.exit(code)
  }

  if ('socket' in listen) {
    leave() // left behind by one that was killed
    server.listen(listen.socket, () => chmodSync(listen.socket, 0o600))
  } else server.listen(listen.port)
  server.on('listening', () => log('info', 'listening', { serverId: config.serverId }))
  server.on('error', (error) => {
    log('error', 'cannot listen', { error })
    process.exit(1)
  })
  endWhenIdle(server, { ms: idleSeconds * 1000, isBusy, leave, end: () => end(0) })
  process.on('SIGTERM', () => end(0))
  process.on('SIGINT', () => end(0))
  process.on('unhandledRejection', (error) => log('error', 'unhandled rejection', { error }))
}
