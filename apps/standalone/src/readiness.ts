/** Waiting until the parts answer. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Ports } from './ports.ts'

const patience = 120_000

/**
 * Resolves when the API says that it is ready and worker and gateway serve their figures.
 * @throws when that takes longer than two minutes, with the name of what is late.
 */
export async function waitUntilReady(ports: Ports, { isWanted }: { isWanted: () => boolean }): Promise<void> {
  const parts = {
    api: `http://127.0.0.1:${ports.http}/readyz`,
    worker: `http://127.0.0.1:${ports.metrics + 1}/healthz`,
    gateway: `http://127.0.0.1:${ports.metrics + 2}/healthz`,
  }
  const deadline = Date.now() + patience
  await Promise.all(
    Object.entries(parts).map(async ([name, url]) => {
      while (isWanted() && !(await answers(url))) {
        if (Date.now() > deadline) throw new Error(`The ${name} is not ready after ${patience / 1000} s; see its log`)
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
