/** What those who answer do. */
import type { z } from 'zod'
import { hasCapability } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import type {
  answerTicketBody,
  changeTicketBody,
  deskListSchema,
  deskQuery,
  DeskThread,
} from '@wakestone/contract/accounts/support'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { enqueue } from '#src/jobs/boss.ts'
import type { GivenFile } from './attachments.ts'
import { describeDeskThread, describeForDesk } from './describe.ts'
import { selectDeskTickets, selectStaff } from './desk-repo.ts'
import { findTicket, insertAttachments, selectMessages, selectSolvedBefore, updateTicket } from './repo.ts'
import { addMessage, changeLocked, moveTicket, requireAfter, sendTicketMailJob, withFiles } from './service.ts'

type Staff = { userId: string }

/** Everybody who may answer, by name. */
export async function findStaff(db: Handle): Promise<{ id: string; username: string; email: string }[]> {
  const rows = await selectStaff(db)
  return rows.filter(({ capabilities }) => hasCapability(capabilities, 'admin.support'))
}

export async function listDesk(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { assignee, ...query }: z.output<typeof deskQuery>,
  { userId }: Staff,
): Promise<z.input<typeof deskListSchema>> {
  const answerHours = settings.SUPPORT_ANSWER_HOURS
  const wanted = assignee === 'me' ? userId : assignee === 'nobody' ? null : assignee
  const { rows, count, overdue } = await selectDeskTickets(db, { ...query, assignee: wanted, answerHours })
  return { data: rows.map((row) => describeForDesk(row, answerHours)), count, overdue, answer_hours: answerHours }
}

export async function showForDesk({ db, settings }: Pick<Context, 'db' | 'settings'>, id: string): Promise<DeskThread> {
  const ticket = await findTicket(db, id)
  if (ticket === undefined) throw new DomainError('ticket_not_found', { resource: 'ticket' })
  const agents = (await findStaff(db)).map(({ id: agentId, username }) => ({ id: agentId, username }))
  return describeDeskThread(db, ticket, { answerHours: settings.SUPPORT_ANSWER_HOURS, agents })
}

export async function answer(
  context: Context,
  { message, status }: z.output<typeof answerTicketBody>,
  { id, user, files }: { id: string; user: Staff; files: GivenFile[] },
): Promise<DeskThread> {
  await withFiles(context, files, (kept) =>
    changeLocked(context, id, async (trx, ticket) => {
      // One that is solved already is answered, and stays so.
      const solves = status === 'SOLVED' && ticket.status !== 'SOLVED'
      const words = { author: 'staff', authorId: user.userId, body: message, solves } as const
      await insertAttachments(trx, await addMessage(context, trx, ticket, words), kept)
    }),
  )
  return showForDesk(context, id)
}

export async function note(context: Context, id: string, user: Staff, message: string): Promise<DeskThread> {
  await changeLocked(context, id, (trx, ticket) =>
    addMessage(context, trx, ticket, { author: 'staff', authorId: user.userId, body: message, isNote: true }),
  )
  return showForDesk(context, id)
}

/** @throws DomainError `user_not_found` for an assignee who may not answer; `ticket_cannot_do_that`. */
export async function change(
  context: Context,
  id: string,
  { assignee_id: assignee, topic, action }: z.output<typeof changeTicketBody>,
  user: Staff,
): Promise<DeskThread> {
  if (assignee != null && !(await findStaff(context.db)).some((agent) => agent.id === assignee))
    throw new DomainError('user_not_found', { resource: 'user' })
  await changeLocked(context, id, async (trx, ticket) => {
    if (topic !== undefined) await updateTicket(trx, id, { topic })
    if (assignee !== undefined) await updateTicket(trx, id, { assignee_id: assignee })
    const doing = action ?? (assignee != null && ticket.status === 'NEW' ? 'take' : undefined)
    if (doing === undefined) return
    const status = requireAfter(ticket.status, doing)
    await moveTicket(trx, ticket, status, {
      waiting: ticket.waiting_since !== null || doing === 'reopen',
      ...(doing === 'take' && assignee === undefined && { assignee: user.userId }),
      tell: status !== ticket.status && doing !== 'take',
    })
    if (doing === 'solve') {
      // A visitor reads nothing but mails.
      const last = (await selectMessages(trx, id)).findLast(({ is_note }) => !is_note)
      if (last !== undefined)
        await enqueue(context.boss, trx, sendTicketMailJob, {
          ticketId: id,
          to: 'writer',
          messageId: last.id,
          what: 'solved',
        })
    }
  })
  return showForDesk(context, id)
}

const closedAtOnce = 500

/** Closes what was solved and nobody has written to since. */
export async function closeSolved(
  { db, settings, logger }: Pick<Context, 'db' | 'settings' | 'logger'>,
  now = new Date(),
): Promise<number> {
  const before = new Date(now.getTime() - settings.SUPPORT_CLOSE_DAYS * 86_400_000)
  let closed = 0
  for (const id of await selectSolvedBefore(db, before, closedAtOnce)) {
    const isClosed = await changeLocked({ db }, id, async (trx, ticket) => {
      if (ticket.status !== 'SOLVED') return false // written to meanwhile
      await moveTicket(trx, ticket, requireAfter(ticket.status, 'close'), { waiting: false, tell: false })
      return true
    })
    if (isClosed) closed++
  }
  if (closed > 0) logger.info({ closed }, 'solved tickets closed')
  return closed
}
