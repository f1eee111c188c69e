/** What the control plane is asked for those who come over SFTP. */
import type { SftpChange, SftpSession } from '@wakestone/contract/servers/remotefs'
import { sftpWatchLine } from '@wakestone/contract/servers/remotefs'
import {
  gatewaySftp,
  gatewaySftpChanges,
  gatewaySftpOpen,
  gatewaySftpWatch,
} from '@wakestone/contract/servers/sftp-transports'
import type { z } from 'zod'

const TIMEOUT_MS = 30_000
const RETRY_MS = 500
/** The API says something every 10 s. */
const SILENCE_MS = 30_000
/** A session that nobody can watch over ends. */
const UNWATCHED_MS = 30_000

/** A refusal: a code of the catalogue, or `unreachable`. */
export class Refused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}
export type Login = z.input<typeof gatewaySftp.body>
export type Opened = z.output<typeof gatewaySftpOpen.answer>
export type WatchEnd = 'right' | 'busy' | 'unwatched'
export type ApiCalls = ReturnType<typeof createApiCalls>

export function createApiCalls({ apiUrl, token }: { apiUrl: string; token: string }) {
  const base = apiUrl.replace(/\/$/, '')
  const authorization = `Bearer ${token}`

  async function call<Answer extends z.ZodType>(
    { path, answer }: { path: string; answer: Answer },
    body: unknown,
  ): Promise<z.output<Answer>> {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => {
      throw new Refused('unreachable')
    })
    const json: unknown = await response.json().catch(() => undefined)
    if (response.ok) return answer.parse(json)
    const { error } = (json ?? {}) as { error?: unknown }
    throw new Refused(typeof error === 'string' ? error : 'unreachable')
  }

  /** Asks again and again when a session has to end, until it has. @returns what gives that up */
  function watch(session: SftpSession, writes: boolean, onEnd: (because: WatchEnd) => void): () => void {
    const { userId, serverId, proof } = session
    const query = new URLSearchParams({
      userId,
      serverId,
      kind: proof.kind,
      proofId: proof.id,
      writes: writes ? '1' : '0',
    })
    const closing = new AbortController()
    let heardAt = performance.now()

    async function follow(): Promise<WatchEnd | undefined> {
      const silence = new AbortController()
      const timer = setTimeout(() => silence.abort(), SILENCE_MS)
      try {
        const response = await fetch(`${base}${gatewaySftpWatch.path}?${query}`, {
          headers: { authorization },
          redirect: 'error',
          signal: AbortSignal.any([closing.signal, silence.signal]),
        })
        if (!response.ok || !response.body) {
          await response.body?.cancel()
          return undefined
        }
        for await (const line of readLines(response.body)) {
          heardAt = performance.now()
          timer.refresh()
          const { data } = sftpWatchLine.safeParse(line)
          if (data?.type === 'end') return data.because
        }
      } catch {
        // Asked again below.
      } finally {
        clearTimeout(timer)
      }
      return undefined
    }
    async function followOn() {
      while (!closing.signal.aborted) {
        const end = await follow()
        if (closing.signal.aborted) return
        if (end !== undefined) return onEnd(end)
        if (performance.now() - heardAt > UNWATCHED_MS) return onEnd('unwatched')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    void followOn()
    return () => closing.abort()
  }

  return {
    /** @throws Refused */
    login: (login: Login) => call(gatewaySftp, login),
    /** @throws Refused */
    open: (session: SftpSession) => call(gatewaySftpOpen, session),
    tell: ({ userId, serverId }: SftpSession, changes: SftpChange[]) =>
      call(gatewaySftpChanges, { userId, serverId, changes }),
    watch,
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(-4096)
    for (const line of lines) {
      try {
        yield JSON.parse(line)
      } catch {
        // Not ours; the next one may be.
      }
    }
  }
}
