/** Lists as they are told: one JSON value per line, and a last one that says how it ended. */
import type { ServerResponse } from 'node:http'
import { asFileError } from './errors.ts'

const CHUNK = 64 * 1024
/** Everybody else gets a turn after so long. */
const TURN_MS = 12

export type Lines = {
  /** Adds a line. @returns false once nobody listens any more */
  add(value: unknown): boolean
  /** To be awaited now and then: sends what there is, lets others in, and waits while the listener is slow. */
  breathe(): Promise<boolean>
  /** For what comes seldom: sends at once. */
  flush(): void
  isOpen(): boolean
}

/** Waits for its listener, so that of any list no more than a chunk is held. */
export async function sendLines(
  response: ServerResponse,
  tell: (lines: Lines) => Promise<{ truncated: boolean } | undefined>,
): Promise<void> {
  let text = ''
  let turn = performance.now()
  let isOpen = true
  response.on('close', () => (isOpen = false))
  const flush = () => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    if (text !== '' && isOpen) response.write(text)
    text = ''
  }
  const lines: Lines = {
    add(value) {
      text += `${JSON.stringify(value)}\n`
      if (text.length >= CHUNK) flush()
      return isOpen
    },
    async breathe() {
      if (isOpen && response.writableNeedDrain) await drained(response)
      else if (performance.now() - turn > TURN_MS) await new Promise((done) => setImmediate(done))
      else return isOpen
      turn = performance.now()
      return isOpen
    },
    flush,
    isOpen: () => isOpen,
  }
  try {
    const end = await tell(lines)
    lines.add({ end: true, truncated: end?.truncated ?? false })
  } catch (error) {
    // With nothing told yet, it is an answer like any other.
    if (!response.headersSent && text === '') throw error
    const known = asFileError(error)
    lines.add({ error: known?.code ?? 'internal_error' })
  }
  flush()
  response.end()
}

export const drained = (response: ServerResponse): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      response.off('drain', end).off('close', end)
      done()
    }
    response.on('drain', end).on('close', end)
    if (response.destroyed) end()
  })
