/** Tickets as the contract shows them. */
import type {
  DeskMessage,
  DeskThread,
  DeskTicket,
  ListedTicket,
  TicketAttachment,
  TicketThread,
} from '@wakestone/contract/accounts/support'
import type { Handle } from '#src/db/client.ts'
import { type AttachmentRow, type MessageRow, selectAttachments, selectMessages, type TicketRow } from './repo.ts'

const hourMilliseconds = 3_600_000

/** @param answerHours within which an answer is due. */
export const describeListed = (row: TicketRow, answerHours: number): ListedTicket => ({
  id: row.id,
  number: row.number,
  status: row.status,
  topic: row.topic,
  subject: row.subject,
  server: row.server_id === null ? null : { id: row.server_id, name: row.server_name ?? '' },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  answer_due_at: row.waiting_since && answerDue(row.waiting_since, answerHours),
})

export const answerDue = (since: Date, answerHours: number): string =>
  new Date(since.getTime() + answerHours * hourMilliseconds).toISOString()

export const describeForDesk = (row: TicketRow, answerHours: number): DeskTicket => ({
  ...describeListed(row, answerHours),
  user: row.user_id === null ? null : { id: row.user_id, username: row.username ?? '' },
  email: row.email,
  language: row.language,
  assignee: row.assignee_id === null ? null : { id: row.assignee_id, username: row.assignee_name ?? '' },
  waiting_since: row.waiting_since?.toISOString() ?? null,
  satisfaction: satisfactionOf(row),
})

const satisfactionOf = (row: TicketRow) =>
  row.satisfaction === null ? null : { rate: row.satisfaction, comment: row.satisfaction_comment }
const followsOf = (row: TicketRow) =>
  row.follows_id === null || row.follows_number === null ? null : { id: row.follows_id, number: row.follows_number }

/** As its writer sees it: without notes. */
export async function describeThread(db: Handle, row: TicketRow, answerHours: number): Promise<TicketThread> {
  const messages = await describeMessages(db, row.id)
  return {
    ...describeListed(row, answerHours),
    messages: messages.filter(({ is_note }) => !is_note),
    context: row.context,
    satisfaction: satisfactionOf(row),
    follows: followsOf(row),
  }
}

export async function describeDeskThread(
  db: Handle,
  row: TicketRow,
  { answerHours, agents }: { answerHours: number; agents: DeskThread['agents'] },
): Promise<DeskThread> {
  return {
    ...describeForDesk(row, answerHours),
    messages: await describeMessages(db, row.id),
    context: row.context,
    follows: followsOf(row),
    agents,
  }
}

async function describeMessages(db: Handle, ticketId: string): Promise<DeskMessage[]> {
  const [messages, attachments] = await Promise.all([selectMessages(db, ticketId), selectAttachments(db, ticketId)])
  return messages.map((message) => describeMessage(message, attachments))
}

const describeMessage = (row: MessageRow, attachments: readonly AttachmentRow[]): DeskMessage => ({
  id: row.id,
  author: row.author,
  name: row.name,
  via: row.via,
  body: row.body,
  is_note: row.is_note,
  sender: row.sender_email,
  left_out: row.left_out,
  attachments: attachments.filter(({ message_id }) => message_id === row.id).map(describeAttachment),
  created_at: row.created_at.toISOString(),
})

const describeAttachment = ({ id, name, kind, bytes, width, height }: AttachmentRow): TicketAttachment => ({
  id,
  name,
  kind: kind as TicketAttachment['kind'],
  bytes,
  width,
  height,
})
