/** What the gateway asks for those who come over SFTP: `sftp-transports.ts` of the contract. */
import type { ServerResponse } from 'node:http'
import { DomainError } from '@wakestone/contract/errors'
import type { SftpSession, SftpWatchLine } from '@wakestone/contract/servers/remotefs'
import {
  gatewaySftp,
  gatewaySftpChanges,
  gatewaySftpOpen,
  gatewaySftpWatch,
} from '@wakestone/contract/servers/sftp-transports'
import { noteFileChange, requireFiles, requireWritableFiles } from '#src/features/servers/files/service.ts'
import { type ServerChanges, type ServerRow, workloadOf } from '#src/features/servers/servers/service.ts'
import { oneAtATime } from '#src/http/held-right.ts'
import type { Api } from '#src/http/implement.ts'
import { implementCall, implementTransport } from '#src/http/transports.ts'
import { findStanding, signIn } from './login.ts'

const pingMilliseconds = 10_000
/** Rights are read anew this often too, should the telling be lost. */
const lookMilliseconds = 20_000

export function registerSftpGateway(
  api: Api,
  { changes, operationChanges }: { changes: ServerChanges; operationChanges: ServerChanges },
): void {
  const { app, context } = api
  const answers = new Set<ServerResponse>()
  app.addHook('preClose', async () => {
    for (const answer of answers) answer.end()
  })

  implementCall(api, gatewaySftp, ({ body }) => signIn(context, body))

  implementCall(api, gatewaySftpOpen, async ({ body }) => {
    const server = await findStanding(context, body)
    if (server === undefined) throw new DomainError('unauthorized')
    requireFiles(server)
    const readOnly = !(await isWritable(server))
    try {
      return { ...(await context.fleet.grantSftp(workloadOf(server))), readOnly }
    } catch (error) {
      context.logger.warn({ error, serverId: server.id }, 'the files of a server cannot be opened')
      throw new DomainError('service_unavailable')
    }
  })

  implementCall(api, gatewaySftpChanges, async ({ body: { userId, serverId, changes: told } }) => {
    for (const { paths, to, ...change } of told)
      await noteFileChange(context, { serverId, userId, paths, ...change, ...(to !== undefined && { to }) })
    return {}
  })

  implementTransport(api, gatewaySftpWatch, async ({ query, reply }) => {
    const { userId, serverId, kind, proofId, writes } = query
    reply.hijack()
    const answer = reply.raw
    answers.add(answer)
    answer.writeHead(200, { 'content-type': gatewaySftpWatch.type, 'cache-control': 'no-store' })
    const send = (line: SftpWatchLine) => void answer.write(`${JSON.stringify(line)}\n`)
    const look = watch({ userId, serverId, proof: { kind, id: proofId } }, writes === '1', (because) => {
      send({ type: 'end', because })
      answer.end()
    })
    const isMine = (changed: string | undefined) => changed === undefined || changed === serverId
    const ends = [
      api.principals.onChange((changed) => (changed === undefined || changed === userId) && look()),
      changes.onChange((changed) => isMine(changed) && look()),
      operationChanges.onChange((changed) => isMine(changed) && look()),
    ]
    const timers = [setInterval(() => send({ type: 'ping' }), pingMilliseconds), setInterval(look, lookMilliseconds)]
    send({ type: 'ping' })
    look()
    answer.on('error', () => answer.destroy())
    answer.on('close', () => {
      for (const end of ends) end()
      for (const timer of timers) clearInterval(timer)
      answers.delete(answer)
    })
  })

  function watch(session: SftpSession, writes: boolean, end: (because: 'right' | 'busy') => void) {
    return oneAtATime(async () => {
      const server = await findStanding(context, session)
      if (server === undefined) end('right')
      else if (writes && !(await isWritable(server))) end('busy')
    })
  }

  async function isWritable(server: ServerRow): Promise<boolean> {
    try {
      await requireWritableFiles(context.db, server)
      return true
    } catch (error) {
      if (error instanceof DomainError) return false
      throw error
    }
  }
}
