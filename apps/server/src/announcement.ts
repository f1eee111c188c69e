/**
 * How a lower group of features tells what a higher one acts on, without knowing it. Who listens is named in
 * `listeners.ts`, once for every process.
 */
import type { Transaction } from '#src/db/client.ts'

export type Announcement<Told> = {
  /** Has every listener act within this transaction. @throws when nobody listens: a process was put together wrongly. */
  announce(trx: Transaction, told: Told): Promise<void>
  listen(listener: (trx: Transaction, told: Told) => Promise<void>): void
}

export function createAnnouncement<Told>(name: string): Announcement<Told> {
  const listeners: ((trx: Transaction, told: Told) => Promise<void>)[] = []
  return {
    async announce(trx, told) {
      if (listeners.length === 0) throw new Error(`nobody listens to ${name}`)
      for (const listener of listeners) await listener(trx, told)
    },
    listen: (listener) => void listeners.push(listener),
  }
}
