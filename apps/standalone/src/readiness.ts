/** Waiting until the parts answer. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Part } from './parts.ts'
import type { Ports } from './ports.ts'

const patience = 120_000

/**
 * Resolves when API and gateway say that they are ready and the worker serves its figures.
 * @throws when a part keeps dying or takes longer than two minutes.
 */
export async function waitUntilReady(
  ports: Ports,
  { parts, isWanted }: { parts: Part[]; isWanted: () => boolean },
): Promise<void> {
  const addresses: Record<string, string> = {
    api: `http://127.0.0.1:${ports.http}/readyz`,
    worker: `http://127.0.0.1:${ports.metrics + 1}/healthz`,
    gateway: `http://127.0.0.1:${ports.metrics + 2}/readyz`,
  }
  const deadline = Date.now() + patience
  await Promise.all(
    parts.map(async (part) => {
      const late = `The ${part.name} is not ready after ${patience / 1000} s; see its log`
      while (isWanted() && !(await answers(addresses[part.name] ?? ''))) {
        if (part.fault) throw new Error(`The ${part.name} does not start: ${part.fault}`)
        if (Date.now() > deadline) throw new Error(late)
        await delay(50)
      }
    }),
  )
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
