/** Bots that flood a server with joins, as those who rent them do it. */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { writeHandshake } from '@wakestone/minecraft/handshake'
import { readLoginDisconnect, writeLoginStart } from '@wakestone/minecraft/login'
import { readPacket } from '@wakestone/minecraft/packet'
import { openWire } from '../../apps/gateway/src/test-support/wire.ts'

/** Each from another network, under a name of its own: a handshake, a login, and an eye on what comes back. */
export async function floodWithBots(
  port: number,
  { host, bots, atOnce }: { host: string; bots: number; atOnce: number },
): Promise<{ in: number; away: number }> {
  const sums = { in: 0, away: 0 }
  let next = 0
  const loop = async () => {
    for (let index = next++; index < bots; index = next++) {
      const { socket, closed } = openWire(port, { localAddress: `127.${1 + (index >> 8)}.${index & 255}.9` })
      socket.write(writeHandshake({ protocol: 340, host, port: 25565, intent: 'login' }))
      socket.write(writeLoginStart(`b${randomBytes(6).toString('hex')}`))
      // The game itself may hold on to those who come before the attack is noticed.
      const bytes = await Promise.race([closed(), delay(3_000)])
      socket.destroy()
      const answer = bytes && readPacket(bytes)
      const isAway = answer?.id === 0 && /Join again|keeping bots out/.test(readLoginDisconnect(answer))
      sums[isAway ? 'away' : 'in'] += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return sums
}
