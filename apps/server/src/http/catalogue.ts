/**
 * What is sold and where, ready to be sent; kept until the database tells that something of it changed: prices,
 * products, places and taxes, whoever changed them.
 */
import type { Context } from '#src/context.ts'
import { createToldCache, type ToldCache } from '#src/db/told-cache.ts'
import type { KeptAnswer } from './kept-answer.ts'

export type Catalogue = {
  /** By route and by all that the answer depends on. */
  answers: ToldCache<KeptAnswer>
  /** What VAT visitors of a country pay. */
  rates: ToldCache<number>
  /** Whether changes reach us now. */
  isTold(): boolean
  /** Calls back when something changed or may have: what is read from then on is new. */
  onChange(listener: () => void): void
  /** Until all that was committed before is no longer kept. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

/** Rates of VAT change with the date, without a word from the database. */
const secondsKept = 60

export async function openCatalogue({ channels }: Pick<Context, 'channels'>): Promise<Catalogue> {
  const isTold = (): boolean => channel.connected()
  const answers = createToldCache<KeptAnswer>(isTold, { seconds: secondsKept })
  const rates = createToldCache<number>(isTold, { seconds: secondsKept })
  const listeners: (() => void)[] = []
  const clear = () => {
    answers.clear()
    rates.clear()
    for (const listener of listeners) listener() // afterwards: pages are made from these
  }
  const channel = await channels.listen('offers_changed', { onMessage: clear, onReconnect: clear })
  return {
    answers,
    rates,
    isTold,
    onChange: (listener) => void listeners.push(listener),
    caughtUp: () => channel.caughtUp(),
    close: () => channel.close(),
  }
}
