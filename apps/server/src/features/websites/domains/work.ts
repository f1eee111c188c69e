/** Looks at domains of websites when their time has come. Any number of workers may. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createDomainResolver } from '#src/adapters/dns/resolver.ts'
import type { Context } from '#src/context.ts'
import { lookAtDomain } from './look.ts'
import { takeDue } from './repo.ts'

const sweepMilliseconds = 2_000
/** Longer than name servers may take. */
const leaseSeconds = 30

export function beginWebsiteDomainWork(context: Pick<Context, 'db' | 'settings' | 'logger'>) {
  const deps = { ...context, resolver: createDomainResolver(context.settings) }
  const closing = new AbortController()
  const { signal } = closing

  async function lookAtDue(): Promise<void> {
    while (!signal.aborted) {
      const due = await takeDue(deps.db, leaseSeconds)
      if (due === undefined) return
      await lookAtDomain(deps, due)
    }
  }

  const working = (async () => {
    while (!signal.aborted) {
      await lookAtDue().catch((error: unknown) =>
        deps.logger.warn({ error }, 'domains of websites cannot be looked through'),
      )
      await sleep(sweepMilliseconds, undefined, { signal }).catch(() => undefined)
    }
  })()
  return {
    async close() {
      closing.abort()
      await working
    },
  }
}
