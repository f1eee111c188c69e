/** Keeps the SFTP door open, in a thread that is started anew when it breaks. */
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from '@wakestone/kit/logger'
import type { FromSftp, SftpFigures, SftpOptions } from './options.ts'

const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 10_000
const CLOSE_MS = 3_000
const DRAIN_LOOK_MS = 500

export type SftpDoor = {
  port: number
  figures(): SftpFigures
  /** Takes nobody new from now on; resolves when everybody has left, or after so long. */
  drain(seconds: number): Promise<void>
  close(): Promise<void>
}

/** @throws when the port cannot be taken */
export async function openSftpDoor(options: SftpOptions, logger: Logger): Promise<SftpDoor> {
  const nothing: SftpFigures = { connections: 0, sessions: 0 }
  let figures = nothing
  let worker: Worker
  let closed = false
  let retryMs = FIRST_RETRY_MS
  let retry: NodeJS.Timeout | undefined

  /** @returns the port */
  function start(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      worker = new Worker(new URL('worker.ts', import.meta.url), {
        workerData: { ...options, port } satisfies SftpOptions,
        resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
      })
      let listening: number | undefined
      worker.on('message', (message: FromSftp) => {
        if (message.type === 'figures') return void (figures = message)
        listening = message.port
        retryMs = FIRST_RETRY_MS
        resolve(message.port)
      })
      worker.on('error', (error) => {
        logger.error({ err: error }, 'the SFTP door broke')
        reject(error)
      })
      worker.on('exit', () => {
        figures = nothing
        if (!closed && listening !== undefined) again(listening)
      })
    })
  }
  function again(port: number) {
    retry = setTimeout(() => void start(port).catch(() => again(port)), retryMs)
    retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2)
  }

  const port = await start(options.port)
  return {
    port,
    figures: () => figures,
    async drain(seconds) {
      if (seconds <= 0) return
      closed = true // it is not started again
      worker.postMessage('drain', [])
      const deadline = performance.now() + seconds * 1000
      while (figures.connections > 0 && performance.now() < deadline) await delay(DRAIN_LOOK_MS)
    },
    async close() {
      closed = true
      clearTimeout(retry)
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      const late = setTimeout(() => void worker.terminate(), CLOSE_MS)
      worker.postMessage('close', [])
      await ended
      clearTimeout(late)
    },
  }
}
