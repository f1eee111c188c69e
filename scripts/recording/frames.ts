/** What a page shows over time, as Chromium paints it. */
import type { Page } from 'playwright-core'

export type Frame = { png: Buffer; at: number }

/** Begins now. Chromium sends a frame for each change, so nothing comes while nothing changes. */
export async function recordPage(page: Page): Promise<{ stop(): Promise<Frame[]> }> {
  const session = await page.context().newCDPSession(page)
  const frames: Frame[] = [{ png: await page.screenshot(), at: Date.now() }]
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push({ png: Buffer.from(data, 'base64'), at: Date.now() })
    // A page that has gone needs no more.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined)
  })
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
  return {
    async stop() {
      await session.send('Page.stopScreencast')
      frames.push({ png: await page.screenshot(), at: Date.now() })
      return frames
    },
  }
}
