/**
 * Sends mail by SMTP, or lays each message as an `.eml` file into `DATA_DIR/outbox/` when no server is set.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from '@wakestone/kit/logger'
import type { Settings } from '@wakestone/kit/settings'
import { addSender } from './layout.ts'

export type Message = {
  to: string
  subject: string
  text: string
  html: string
  replyTo?: string
  headers?: Record<string, string>
  /** With angle brackets; made up where missing. */
  messageId?: string
  /** Names of mails that it answers, with angle brackets. */
  inReplyTo?: string
  references?: string[]
}
export type Mailer = {
  /** @returns whether it went to a mail server, or was kept in the outbox because none is set. */
  send(message: Message): Promise<'sent' | 'kept'>
  close(): void
}

/** A server that does not answer fails the message, which is then tried again, and holds nothing else up. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

export function createMailer({ settings, logger }: { settings: Settings; logger: Logger }): Mailer {
  const signing = signingOf(settings)
  const defaults = {
    from: settings.MAIL_FROM,
    ...(signing && { dkim: signing }),
  }
  const sender = senderOf(settings)
  // RFC 3834: absence notes do not answer us.
  const complete = (message: Message) => ({
    ...addSender(message, sender),
    headers: { 'Auto-Submitted': 'auto-generated', ...message.headers },
  })
  if (settings.MAIL_URL !== undefined) {
    const transport = createTransport({ url: withTls(settings.MAIL_URL), pool: true, ...timeouts }, defaults)
    return {
      async send(message) {
        await transport.sendMail(complete(message))
        return 'sent'
      },
      close: () => transport.close(),
    }
  }
  const outbox = join(settings.DATA_DIR, 'outbox')
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, defaults)
  return {
    async send(message) {
      const { message: bytes } = await composer.sendMail(complete(message))
      await mkdir(outbox, { recursive: true })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
      await writeFile(join(outbox, `.${name}`), bytes as Buffer, { mode: 0o600 })
      await rename(join(outbox, `.${name}`), join(outbox, name)) // a reader never sees half a message
      logger.info({ file: name }, 'mail written to the outbox')
      return 'kept'
    },
    close: () => composer.close(),
  }
}

/** Name and postal address of the business, as far as they are known. */
function senderOf({ OPERATOR_NAME, OPERATOR_ADDRESS, ...seller }: Settings): string[] {
  const town = [seller.SELLER_POSTAL_CODE, seller.SELLER_CITY].filter(Boolean).join(' ')
  const address = OPERATOR_ADDRESS ?? [seller.SELLER_ADDRESS, town].filter(Boolean).join(', ')
  return [OPERATOR_NAME ?? '', address].filter((line) => line !== '')
}

/**
 * Speaks to the mail server as far as it goes without sending anything: connects, encrypts and signs in.
 * @throws Error that says how far it came
 */
export async function checkMailServer(address: string): Promise<void> {
  const transport = createTransport({ url: withTls(address), ...timeouts })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** Mail holds codes and links that open accounts: it does not leave this machine in the clear unless it was asked to. */
function withTls(address: string): string {
  const url = new URL(address)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'smtp:' && !isLocal && !url.searchParams.has('requireTLS'))
    url.searchParams.set('requireTLS', 'true')
  return url.href
}

function signingOf({ MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY_FILE }: Settings) {
  if (MAIL_DKIM_DOMAIN === undefined || MAIL_DKIM_SELECTOR === undefined || MAIL_DKIM_KEY_FILE === undefined)
    return undefined
  return {
    domainName: MAIL_DKIM_DOMAIN,
    keySelector: MAIL_DKIM_SELECTOR,
    privateKey: readFileSync(MAIL_DKIM_KEY_FILE, 'utf8'),
  }
}
