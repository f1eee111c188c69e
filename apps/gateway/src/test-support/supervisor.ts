/** The part of a supervisor that thaws, on a socket of its own. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ThawGrant } from '@wakestone/protocol/gateway'

export const TICKET = 'ticket-of-one-server'

/** @param thaw what is done with the game; says the phase that it is in then. */
export async function startSupervisor(thaw: () => string | Promise<string> = () => 'running') {
  const folder = await mkdtemp(join(tmpdir(), 'wakestone-thaw-'))
  const path = join(folder, 'socket')
  const calls: number[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/thaw') return void response.writeHead(404).end()
    if (request.headers.authorization !== `Bearer ${TICKET}`) return void response.writeHead(401).end()
    calls.push(performance.now())
    const phase = await thaw()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ phase }))
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    grant: { endpoint: { kind: 'unix', path }, ticket: TICKET } satisfies ThawGrant,
    calls,
    async close() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
