/**
 * A game and its players in the way of NetherNet: an offer and an answer by HTTP, then data channels of a real WebRTC. What
 * goes over them is this file's own; only how they come together is the game's.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type RTCDataChannel, RTCPeerConnection } from 'werift'

const CHANNEL = 'ReliableDataChannel'
const peer = () =>
  new RTCPeerConnection({ iceServers: [], iceUseIpv6: false, iceAdditionalHostAddresses: ['127.0.0.1'] })

/** Until all ways to reach this side are known: nothing is added later. */
async function describe(connection: RTCPeerConnection, kind: 'createOffer' | 'createAnswer'): Promise<string> {
  await connection.setLocalDescription(await connection[kind]())
  while (connection.iceGatheringState !== 'complete') await connection.iceGatheringStateChange.asPromise()
  return connection.localDescription!.sdp
}

/** Echoes what players say. @param options.offers takes each offer as it arrives */
export async function startNetherNetGame(options: { port?: number; offers?: (sdp: string) => void } = {}) {
  const players = new Set<RTCPeerConnection>()
  const server = createServer(async (asked, answer) => {
    if (asked.method === 'GET' && asked.url === '/v1/join') {
      const status = { name: 'Cavern', protocol: 2193, version: '1.26.51', level: 'Cave', players: players.size }
      return void answer.end(JSON.stringify({ ...status, maxPlayers: 10, gameType: 0 }))
    }
    if (asked.method !== 'POST' || !/^\/v1\/join\/\d+$/.test(asked.url ?? '')) return void answer.writeHead(404).end()
    const sdp = await text(asked)
    options.offers?.(sdp)
    const connection = peer()
    players.add(connection)
    connection.onDataChannel.subscribe((channel) => {
      channel.onMessage.subscribe((message) => channel.send(`you said ${String(message)}`))
    })
    await connection.setRemoteDescription({ type: 'offer', sdp })
    answer.setHeader('content-type', 'application/sdp')
    answer.end(await describe(connection, 'createAnswer'))
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      await Promise.all([...players].map((connection) => connection.close()))
      server.closeAllConnections()
      server.close()
    },
  }
}

export type NetherNetPlayer = { say(words: string): Promise<string>; answer: string; leave(): Promise<void> }

/** @param options.host the name that was typed. @throws Error where the answer is no agreement. */
export async function joinNetherNet(options: {
  port: number
  host?: string
  scheme?: string
}): Promise<NetherNetPlayer> {
  const { port, host = `127.0.0.1:${port}`, scheme = 'http' } = options
  const connection = peer()
  const channel: RTCDataChannel = connection.createDataChannel(CHANNEL)
  try {
    const body = await describe(connection, 'createOffer')
    const response = await ask({ scheme, port, host, path: '/v1/join/4242424242', method: 'POST', body })
    if (response.status !== 200) throw new Error(`the answer was ${response.status}`)
    await connection.setRemoteDescription({ type: 'answer', sdp: response.text })
    while (channel.readyState !== 'open') await channel.stateChanged.asPromise(10_000)
    return {
      answer: response.text,
      async say(words) {
        const heard = channel.onMessage.asPromise(5_000)
        channel.send(words)
        return String((await heard)[0])
      },
      leave: () => connection.close(),
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

export async function ask(options: {
  scheme?: string
  port: number
  host: string
  path: string
  method?: string
  body?: string
  ca?: string
}): Promise<{ status: number; text: string }> {
  const { scheme = 'http', port, host, path, method = 'GET', body, ca } = options
  const { request } = scheme === 'https' ? await import('node:https') : await import('node:http')
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { host },
    agent: false,
    ca,
    servername: 'localhost',
  })
  asked.end(body)
  const [response] = await once(asked, 'response')
  return { status: response.statusCode, text: await text(response) }
}
