/** Tells what keeps pages that something they show has changed: PostgreSQL says so, whoever changed it. */
import type { Context } from '#src/context.ts'
import { listen } from '#src/db/listen.ts'

export type PageChanges = { areTold: () => boolean; close: () => Promise<void> }

/** Calls back for prices, products, places on sale and taxes. What flags say is part of a page's key. */
export async function listenForPageChanges(
  { databaseUrl, logger }: Pick<Context, 'databaseUrl' | 'logger'>,
  onChange: () => void,
): Promise<PageChanges> {
  const channel = await listen({
    url: databaseUrl,
    channel: 'offers_changed',
    logger,
    onMessage: onChange,
    onReconnect: onChange, // what was said meanwhile is lost
  })
  return { areTold: channel.connected, close: channel.close }
}
