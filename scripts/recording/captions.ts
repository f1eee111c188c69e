/** What happens outside the page, as a line beneath it. */
import type { Browser } from 'playwright-core'

export type Caption = { png: Buffer; at: number }

export const captionHeight = 48

/** Draws each in Chromium, so that letters look as in the page above. */
export async function drawCaptions(
  browser: Browser,
  captions: readonly { text: string; at: number }[],
  width: number,
): Promise<Caption[]> {
  const page = await browser.newPage({ viewport: { width, height: captionHeight } })
  await page.setContent(
    `<body style="margin:0;background:#1c232c;color:#e8ebef;font:15px/${captionHeight}px monospace;padding:0 20px"><p style="margin:0;white-space:nowrap;overflow:hidden;text-overflow:ellipsis"></p>`,
  )
  const drawn: Caption[] = []
  for (const { text, at } of captions) {
    await page.locator('p').evaluate((line: { textContent: string | null }, words) => (line.textContent = words), text)
    drawn.push({ png: await page.screenshot(), at })
  }
  await page.close()
  return drawn
}
