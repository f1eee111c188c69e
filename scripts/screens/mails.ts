/** Pictures of mails, as a phone's mail program shows them. */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { demoAccount } from '../../apps/server/src/features/accounts/accounts/first-accounts.ts'
import { waitForMail } from '../../tests/support/mail.ts'

const width = 640
const mails = [
  { name: 'mail-confirm', to: 'zosia@example.com' },
  { name: 'mail-server-created', to: demoAccount.email, subject: /is on its way/ },
  { name: 'mail-payment', to: demoAccount.email, subject: /^We’ve received your payment/ },
]

/** @param folder where the pictures go. */
export async function takeMails(browser: Browser, { dataDir, folder }: { dataDir: string; folder: string }) {
  for (const { name, to, subject } of mails) {
    const { html } = await waitForMail(dataDir, to, subject)
    const page = await browser.newPage({ viewport: { width, height: 400 } })
    await page.setContent(html ?? '')
    const png = await page.screenshot({ fullPage: true })
    await sharp(png)
      .webp({ quality: 74, effort: 6 })
      .toFile(join(folder, `${name}-light-${width}.webp`))
    await page.close()
  }
}
