/**
 * A Minecraft client as far as a waiting player is concerned: gives up when it hears nothing for 30 s, as the game does,
 * answers keep-alives, and follows a transfer to exactly where it is told to go, once more under the intent `transfer`.
 */
import { connect } from 'node:net'
import { createByteQueue } from '@wakestone/minecraft/byte-queue'
import { toClient, toServer } from '@wakestone/minecraft/configuration'
import { writeHandshake } from '@wakestone/minecraft/handshake'
import { readLoginDisconnect, writeLoginStart } from '@wakestone/minecraft/login'
import { createFieldReader, readPacket, writePacket, writeString } from '@wakestone/minecraft/packet'
import { readVarInt } from '@wakestone/minecraft/var-int'

const READ_TIMEOUT_MS = 30_000
const UUID = Buffer.alloc(16, 0x5a)

export type Told = {
  /** Where it was led to at last answered its login, and how many bytes it sent before. */
  joined: boolean
  /** How often it was sent on. */
  transfers: { host: string; port: number }[]
  keepAlives: number
  /** Bytes of each window that it was shown. */
  dialogs: Buffer[]
  /** Words of a kick at login. */
  kicked: string | undefined
  /** Bytes of a kick in the configuration state. */
  disconnected: Buffer | undefined
}

/**
 * Joins, and resolves once that has ended in whatever way.
 * @param mark the id of the packet with which the game says that the player is in; no gateway ever sends it.
 */
export async function joinRaw(options: {
  /** Where connections go, whatever a transfer says. */
  gatewayPort: number
  host: string
  port?: number
  protocol: number
  name?: string
  intent?: 'login' | 'transfer'
  localAddress?: string
  onWaiting?: () => void
  readTimeoutMs?: number
  /** Otherwise it has been led on, and that is all. */
  follows?: boolean
}): Promise<Told> {
  const { gatewayPort, protocol, name = 'Steve', localAddress, onWaiting, readTimeoutMs = READ_TIMEOUT_MS } = options
  const told: Told = {
    joined: false,
    transfers: [],
    keepAlives: 0,
    dialogs: [],
    kicked: undefined,
    disconnected: undefined,
  }
  let next: { host: string; port: number; intent: 'login' | 'transfer' } | undefined = {
    host: options.host,
    port: options.port ?? 25565,
    intent: options.intent ?? 'login',
  }
  while (next && told.transfers.length < 5) {
    next = await attempt(next)
    if (options.follows === false) break
  }
  return told

  function attempt(target: { host: string; port: number; intent: 'login' | 'transfer' }) {
    return new Promise<typeof next>((resolve, reject) => {
      const socket = connect({
        host: '127.0.0.1',
        port: gatewayPort,
        noDelay: true,
        ...(localAddress ? { localAddress } : {}),
      })
      const queue = createByteQueue()
      let state: 'login' | 'configuration' = 'login'
      let onward: typeof next
      socket.setTimeout(readTimeoutMs, () => {
        reject(new Error('nothing heard for too long'))
        socket.destroy()
      })
      socket.write(
        Buffer.concat([
          writeHandshake({ protocol, ...target }),
          writeLoginStart(name, protocol >= 764 ? UUID : undefined),
        ]),
      )
      socket.on('error', () => {})
      socket.on('close', () => resolve(onward))
      socket.on('data', (chunk) => {
        try {
          take(chunk)
        } catch (error) {
          reject(error) // what is no packet of this version
          socket.destroy()
        }
      })

      function take(chunk: Buffer) {
        queue.push(chunk)
        for (let packet = readPacket(queue.peek()); packet; packet = readPacket(queue.peek())) {
          queue.skip(packet.size)
          if (state === 'login') {
            if (packet.id === 0) told.kicked = readLoginDisconnect(packet)
            else if (packet.id === IN_GAME) {
              told.joined = true
              socket.end()
            } else if (packet.id === toClient.loginSuccess) {
              const fields = createFieldReader(packet.data)
              if (!fields.bytes(16).equals(UUID) || fields.string(16) !== name) reject(new Error('another’s login'))
              if (fields.varInt() !== 0) reject(new Error('properties'))
              if (protocol <= 767) fields.bytes(1)
              try {
                fields.bytes(1)
                reject(new Error('bytes too many'))
              } catch {
                state = 'configuration'
              }
              socket.write(writePacket(toServer.loginAcknowledged))
              // As the game does: its brand, its settings.
              socket.write(writePacket(0x02, writeString('minecraft:brand'), writeString('vanilla')))
              socket.write(writePacket(0x00, writeString('en_us'), Buffer.from([8, 0, 1, 127, 1, 0, 1, 0])))
              onWaiting?.()
            } else reject(new Error(`packet ${packet.id} while logging in`))
          } else if (packet.id === toClient.keepAlive) {
            told.keepAlives += 1
            socket.write(writePacket(toServer.keepAlive, packet.data))
          } else if (packet.id === toClient.showDialog) told.dialogs.push(Buffer.from(packet.data))
          else if (packet.id === toClient.disconnect) told.disconnected = Buffer.from(packet.data)
          else if (packet.id === toClient.transfer) {
            const fields = createFieldReader(packet.data)
            const place = { host: fields.string(32_767), port: fields.varInt() }
            told.transfers.push(place)
            onward = { ...place, intent: 'transfer' }
            socket.end()
          } else reject(new Error(`packet ${packet.id} while waiting`))
        }
      }
    })
  }
}

/** What a stand-in for a game answers a login with. */
export const IN_GAME = 0x33
export const inGame = writePacket(IN_GAME)

/** Whole packets at the start of some bytes. */
export function packetsOf(bytes: Buffer) {
  const packets = []
  for (let rest = bytes; readVarInt(rest, 0);) {
    const packet = readPacket(rest)
    if (!packet) break
    packets.push(packet)
    rest = rest.subarray(packet.size)
  }
  return packets
}
