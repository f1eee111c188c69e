import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'

/** The newest mail to an address, and of a subject if that is given, in an installation's outbox, waited for. */
export async function waitForMail(dataDir: string, address: string, subject?: string | RegExp): Promise<Email> {
  const isMeant = (given = '') => (subject instanceof RegExp ? subject.test(given) : subject === given)
  const folder = join(dataDir, 'outbox')
  const deadline = Date.now() + 20_000
  for (;;) {
    for (const name of listMails(folder).reverse()) {
      const mail = await PostalMime.parse(readFileSync(join(folder, name)))
      if (mail.to?.[0]?.address === address && (subject === undefined || isMeant(mail.subject))) return mail
    }
    if (Date.now() > deadline)
      throw new Error(`no mail to ${address}${subject === undefined ? '' : ` about “${String(subject)}”`}`)
    await delay(50)
  }
}

/** The first address in a mail's plain text. */
export function linkIn(mail: Email): string {
  const link = /https?:\/\/\S+/.exec(mail.text ?? '')?.[0]
  if (link === undefined) throw new Error('the mail holds no link')
  return link
}

function listMails(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort()
  } catch {
    return []
  }
}
