/**
 * Ways through an agent to what runs on its machine: the supervisor, the files service and the game of one server, and
 * nothing else. Whoever opens one names the server and which of the three, and shows a token of the control plane that is
 * good for that; where it leads the agent decides.
 *
 *   GET /v1/servers/ID/supervisor  Upgrade: wakestone-tunnel   a token for its supervisor
 *   GET /v1/servers/ID/files                                   a token for its files service
 *   GET /v1/servers/ID/game                                    a token of purpose `game`
 *        → 101, and from there on bytes both ways · 401 the token · 404 nobody is there
 *
 * An agent is known by its certificate, which it made itself: that one is trusted and no other.
 */
import { type IncomingMessage, type RequestOptions } from 'node:http'
import { request } from 'node:https'
import type { Socket } from 'node:net'
import type { AgentAddress, TunnelEndpoint } from './agent-address.ts'

export const tunnelProtocol = 'wakestone-tunnel'
export const tunnelEnds = ['supervisor', 'files', 'game'] as const
export type TunnelEnd = (typeof tunnelEnds)[number]

/** As Node.js takes it, for HTTPS to an agent. */
export const agentConnection = ({ host, port, certificate }: AgentAddress): RequestOptions =>
  ({
    host,
    port,
    ca: certificate,
    // Its name says nothing: whoever has the key of this certificate is the agent.
    checkServerIdentity: () => undefined,
    minVersion: 'TLSv1.3',
  }) as RequestOptions

/** An agent refuses: `code` is ECONNREFUSED where nobody is there, EACCES for a token. */
class TunnelRefused extends Error {
  readonly code: string
  constructor(status: number | undefined) {
    super(`the agent answered ${status}`)
    this.code = status === 404 ? 'ECONNREFUSED' : status === 401 ? 'EACCES' : 'EPROTO'
  }
}

/**
 * Opens a way. @param ticket the token, without `Bearer`
 * @throws the connection's error, ETIMEDOUT, or the refusal; all have a `code`
 */
export function openTunnel(
  agent: AgentAddress,
  { serverId, to, ticket }: { serverId: string; to: TunnelEnd; ticket: string },
  timeoutMs = 10_000,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const sent = request({
      ...agentConnection(agent),
      method: 'GET',
      path: `/v1/servers/${serverId}/${to}`,
      headers: { connection: 'Upgrade', upgrade: tunnelProtocol, authorization: `Bearer ${ticket}` },
      agent: false,
    })
    const timer = setTimeout(
      () => sent.destroy(Object.assign(new Error('the agent does not answer'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )
    sent.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    sent.on('response', ({ statusCode }: IncomingMessage) => {
      clearTimeout(timer)
      sent.destroy()
      reject(new TunnelRefused(statusCode))
    })
    sent.on('upgrade', (_response, socket: Socket, head: Buffer) => {
      clearTimeout(timer)
      socket.setTimeout(0)
      socket.setNoDelay(true)
      socket.setKeepAlive(true, 60_000)
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    sent.end()
  })
}

/** For a request by HTTP that goes through an agent. @param authorization the header of the request itself */
export function throughAgent({ agent, serverId, to }: TunnelEndpoint, authorization: string): RequestOptions {
  const ticket = authorization.replace(/^Bearer /, '')
  return {
    host: 'localhost',
    createConnection(_options, tell) {
      openTunnel(agent, { serverId, to, ticket }).then(
        (socket) => tell(null, socket),
        (error: Error) => tell(error, undefined as never),
      )
      return undefined
    },
  }
}
