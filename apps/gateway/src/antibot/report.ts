/** Tells the control plane what came of joins, and which servers bots attack. While it is away, that waits. */
import { randomUUID } from 'node:crypto'
import { antibotLimits, type AntibotReport } from '@wakestone/contract/servers/antibot'
import { gatewayAntibot } from '@wakestone/contract/servers/antibot-transports'
import type { Logger } from '@wakestone/kit/logger'
import type { Guard } from './guard.ts'

const EVERY_MS = 5_000
const TIMEOUT_MS = 10_000

export function startReports(options: {
  guard: Guard
  apiUrl: string
  token: string
  logger: Logger
  everyMs?: number | undefined
}): { close(): void } {
  const { guard, apiUrl, token, logger, everyMs = EVERY_MS } = options
  const url = `${apiUrl.replace(/\/$/, '')}${gatewayAntibot.path}`
  const gatewayId = randomUUID()
  /** Attacks that the control plane knows of. */
  let known = new Set<string>()
  let isSending = false
  let hasFailed = false

  async function send() {
    const minutes = guard.figures.untold(antibotLimits.reported)
    const all = guard.attacks().slice(0, antibotLimits.reported)
    const attacked = all.map(({ serverId, since }) => ({ serverId, since: calendar(since) }))
    const now = new Set(all.map(({ serverId }) => serverId))
    const over = [...known].filter((serverId) => !now.has(serverId))
    if (minutes.length === 0 && attacked.length === 0 && over.length === 0) return
    await post({ gatewayId, minutes, attacked, over })
    guard.figures.told(minutes)
    known = now
  }

  async function post(body: AntibotReport) {
    const response = await fetch(url, {
      method: gatewayAntibot.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the API answered ${response.status}`)
  }

  async function sendOnce() {
    if (isSending) return
    isSending = true
    try {
      await send()
      hasFailed = false
    } catch (error) {
      // Said once, not once per try.
      logger[hasFailed ? 'debug' : 'warn']({ reason: (error as Error).message }, 'figures of joins are not told')
      hasFailed = true
    } finally {
      isSending = false
    }
  }
  const timer = setInterval(() => void sendOnce(), everyMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}

/** @param at as of `performance.now()` */
const calendar = (at: number) => new Date(Date.now() - (performance.now() - at)).toISOString()
