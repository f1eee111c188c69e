/** A client of the server list: asks a Bedrock server who plays there. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { readPong, writePing } from './raknet.ts'
import { type BedrockStatus, parseBedrockStatus } from './status.ts'

const AGAIN_MS = 500

export type BedrockPingOptions = { host: string; port: number; timeoutMs?: number }

/**
 * Asks until there is an answer: datagrams get lost. A server that answers is ready for players.
 * @param options.host an address
 * @throws Error of the code ETIMEDOUT, or the socket's error
 */
export function pingBedrockServer(options: BedrockPingOptions): Promise<BedrockStatus & { guid: bigint }> {
  const { host, port, timeoutMs = 5000 } = options
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    const time = randomBytes(8)
    const ask = () => socket.send(writePing(time, time.readBigUInt64BE()), port, host, () => {})
    const timer = setTimeout(
      () => fail(Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )
    const again = setInterval(ask, AGAIN_MS)
    function finish(settle: () => void) {
      clearTimeout(timer)
      clearInterval(again)
      socket.removeAllListeners()
      socket.on('error', () => {})
      socket.close()
      settle()
    }
    const fail = (error: Error) => finish(() => reject(error))
    socket.on('error', fail)
    socket.on('message', (bytes) => {
      const pong = readPong(bytes)
      if (!pong?.time.equals(time)) return
      const status = parseBedrockStatus(pong.text)
      if (status) finish(() => resolve({ ...status, guid: pong.guid }))
    })
    ask()
  })
}
