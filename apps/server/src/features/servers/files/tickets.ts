/**
 * Tickets: what leads to the bytes of one file, one archive or one upload. Whoever has one may use it for some minutes, as
 * far as who asked for it still may: that is looked at each time. We keep a hash of it.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import { fileLimits } from '@wakestone/contract/servers/file-values'
import type { Ticket, ticketBody } from '@wakestone/contract/servers/files'
import { checkServerAccess } from '#src/http/access.ts'
import type { Api } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import type { ServerResource } from '#src/features/servers/servers/service.ts'
import { filesOf, requireWritableFiles } from './access.ts'
import { deleteTicket, findTicket, insertTicket, type TicketRow } from './repo.ts'

type Asked = z.output<typeof ticketBody>

const digestOf = (ticket: string) => createHash('sha256').update(ticket).digest()

/** @throws DomainError as the files service refuses it. */
export async function createTicket(
  { context }: Pick<Api, 'context'>,
  { user, server, asked }: { user: Principal; server: ServerResource; asked: Asked },
): Promise<Ticket> {
  const { facts, offset } = await prepare(context, { user, server, asked })
  const ticket = randomBytes(32).toString('base64url')
  const expires = await insertTicket(context.db, {
    digest: digestOf(ticket),
    server_id: server.id,
    user_id: user.userId,
    session_id: user.sessionId ?? null,
    api_key_id: user.apiKey?.id ?? null,
    ...facts,
    seconds: fileLimits.ticketMinutes * 60,
  })
  return { url: `/transfers/${ticket}`, expires_at: expires.toISOString(), offset }
}

type Facts = Pick<TicketRow, 'purpose' | 'paths' | 'format' | 'upload_id' | 'size'>

/** Says at once what cannot be, where a browser can still show it well. */
async function prepare(
  context: Api['context'],
  { user, server, asked }: { user: Principal; server: ServerResource; asked: Asked },
): Promise<{ facts: Facts; offset: number | null }> {
  const files = filesOf(context, server)
  const none = { format: null, upload_id: null, size: null }
  switch (asked.purpose) {
    case 'read': {
      const { type } = await files.stat(asked.path)
      if (type === 'folder' || type === 'other') throw new DomainError('file_has_other_type', { resource: 'file' })
      return { facts: { ...none, purpose: 'read', paths: [asked.path] }, offset: null }
    }
    case 'archive': {
      await files.stat(asked.paths[0] ?? '')
      return { facts: { ...none, purpose: 'archive', paths: asked.paths, format: asked.format }, offset: null }
    }
    case 'upload': {
      if (user.actor !== undefined) throw new DomainError('access_denied') // who views as somebody else only looks
      await requireWritableFiles(context.db, server)
      const { purpose, path, size, ...more } = asked
      const upload = await files.createUpload({ path, size, ...more })
      const facts = { format: null, purpose, paths: [path], upload_id: upload.id, size }
      return { facts, offset: Math.min(upload.offset, size) }
    }
  }
}

export type OpenTicket = { row: TicketRow; user: Principal; server: ServerResource }

/** @throws DomainError `transfer_ended` for one that is none, or whose user may no longer. */
export async function openTicket({ context, principals }: Api, ticket: string): Promise<OpenTicket> {
  const ended = new DomainError('transfer_ended', { resource: 'file' })
  const row = await findTicket(context.db, digestOf(ticket))
  if (row === undefined) throw ended
  const user = await principals.findAgain(
    row.session_id === null ? { apiKey: { id: row.api_key_id ?? '' } } : { sessionId: row.session_id },
  )
  if (user === undefined) throw ended
  try {
    return { row, user, server: await checkServerAccess(context, user, row.server_id, 'server.manage') }
  } catch (error) {
    throw error instanceof DomainError ? ended : error
  }
}

/** It is used up. */
export function endTicket({ context }: Pick<Api, 'context'>, { row }: OpenTicket): Promise<void> {
  return deleteTicket(context.db, row.digest)
}
