/**
 * How newer versions of Bedrock Edition ask to come in (NetherNet): by HTTP at the server's port, `GET /v1/join` for the
 * server list and `POST /v1/join/{id}` with an SDP offer, which an SDP answer follows. The game itself goes by WebRTC.
 */
import { request } from 'node:http'
import { z } from 'zod'

/** UDP ports that games take for connections, one for each player, beside the TCP port of the server. */
export const GAME_PORTS = { first: 19_200, last: 19_263 }
export const JOIN_PATH = '/v1/join'
export const SDP_TYPE = 'application/sdp'
/** Of an offer or an answer, which take some two kilobytes. */
export const MOST_SDP_BYTES = 64 * 1024
const MOST_STATUS_BYTES = 16 * 1024

const count = z.number().int().min(0).max(1_000_000)
const joinStatusSchema = z.object({
  name: z.string().max(1_000),
  protocol: count.catch(0),
  version: z.string().max(64).catch(''),
  level: z.string().max(1_000).catch(''),
  players: count.catch(0),
  maxPlayers: count.catch(0),
  gameType: z.number().int().min(-1).max(100).catch(0),
})
export type JoinStatus = z.infer<typeof joinStatusSchema>

export type Place = { host: string; port: number }

/** What a game says of itself in the server list. @throws Error where none answers, or with something else. */
export async function askJoinStatus({
  timeoutMs = 2_000,
  ...place
}: Place & { timeoutMs?: number }): Promise<JoinStatus> {
  const answer = await ask(place, { path: JOIN_PATH, method: 'GET', timeoutMs, most: MOST_STATUS_BYTES })
  if (answer.status !== 200) throw new Error(`the game answered with status ${answer.status}`)
  return joinStatusSchema.parse(JSON.parse(answer.text))
}

/** Hands an offer to a game. @returns its answer as it is, which may be a number that says why not. */
export const sendOffer = (place: Place, { id, offer, timeoutMs }: { id: string; offer: string; timeoutMs: number }) =>
  ask(place, { path: `${JOIN_PATH}/${id}`, method: 'POST', body: offer, timeoutMs, most: MOST_SDP_BYTES })

type Asked = { path: string; method: string; body?: string; timeoutMs: number; most: number }

function ask({ host, port }: Place, { path, method, body, timeoutMs, most }: Asked) {
  return new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = body === undefined ? {} : { 'content-type': SDP_TYPE, 'content-length': Buffer.byteLength(body) }
    const asked = request({ host, port, path, method, headers, agent: false, signal }, (response) => {
      const parts: Buffer[] = []
      let size = 0
      response.on('data', (part: Buffer) => {
        size += part.length
        if (size > most) asked.destroy(new Error('the game answered with too much'))
        else parts.push(part)
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          text: Buffer.concat(parts).toString('utf8'),
        }),
      )
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
