/**
 * What our mails about tickets are called. An answer names the mail that it answers; since nobody can make such a name up,
 * it also says that whoever answers has had that mail, or was given it.
 */
import { createHmac } from 'node:crypto'
import { isSameText } from '@wakestone/kit/signed-code'

/** Whom a mail went to: whoever wrote to support, or support. */
export type MailReader = 'writer' | 'desk'
export type TicketMailId = { ticketId: string; messageId: string; reader: MailReader }

const letters: Record<MailReader, string> = { writer: 'w', desk: 'd' }
const plain = (id: string) => id.replaceAll('-', '')
const dashed = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** With angle brackets. Small letters only: some mail servers know no others. */
export function mailIdOf(key: string, { ticketId, messageId, reader }: TicketMailId, host: string): string {
  const said = `${letters[reader]}.${plain(ticketId)}.${plain(messageId)}`
  return `<ticket.${said}.${sign(key, said)}@${host}>`
}

const sign = (key: string, said: string) =>
  createHmac('sha256', key).update(`ticket-mail ${said}`).digest('hex').slice(0, 40)

const ours = /ticket\.([wd])\.([0-9a-f]{32})\.([0-9a-f]{32})\.([0-9a-f]{40})@/gi
/** A header is no longer than what mail programs write of a long thread. */
const longestHeader = 20_000

/** The newest of our mails that these headers name, whoever wrote them. */
export function findMailId(key: string, headers: readonly string[]): TicketMailId | undefined {
  for (const header of headers) {
    for (const match of [...header.slice(-longestHeader).matchAll(ours)].reverse()) {
      const [letter = '', ticket = '', message = '', signature = ''] = match.slice(1).map((part) => part.toLowerCase())
      if (!isSameText(sign(key, `${letter}.${ticket}.${message}`), signature)) continue
      return { ticketId: dashed(ticket), messageId: dashed(message), reader: letter === 'w' ? 'writer' : 'desk' }
    }
  }
  return undefined
}
