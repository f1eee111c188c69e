/**
 * Sends mail by SMTP, or lays each message as an `.eml` file into `DATA_DIR/outbox/` when no server is set.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from '@wakestone/kit/logger'
import type { Settings } from '@wakestone/kit/settings'

export type Message = {
  to: string
  subject: string
  text: string
  html: string
  replyTo?: string
  headers?: Record<string, string>
}
export type Mailer = { send(message: Message): Promise<void> }

export function createMailer({ settings, logger }: { settings: Settings; logger: Logger }): Mailer {
  const from = settings.MAIL_FROM
  if (settings.MAIL_URL !== undefined) {
    const transport = createTransport(settings.MAIL_URL)
    return { send: async (message) => void (await transport.sendMail({ from, ...message })) }
  }
  const outbox = join(settings.DATA_DIR, 'outbox')
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(message) {
      const { message: bytes } = await composer.sendMail({ from, ...message })
      await mkdir(outbox, { recursive: true })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
      await writeFile(join(outbox, `.${name}`), bytes as Buffer, { mode: 0o600 })
      await rename(join(outbox, `.${name}`), join(outbox, name)) // a reader never sees half a message
      logger.info({ file: name }, 'mail written to the outbox')
    },
  }
}
